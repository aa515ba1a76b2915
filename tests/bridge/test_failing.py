"""Failing words fail by the plain reference, and none is shorter where all words were tried."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.analysis import FAMILIES, Search, constructed, horizon
from abacist.analysis.stress_words import families_of
from abacist.bridge import FailingWords, failing_words, model_of
from abacist.bridge.failing import TURNING
from abacist.corpora import pack_texts
from abacist.engine.reference import forward
from abacist.errors import BadInput
from abacist.languages import Language, language_asked_for, language_named
from abacist.specs import Networks
from abacist.specs.files import save_folder
from tests.bridge.cases import leaky
from tests.cli.command import inside, refused, shown


def first_wrong(networks: Networks, language: Language[Any], word: tuple[int, ...]) -> int | None:
    """The first wrong step of a word, from 1, by the plain reference."""
    _, outputs = forward(networks, 0, word)
    wrong = (networks.layout.predicted(outputs) != language.targets(word)).any(axis=1)
    return int(wrong.argmax()) + 1 if wrong.any() else None


def all_of(result: FailingWords) -> list[Any]:
    return [*result.structured.values(), *result.others]


@pytest.mark.parametrize("name", ["dyck-1", "shuffle-2"])
@pytest.mark.parametrize("sharpness", [0.04, 0.07, 0.1])
def test_every_word_fails_and_none_is_shorter_where_all_were_tried(name: str, sharpness: float) -> None:
    networks, language = leaky(name, sharpness), language_named(name)
    result = failing_words(networks, language, count=5, max_length=60, every=1_500)
    assert result.others
    for one in all_of(result):
        assert one.word in language
        assert first_wrong(networks, language, one.word) == one.step
        _, outputs = forward(networks, 0, one.word)
        predicted = networks.layout.predicted(outputs)[one.step - 1]
        assert set(one.predicted) == set(np.flatnonzero(predicted))
        assert set(one.right) == set(np.flatnonzero(language.targets(one.word)[one.step - 1]))
    brute = [
        word
        for length in range(1, result.every + 1)
        for word in language.words(length)
        if first_wrong(networks, language, word) is not None
    ]
    shortest = min(map(len, all_of(result)))
    assert not brute or min(map(len, brute)) == shortest
    assert [one.word for one in all_of(result) if len(one) <= result.every] == [] or brute
    exact = horizon(networks, 0, language, Search(to=60))
    assert exact.wrong is not None
    assert shortest == len(exact.wrong)


def test_structured_words_come_first_by_family_then_others_by_length() -> None:
    networks, language = leaky(), language_named("shuffle-2")
    result = failing_words(networks, language, count=6)
    families = [family.name for family in families_of(language)]
    assert [*result.structured] == [name for name in [*families, TURNING] if name in result.structured]
    assert {"nest", "crossing", TURNING} <= set(result.structured) <= {*FAMILIES, TURNING}
    lengths = [len(one) for one in result.others]
    assert lengths == sorted(lengths)
    assert len(lengths) == 6
    assert not {one.word for one in result.others} & {one.word for one in result.structured.values()}
    assert result.words == [language.alphabet.render(one.word) for one in all_of(result)]
    assert result.effort in str(result)
    texts = [language.alphabet.shortened(one.word) for one in all_of(result)]
    assert str(result).splitlines() == [*texts, result.effort]
    assert all(text in result._repr_html_() for text in texts)
    shortest = min(all_of(result), key=len)
    assert f"such as {language.alphabet.shortened(shortest.word)}>" in repr(result)


@pytest.mark.parametrize("batch", [None, 16])
def test_an_outside_model_s_words_are_those_of_the_same_network(batch: int | None) -> None:
    """But for what only the search of horizons finds; how many words the function is asked about is said."""
    networks, language = leaky("dyck-1", 0.05), language_named("dyck-1")
    words: set[tuple[int, ...]] = set()
    inner = model_of(networks)

    def model(asked: Any) -> Any:
        words.update(tuple(map(int, word)) for word in (asked if batch else [asked]))
        return inner(asked)

    outside = failing_words(model, language, batch=batch, max_length=40)
    inside_ = failing_words(networks, language, max_length=40)
    assert outside.structured == inside_.structured
    assert (outside.every, outside.searched) == (inside_.every, inside_.searched)
    assert (outside.looked, inside_.looked) == (
        0,
        min(map(len, all_of(outside))),
    )  # no longer ones are of use
    whole = {word for word in words if word in language}
    assert outside.searched <= len(whole) <= outside.searched + 20  # and the halves that looking ahead shows
    assert min(map(len, all_of(inside_))) == min(map(len, all_of(outside)))


@pytest.mark.parametrize("name", ["dyck-1", "shuffle-2", "parity", "anbn", "tomita-3"])
def test_a_model_that_knows_the_language_has_none(name: str) -> None:
    language = language_asked_for(name)
    result = failing_words(
        lambda word: language.targets(word[: language.read(word).left_at]), language, every=300
    )
    assert (result.words, result.others, dict(result.structured)) == ([], (), {})
    assert f"{result.searched:,} words searched" in str(result)
    assert result.every == max(n for n in range(result.every + 1) if language.count(n))


def test_only_last_steps_count_where_it_says_so() -> None:
    networks, language = leaky("dyck-1", 0.05), language_named("dyck-1")
    result = failing_words(networks, language, steps="last", max_length=40)
    assert all_of(result)
    for one in all_of(result):
        counted = pack_texts(language, [one.word], "last").counted
        _, outputs = forward(networks, 0, one.word)
        wrong = (networks.layout.predicted(outputs) != language.targets(one.word)).any(axis=1)
        assert np.flatnonzero(wrong & (counted > 0)).tolist() == [one.step - 1]


def test_a_model_that_looks_ahead_or_a_wrong_size_is_refused() -> None:
    language = language_named("dyck-1")
    with pytest.raises(BadInput, match="looks ahead"):
        failing_words(lambda word: np.array([[1.0, float(s)] for s in [*word[1:], 0]]), language)
    with pytest.raises(BadInput, match="shuffle-2: has 4 symbols"):
        failing_words(leaky("dyck-1"), language_named("shuffle-2"))


def test_judge_shows_the_words_a_network_fails_on(tmp_path: Path) -> None:
    folders = [str(tmp_path / name) for name in ("leaky", "counter")]
    for folder, networks in zip(
        folders, (leaky("dyck-1"), constructed(language_named("dyck-1"))), strict=True
    ):
        save_folder(networks, Path(folder), about={"language": "dyck-1"})
    expected = failing_words(leaky("dyck-1"), language_named("dyck-1"), count=3)
    (answer,) = json.loads(shown("judge", folders[0], "--failing", "3", "--json"))
    assert [one["word"] for one in answer["words"]] == expected.words
    assert (answer["searched"], answer["looked"]) == (expected.searched, expected.looked)
    code, output, said = inside("judge", folders[0], "--failing", "3")
    assert code == 0
    alphabet = language_named("dyck-1").alphabet
    assert all(alphabet.shortened(alphabet.parse(word)) in output for word in expected.words)
    assert expected.effort in said
    code, output, said = inside("judge", folders[1], "--failing", "3", "--max-length", "30")
    assert (code, output) == (0, "")
    assert "no failing word of at most 30 symbols found, raise --max-length to search further; " in said
    assert "only one of them" in refused("judge", folders[0], "()", "--failing", "3")
