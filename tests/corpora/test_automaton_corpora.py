"""Words of languages given by their automata: drawn exactly, labelled at full speed."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

from abacist.corpora import (
    ByLength,
    SourceChoice,
    Uniform,
    Window,
    default_source,
    label,
    sample,
    source_from_values,
    source_values,
)
from abacist.errors import BadInput, Impossible
from abacist.languages import (
    AutomatonLanguage,
    Blocks,
    CounterAutomaton,
    Dyck,
    Language,
    PushdownAutomaton,
    Word,
    language_from_values,
    regular,
    shuffle,
    shuffle_k,
)
from tests.corpora.chi_square import PLAUSIBLE, p_value
from tests.corpora.packing import pack
from tests.languages.random_automata import Machine, any_automata, more_than

MANY = 20_000


def automaton_of(language: Language[Any]) -> AutomatonLanguage:
    """A language again, by its automaton alone."""
    machine = language.automaton()
    assert isinstance(machine, CounterAutomaton | PushdownAutomaton)
    return AutomatonLanguage(machine, language.alphabet.glyphs, "own", language.marks_end)


PAIRS = regular("(aa|bb|abba)*", title="pairs")

ONE_LENGTH = [
    (PAIRS, 8),
    (regular(".*a..", glyphs=("a", "b")), 7),
    (more_than(), 41),
    (automaton_of(Dyck(1)), 10),
    (automaton_of(Dyck(2)), 6),
    (automaton_of(shuffle_k(2)), 6),
    (shuffle(Dyck(1), PAIRS), 4),
    (shuffle(PAIRS, Blocks(2, ("x", "y"))), 6),
    (shuffle(shuffle(automaton_of(Dyck(2)), PAIRS), more_than().renamed("xy")), 4),
]


@pytest.mark.parametrize(
    ("language", "length"), ONE_LENGTH, ids=lambda case: getattr(case, "name", str(case))
)
def test_all_words_of_a_length_are_equally_likely(language: Language[Any], length: int) -> None:
    words = list(language.words(length))
    assert len(words) == language.count(length) > 10
    drawn = sample(language, Uniform(), Window(length, length), MANY, seed=1, distinct=False)
    assert p_value(Counter(drawn), dict.fromkeys(words, 1)) > PLAUSIBLE


@settings(max_examples=15)
@given(any_automata())
def test_words_of_any_automaton_are_drawn_uniformly(machine: Machine) -> None:
    try:
        language = AutomatonLanguage(machine, tuple("abc"[: machine.symbols]), "random")
    except BadInput:
        assume(False)
    lengths = [n for n in range(1, 7) if language.count(n) > 1]
    assume(lengths)
    words = list(language.words(lengths[-1]))
    window = Window(lengths[-1], lengths[-1])
    drawn = sample(language, Uniform(), window, 200 * len(words), seed=3, distinct=False)
    assert p_value(Counter(drawn), dict.fromkeys(words, 1)) > 1e-6  # of many automata, one is unlucky


@pytest.mark.parametrize("weights", [{}, {2: 1, 3: 7, 4: 4, 6: 2}])
def test_lengths_are_equally_likely_or_as_weighted(weights: dict[int, int]) -> None:
    drawn = sample(PAIRS, ByLength(tuple(weights.items())), Window(1, 8), MANY, seed=2, distinct=False)
    expected: dict[int, int] = (
        {n: weights.get(n, 0) for n in (2, 4, 6, 8)} if weights else dict.fromkeys((2, 4, 6, 8), 1)
    )
    lengths: Counter[int] = Counter(drawn.lengths.tolist())
    assert p_value(lengths, expected) > PLAUSIBLE
    of_six: Counter[Word] = Counter(word for word in drawn if len(word) == 6)
    equal: dict[Word, int] = dict.fromkeys(PAIRS.words(6), 1)
    assert p_value(of_six, equal) > PLAUSIBLE


def test_a_corpus_that_takes_most_words_takes_them_by_length() -> None:
    words = [word for length in range(1, 7) for word in PAIRS.words(length)]
    drawn = sample(PAIRS, ByLength(), Window(1, 6), len(words), seed=0)
    assert sorted(drawn) == sorted(words)
    with pytest.raises(Impossible, match=f"do not exist: there are {len(words)}"):
        sample(PAIRS, ByLength(), Window(1, 6), len(words) + 1, seed=0)


@settings(max_examples=40)
@given(any_automata())
def test_compiled_labels_are_those_of_the_language(machine: Machine) -> None:
    try:
        language = AutomatonLanguage(machine, tuple("abc"[: machine.symbols]), "random")
    except BadInput:
        assume(False)
    check_labels(language, 5 if machine.symbols < 3 else 4)


@pytest.mark.parametrize("language", [language for language, _ in ONE_LENGTH], ids=lambda own: own.name)
def test_labels_of_shuffles_are_those_of_the_language(language: Language[Any]) -> None:
    check_labels(language, 3)


def check_labels(language: Language[Any], longest: int) -> None:
    strings = [w for n in range(longest + 1) for w in product(range(len(language.alphabet)), repeat=n)]
    symbols, offsets = pack(strings)
    found = label(language, symbols, offsets)
    for number, word in enumerate(strings):
        reading = language.read(word)
        assert found.left_at[number] == (-1 if reading.left_at is None else reading.left_at)
        expected = np.zeros((len(word), language.outputs), np.uint8)
        for time, step in enumerate(reading.steps):
            expected[time, list(step.next_symbols)] = 1
        assert np.array_equal(found.targets[offsets[number] : offsets[number + 1]], expected)


def test_depths_of_corpora_are_those_of_the_language() -> None:
    """In the first two, what a symbol adds depends on what came before it."""
    moves = ["A a * A +", "A c * B 0", "B a + B -"]
    stack = ["A a * A push X", "A c * B", "B a X B pop"]
    for values in (
        {"kind": "counter", "accepting": ["B"], "moves": moves},
        {"kind": "pushdown", "accepting": ["B"], "moves": stack},
        {"regex": "(ac|b)*"},
    ):
        language = language_from_values(values)
        drawn = sample(language, ByLength(), Window(1, 15), 7, seed=0)
        paths = [language.depth_path(word) for word in drawn]
        assert np.array_equal(drawn.depths(), np.concatenate(paths))
        assert drawn.turns().tolist() == [list(language.turns(word)) for word in drawn]
        assert drawn.maximum_depths().tolist() == [language.maximum_depth(word) for word in drawn]


def test_languages_of_automata_have_lengths_that_are_equally_likely() -> None:
    assert default_source(PAIRS) == default_source(shuffle(Dyck(1), PAIRS)) == ByLength()
    assert default_source(Blocks(2)) == Uniform()
    assert SourceChoice(uniform=True, by_count=True).of(PAIRS) == Uniform()
    assert SourceChoice(by_length=True).of(Dyck(1)) == ByLength()
    assert SourceChoice(length_weights="4:1,2:3").of(Dyck(1)) == ByLength(((2, 3), (4, 1)))


@pytest.mark.parametrize(
    "source", [ByLength(), ByLength(((2, 3), (40, 1))), ByLength.parse("2..9:3,11..12:1,13:2")]
)
def test_sources_by_length_are_written_down(source: ByLength) -> None:
    assert source_from_values(source_values(source)) == source


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"by_length": True, "uniform": True}, "so does uniform: give one"),
        ({"length_weights": "2"}, "must be such as 10:1,20..30:3, got '2'"),
        ({"length_weights": "2:x"}, "must be such as 10:1,20..30:3, got '2:x'"),
        ({"length_weights": "4..2:1"}, "lengths must rise and be at most 1,000,000, got '4..2:1'"),
        ({"length_weights": "2:1,2:2"}, "a length must have one weight"),
        ({"length_weights": "2:0"}, "at least 1"),
    ],
)
def test_bad_lengths_are_refused(asked: dict[str, Any], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        SourceChoice(**asked).of(Dyck(1))


def test_a_window_without_a_weighted_length_is_refused() -> None:
    with pytest.raises(Impossible, match=r"lengths weighted 2..4:1: no length from 5 to 9 has a weight"):
        sample(PAIRS, ByLength.parse("2..4:1"), Window(5, 9), 1, seed=0)


@pytest.mark.thorough
def test_words_that_are_too_long_for_tables_are_refused_by_a_sentence() -> None:
    language = more_than()
    longest = language.longest
    assert len(sample(language, ByLength(), Window(longest, longest), 1, seed=0)[0]) == longest
    with pytest.raises(BadInput, match=f"n>m: only words of at most {longest:,} symbols can be drawn"):
        sample(language, ByLength(), Window(longest + 1, longest + 1), 1, seed=0)
