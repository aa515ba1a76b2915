"""Judging finds the first step at which the reference's outputs are wrong, whatever words share a call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abacist.cells import CELLS, MEMORIES, ZOO, Cell
from abacist.corpora import Words, draw, pack_texts
from abacist.engine import first_mistakes, judge, trace
from abacist.engine.reference import forward
from abacist.languages import language_named
from abacist.specs import Networks
from tests.cells.looking import LOOKING
from tests.cells.toys import TOYS
from tests.engine.cases import (
    EVERY,
    any_words,
    cells,
    each,
    in_precision,
    is_judged_and_traced,
    layout_of,
    random_networks,
    small,
    thorough_but,
)
from tests.engine.test_tracing import SHAPES, shapes


def mistakes(outputs: Any, words: Words) -> list[int]:
    """The first wrong step of every word, given a function from word to outputs."""
    found = []
    for word, targets, counted in each(words):
        wrong = ((outputs(word) > 0.5) != (targets > 0.5)).any(axis=1) & (counted > 0)
        found.append(int(np.argmax(wrong)) if wrong.any() else -1)
    return found


def clear_networks(cell: Cell, hidden: int, language: str, seed: int, precision: str) -> Networks:
    """Networks with weights times five."""
    networks = random_networks(layout_of(cell, hidden, language), 2, seed=seed, scale=5.0)
    return in_precision(networks, precision)


@shapes
@pytest.mark.parametrize("steps", ["all", "last"])
def test_judging_is_the_references_verdict(
    cell: Cell, hidden: int, language: str, precision: str, steps: str
) -> None:
    networks = in_precision(random_networks(layout_of(cell, hidden, language), 2, seed=hidden), precision)
    words = any_words(language, [*range(1, 12), 60, 2, 33], seed=hidden, steps=steps)
    verdicts = first_mistakes(networks, 1, words)
    assert verdicts.tolist() == mistakes(lambda word: forward(networks, 1, word)[1], words)


@settings(max_examples=40)
@given(st.data())
def test_judging_agrees_with_the_trace_whatever_the_weights(data: st.DataObject) -> None:
    cell, hidden, language, precision = data.draw(st.sampled_from(SHAPES))
    seed, steps = data.draw(st.integers(0, 10**6)), data.draw(st.sampled_from(["all", "last"]))
    lengths = data.draw(st.lists(st.integers(1, 50), min_size=1, max_size=20))
    networks = clear_networks(cell, hidden, language, seed, precision)
    words = any_words(language, lengths, seed=seed, steps=steps)
    expected = mistakes(lambda word: trace(networks, 0, word)["y"], words)
    assert first_mistakes(networks, 0, words).tolist() == expected


@pytest.mark.parametrize(
    ("language", "precision"),
    [
        pytest.param("dyck-2", "float64", marks=pytest.mark.thorough),
        ("dyck-5", "float64"),
        ("anbn", "float32"),
    ],
)
@pytest.mark.parametrize(
    "cell", [pytest.param(cells[1], marks=pytest.mark.thorough), cells[2]], ids=lambda cell: cell.name
)
def test_verdicts_are_the_same_where_nothing_can_be_looked_up(
    cell: Cell, language: str, precision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some processors look the input's part of a gate up in a register, if the alphabet fits."""
    networks = clear_networks(cell, 3, language, 6, precision)
    words = any_words(language, [*range(1, 30), 70], seed=6)
    verdicts = first_mistakes(networks, 1, words).tolist()
    assert verdicts == mistakes(lambda word: forward(networks, 1, word)[1], words)
    monkeypatch.setattr("abacist.targets.llvm.launching.has_lookup", lambda precision, symbols: False)
    assert first_mistakes(networks, 1, words).tolist() == verdicts


def test_some_words_are_accepted_and_others_fail_at_many_places() -> None:
    """So that the laws above are not about one verdict only."""
    seen: set[int] = set()
    for seed in range(40):
        words = any_words("dyck-1", [2, 4, 9, 20, 30], seed=seed, steps=("all", "last")[seed % 2])
        seen |= set(first_mistakes(clear_networks(cells[0], 2, "dyck-1", seed, "float64"), 0, words).tolist())
    assert {-1, 0, 1, 2, 3} <= seen


def test_a_verdict_does_not_depend_on_the_words_beside_it() -> None:
    words = any_words("dyck-2", [1, 40, 3, 17, 17, 2, 90, 5, 8, 13, 21, 34], seed=1)
    networks = random_networks(layout_of(cells[2], 2, "dyck-2"), 1, seed=1, scale=5.0)
    together = first_mistakes(networks, 0, words).tolist()
    language = language_named("dyck-2")
    alone = [first_mistakes(networks, 0, pack_texts(language, [w]))[0] for w, _, _ in each(words)]
    assert together == alone


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_a_network_that_counts_accepts_every_word_however_many(precision: str) -> None:
    """h is the depth, exactly; each word must begin at depth zero, whatever was read before it."""
    layout = layout_of(CELLS["rnn_relu"], 1)
    counter = Networks(layout, np.array([[1, -1, 1, 0, 0, 0, 2, 1, -1]], precision))
    words = any_words("dyck-1", np.random.default_rng(2).integers(1, 40, 150).tolist(), seed=2)
    assert (first_mistakes(counter, 0, words) == -1).all()
    leaky = Networks(layout, np.array([[1, -1, 0.8, 0, 0, 0, 2, 1, -1]], precision))
    expected = mistakes(lambda word: forward(leaky, 0, word)[1], words)
    assert len(set(expected)) > 5
    assert first_mistakes(leaky, 0, words).tolist() == expected


@pytest.mark.parametrize(
    "name",
    thorough_but(
        ("qrnn", "stack_rnn_1", "deep", "forgetful", "shaped", "lstm_x2"),
        [*ZOO, *MEMORIES, *TOYS, *LOOKING, "lstm_x2"],
    ),
)
def test_every_cell_is_judged_and_traced_as_the_reference_does(name: str) -> None:
    """Long words first, so that what they leave behind would be seen in short ones: a memory has 104 rows."""
    scale = 1.0 if name == "nnpda" else 3.0  # with larger weights its rounding errors grow beyond all
    lengths = [130, *([9] * 40), 110, 30, *([17] * 40)] if name in MEMORIES else [30, 1, 7, 12]
    networks = random_networks(layout_of(EVERY[name], 3, "dyck-2"), 1, seed=3, scale=scale)
    is_judged_and_traced(networks, any_words("dyck-2", lengths, seed=5), 1e-9)


@pytest.mark.parametrize("words", [[], [()], [(), (0, 1)], [(), (0, 1)] * 20])
def test_the_empty_word_has_no_wrong_step(words: list[tuple[int, ...]]) -> None:
    networks = random_networks(layout_of(cells[0], 1), 1, seed=0)
    verdicts = first_mistakes(networks, 0, pack_texts(language_named("dyck-1"), words))
    assert len(verdicts) == len(words)
    assert all(v == -1 for v, word in zip(verdicts, words, strict=True) if not word)


@pytest.mark.parametrize("steps", ["all", "last"])
def test_accuracies_are_shares_of_accepted_words(steps: str) -> None:
    spec = small(cells[0], hidden=2, precision="float64", steps=steps)
    seeds = [4, 9, 4]
    networks = random_networks(spec.layout, 3, seed=20, scale=5.0)
    found = judge(spec, seeds, networks)
    assert found.splits == ("training", "short", "long")
    for run, seed in enumerate(seeds):
        for corpus in draw(spec.recipe(seed)):
            words = Words.of(spec.language, corpus.symbols, corpus.offsets, steps)
            verdicts = np.array(mistakes(lambda word, run=run: forward(networks, run, word)[1], words))
            assert found.of(corpus.split.name)[run] == (verdicts < 0).mean()
