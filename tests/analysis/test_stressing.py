"""Stress agrees with the slow reference, word by word, and finds nothing wrong with a network that counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from abacist.analysis import FAMILIES, Stress, constructed, sharpened, stress
from abacist.cells import CELLS
from abacist.corpora import pack_texts
from abacist.engine import first_mistakes
from abacist.engine.reference import forward
from abacist.languages import Language, language_named
from abacist.progress import Progress
from abacist.specs import Networks
from tests.analysis.cases import networks
from tests.engine.cases import layout_of, random_networks

LENGTHS = (10, 33, 64)


def first_wrong_step(one: Networks, run: int, language: Language[Any], word: Any, steps: str) -> int:
    """By the formula in float64, from 1; 0 if there is none."""
    _, outputs = forward(one, run, word.tolist())
    wrong = ((outputs > 0.5) != language.targets(word.tolist()).astype(bool)).any(axis=1)
    if steps == "last":
        wrong[:-2] = wrong[-1] = False
    return int(np.argmax(wrong)) + 1 if wrong.any() else 0


def leaky(name: str, weaker: float) -> Networks:
    """Networks that count, except that their gates are not quite saturated."""
    return sharpened(constructed(language_named(name), "float64"), weaker)


@pytest.mark.parametrize("steps", ["all", "last"])
@pytest.mark.parametrize(
    "name",
    [
        "dyck-1",
        pytest.param("shuffle-2", marks=pytest.mark.thorough),
        "dyck-2",
        pytest.param("anbncn", marks=pytest.mark.thorough),
    ],
)
def test_the_reference_goes_wrong_at_the_same_step(name: str, steps: str) -> None:
    language = language_named(name)
    groups = [random_networks(layout_of(CELLS["gru"], 3, name), 2, seed=1, scale=2)]
    if name in ("dyck-1", "shuffle-2"):
        groups += [leaky(name, 0.05), leaky(name, 0.1)]
    for group, found in zip(groups, stress(groups, language, LENGTHS, seed=6, steps=steps), strict=True):
        assert found.wrong_at.shape == (len(group), len(FAMILIES), 3)
        for number, family in enumerate(FAMILIES.values()):
            for place, length in enumerate(LENGTHS):
                words = family.words(language, length, seed=6)
                assert found.words[number, place] == len(words)
                for run in range(len(group)):
                    steps_of = [first_wrong_step(group, run, language, word, steps) for word in words]
                    expected = min(filter(None, steps_of), default=0)
                    assert found.wrong_at[run, number, place] == expected


@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("name", ["dyck-1", "shuffle-2", "shuffle-6"])
def test_a_network_that_counts_is_right_on_everything(name: str, precision: str) -> None:
    language = language_named(name)
    (found,) = stress([constructed(language, precision)], language, (100, 1_000, 50_000))
    assert not found.wrong_at.any()
    known = [number for number, name in enumerate(found.families) if name not in found.left_out]
    assert set(found.longest_right[0, known].tolist()) == {50_000}


def test_mistakes_late_in_long_words_are_found() -> None:
    """Counters that wear off, early and late."""
    language = language_named("dyck-1")
    weak = [leaky("dyck-1", factor) for factor in (0.15, 0.2, 0.3)]
    found = stress(weak, language, (20_000,))
    for number, family in enumerate(FAMILIES.values()):
        whole = pack_texts(language, [word.tolist() for word in family.words(language, 20_000, seed=0)])
        for one, own in zip(weak, found, strict=True):
            mistakes = [step + 1 for step in first_mistakes(one, 0, whole).tolist() if step >= 0]
            assert own.wrong_at[0, number, 0] == min(mistakes, default=0)
    steps = {int(step) for own in found for step in own.wrong_at.flat}
    assert any(0 < step <= 4_096 for step in steps)
    assert any(step > 4_096 for step in steps)


def test_still_right_means_at_all_shorter_lengths_too() -> None:
    wrong_at = np.array([[[0, 0, 0], [0, 7, 0], [3, 0, 0], [0, 0, 0]]])
    words, actual = np.ones((4, 3), int), np.array([[9, 20, 30]] * 4)
    words[3, 0] = actual[3, 0] = 0
    found = Stress((10, 20, 30), ("a", "b", "c", "d"), words, actual, wrong_at)
    assert found.still_right[0].tolist() == [[True] * 3, [True, False, False], [False] * 3, [True] * 3]
    assert found.longest_right.tolist() == [[30, 9, 0, 30]]
    assert found.left_out == ()


def test_it_depends_on_the_seed_alone() -> None:
    group, language = networks("shuffle-2", "lstm", 3, 4), language_named("shuffle-2")
    alone = [
        stress([Networks(group.layout, group.parameters[n : n + 1])], language, LENGTHS)[0] for n in range(4)
    ]
    told: list[float] = []
    progress = Progress(lambda own: told.append(own.share))
    (together,) = stress([group], language, LENGTHS, progress=progress)
    assert np.array_equal(together.wrong_at, np.concatenate([one.wrong_at for one in alone]))
    assert told == sorted(told)
    assert told[-1] == 1
