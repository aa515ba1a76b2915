"""The number of words of each length: by formula, by enumeration, by brute force."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist.languages import (
    Blocks,
    Dyck,
    Language,
    Shuffle,
    catalan,
    language_named,
    shuffle_k,
    word_counts,
)
from tests.languages.subjects import ORACLES, Oracle

CATALAN = [1, 1, 2, 5, 14, 42, 132, 429, 1430, 4862, 16796, 58786]
every_language = pytest.mark.parametrize("oracle", ORACLES, ids=lambda oracle: oracle.name)


@cache
def segner(m: int) -> int:
    """The Catalan numbers by the recurrence of their definition, not by the binomial."""
    return 1 if m == 0 else sum(segner(i) * segner(m - 1 - i) for i in range(m))


def closed_walks(counters: int, length: int) -> int:
    """Walks in the orthant of natural numbers from the origin back to it, one counter ±1 a step."""
    places = Counter({(0,) * counters: 1})
    for step in range(length):
        moved: Counter[tuple[int, ...]] = Counter()
        for place, ways in places.items():
            for counter in range(counters):
                for change in (1, -1):
                    there = list(place)
                    there[counter] += change
                    if there[counter] >= 0 and sum(there) <= length - step - 1:
                        moved[tuple(sorted(there))] += ways
        places = moved
    return places[(0,) * counters]


@every_language
def test_count_is_the_number_of_words_found_by_brute_force(oracle: Oracle) -> None:
    language = language_named(oracle.name)
    found = Counter(len(text) for _, text in oracle.texts(oracle.longest) if oracle.contains(text))
    for length in range(oracle.longest + 1):
        assert language.count(length) == found[length]


@every_language
def test_words_are_all_words_of_a_length_in_order_and_as_many_as_counted(oracle: Oracle) -> None:
    language = language_named(oracle.name)
    for length in range(oracle.horizon + 1):
        words = list(language.words(length))
        assert {"".join(oracle.glyphs[symbol] for symbol in word) for word in words} == oracle.words(length)
        assert words == sorted(set(words))
        assert len(words) == language.count(length)


@every_language
def test_there_are_no_words_of_negative_length(oracle: Oracle) -> None:
    assert [language_named(oracle.name).count(length) for length in (-1, -2, -4, -12)] == [0] * 4


@pytest.mark.parametrize("pairs", range(1, 8))
def test_dyck_n_has_catalan_times_n_to_the_m_words(pairs: int) -> None:
    for m in range(30):
        assert Dyck(pairs).count(2 * m) == segner(m) * pairs**m
        assert Dyck(pairs).count(2 * m + 1) == 0


def test_catalan_numbers() -> None:
    assert [catalan(m) for m in range(12)] == CATALAN
    assert [catalan(m) for m in range(60)] == [segner(m) for m in range(60)]
    assert Dyck(1).count(100) == 1978261657756160653623774456


@pytest.mark.parametrize("k", range(1, 7))
def test_shuffle_k_counts_closed_walks_of_k_counters(k: int) -> None:
    assert [shuffle_k(k).count(length) for length in range(15)] == [
        closed_walks(k, length) for length in range(15)
    ]


@pytest.mark.parametrize("blocks", [2, 3, 4, 5])
def test_blocks_have_one_word_for_each_n(blocks: int) -> None:
    lengths = [length for length in range(40) if Blocks(blocks).count(length)]
    assert lengths == list(range(blocks, 40, blocks))
    assert {Blocks(blocks).count(length) for length in lengths} == {1}


@given(st.lists(st.sampled_from([Blocks(2), Blocks(3), Dyck(1), Dyck(2)]), max_size=3), st.integers(0, 7))
def test_word_counts_are_those_of_the_shuffle_of_renamed_parts(
    parts: list[Language[Any]], longest: int
) -> None:
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    parts = [part.renamed([next(letters) for _ in part.alphabet.glyphs]) for part in parts]
    together = Shuffle(tuple(parts))
    counts = word_counts(parts, longest)
    assert counts == [together.count(length) for length in range(longest + 1)]
    if len(together.alphabet) <= 6:
        assert counts == [sum(1 for _ in together.words(length)) for length in range(longest + 1)]
