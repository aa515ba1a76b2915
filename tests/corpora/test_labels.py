"""Compiled labels = the language's own, word by word, for members and for all others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abacist.corpora import Uniform, Window, label, sample
from abacist.corpora.words import _automaton_or_none
from abacist.languages import CounterAutomaton, PushdownAutomaton, Word, language_named, shuffle_k
from tests.corpora.packing import pack

NAMES = [
    "dyck-1",
    "dyck-2",
    "dyck-3",
    "shuffle-2",
    "shuffle-6",
    "anbn",
    "anbncn",
    "anbn || dyck-1",
    "dyck-2 || anbn",
]

every_language = pytest.mark.parametrize("name", NAMES)


@cache
def members(name: str) -> list[Word]:
    language = language_named(name)
    few = 20 if name in ("anbn", "anbncn") else 60
    return list(sample(language, Uniform(), Window(2, 60), few, seed=1, distinct=False))


def spoilt(name: str) -> Iterator[Word]:
    """Members with a symbol changed, dropped, doubled or two exchanged; most of them are none any more."""
    random, symbols = Random(5), len(language_named(name).alphabet)
    for word in members(name):
        place = random.randrange(len(word))
        yield (*word[:place], random.randrange(symbols), *word[place + 1 :])
        yield word[:place] + word[place + 1 :]
        yield word[: place + 1] + word[place:]
        yield (*word[:place], *word[place : place + 2][::-1], *word[place + 2 :])
        yield word[:place]


def agree(name: str, words: list[Word]) -> None:
    """What `label` says about packed words is what the language says about each."""
    language = language_named(name)
    symbols, offsets = pack(words)
    labels = label(language, symbols, offsets)
    assert labels.targets.dtype == np.uint8
    assert labels.targets.shape == (len(symbols), language.outputs)
    assert labels.left_at.shape == (len(words),)
    for number, word in enumerate(words):
        reading = language.read(word)
        left_at = -1 if reading.left_at is None else reading.left_at
        assert labels.left_at[number] == left_at, word
        rows = labels.targets[offsets[number] : offsets[number + 1]]
        alive = len(reading.steps)
        assert np.array_equal(rows[:alive], language.targets(word[:alive])), word
        assert not rows[alive:].any()
        assert (left_at < 0) == (word in language)


@every_language
def test_members_drawn_from_the_language_and_those_with_a_fault(name: str) -> None:
    words = list(spoilt(name))
    assert all(word in language_named(name) for word in members(name))
    assert sum(word not in language_named(name) for word in words) > len(words) / 2
    agree(name, members(name) + words)


@every_language
def test_all_short_sequences_and_the_empty_word(name: str) -> None:
    symbols = len(language_named(name).alphabet)
    longest = {2: 8, 3: 6, 4: 5, 6: 4}.get(symbols, 2)
    agree(name, [word for n in range(longest + 1) for word in product(range(symbols), repeat=n)])


@every_language
@settings(max_examples=25)
@given(data=st.data())
def test_any_sequences_in_any_order(name: str, data: st.DataObject) -> None:
    symbols = len(language_named(name).alphabet)
    word = st.lists(st.integers(0, symbols - 1), max_size=8).map(tuple)
    agree(name, data.draw(st.lists(word | st.sampled_from(members(name)), max_size=8)))


def test_all_three_ways_of_labelling_are_taken() -> None:
    ways = {name: type(_automaton_or_none(language_named(name))) for name in NAMES}
    assert ways["dyck-1"] is ways["shuffle-6"] is ways["anbncn"] is ways["anbn || dyck-1"] is CounterAutomaton
    assert ways["dyck-2"] is ways["dyck-3"] is PushdownAutomaton
    assert ways["dyck-2 || anbn"] is type(None)


@pytest.mark.parametrize("k", [63, 64, 65])
def test_the_last_counter_that_fits_a_mask_and_the_first_that_does_not(k: int) -> None:
    words: list[Word] = [(0, 1), tuple(range(2 * k)), tuple(reversed(range(2 * k))), (2 * k - 2, 2 * k - 1)]
    words += [
        tuple(range(0, 2 * k, 2)) + tuple(range(1, 2 * k, 2)),
        (2 * k - 2, 0, 2 * k - 1, 1),
        (2 * k - 1,),
    ]
    agree(f"shuffle-{k}", words)


def test_a_corpus_knows_its_targets() -> None:
    corpus = sample(shuffle_k(2), Uniform(), Window(2, 20), 30, seed=3)
    expected = np.vstack([shuffle_k(2).targets(word) for word in corpus])
    assert np.array_equal(corpus.targets(), expected)
