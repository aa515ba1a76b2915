"""Stress words belong to their language, have the length asked for, and depend on the seed alone."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from abacist.analysis import FAMILIES
from abacist.analysis.stress_words import brackets, coins, uniform_path
from abacist.corpora import Purpose, bit_generator
from abacist.corpora.words import label
from abacist.languages import Dyck, Shuffle, language_named

BRACKETS = ("dyck-1", "dyck-2", "dyck-3", "shuffle-2", "shuffle-6", "dyck-2 || dyck-2")
NAMES = (*BRACKETS, "anbn", "anbncn", "anbn || anbncn")


def language(name: str) -> Dyck | Shuffle:
    """A language; two of the same kind are shuffled over glyphs of their own."""
    if name == "dyck-2 || dyck-2":
        return Shuffle((Dyck(2), Dyck(2).renamed("abcd")))
    if name == "anbn || anbncn":
        return Shuffle((language_named("anbn").renamed("ab"), language_named("anbncn").renamed("cde")))
    return language_named(name)  # type: ignore[return-value]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_words_are_in_the_language_and_as_long_as_asked_for(family, name: str) -> None:  # type: ignore[no-untyped-def]
    own = language(name)
    for length in (2, 3, 4, 10, 64, 70, 101, 1_000):
        for word in family.words(own, length, seed=1):
            assert word.tolist() in own
            unit = own.blocks if hasattr(own, "blocks") else 2
            assert abs(len(word) - length) <= unit / 2
            assert len(word) == length or length % unit


@pytest.mark.parametrize("name", ["dyck-1", "dyck-2", "shuffle-6"])
def test_long_words_are_in_the_language(name: str) -> None:
    own = language(name)
    for family in FAMILIES.values():
        for word in family.words(own, 100_000, seed=2)[:1]:
            assert len(word) == 100_000
            assert label(own, word, np.array([0, len(word)])).left_at.tolist() == [-1]


def test_which_languages_a_family_has_words_of() -> None:
    crossing = {"crossing", "crossing-pairs"}
    expected = {
        "dyck-1": FAMILIES.keys() - crossing - {"blocks"},
        "dyck-2": FAMILIES.keys() - crossing - {"blocks"},
        "shuffle-2": FAMILIES.keys() - {"blocks"},
        "dyck-2 || dyck-2": FAMILIES.keys() - {"blocks"},
        "anbncn": {"blocks"},
        "anbn || anbncn": set(),
    }
    for name, families in expected.items():
        own = language(name)
        assert {f.name for f in FAMILIES.values() if f.words(own, 200, seed=0)} == families


def test_the_same_seed_gives_the_same_words_and_another_one_others() -> None:
    own = language("shuffle-2")
    for family in FAMILIES.values():
        first, again, other = (family.words(own, 500, seed=seed) for seed in (3, 3, 4))
        assert [word.tolist() for word in first] == [word.tolist() for word in again]
        assert len({word.tobytes() for word in (*first, *other)}) == (2 if family.count > 1 else 1) * len(
            first
        )


def test_what_the_families_look_like() -> None:
    def shown(family: str, name: str, length: int) -> str:
        own = language(name)
        return own.alphabet.render(FAMILIES[family].words(own, length, seed=0)[0].tolist()).replace(" ", "")

    assert shown("nest", "dyck-1", 6) == "((()))"
    assert shown("nest", "dyck-2", 6) == "([()])"
    assert shown("pairs", "dyck-1", 6) == "()()()"
    assert shown("pairs", "shuffle-2", 6) == "()[]()"
    assert shown("alternation-1", "dyck-1", 8) == "(()()())"
    assert shown("alternation-4", "dyck-1", 12) == "((((()()))))"
    assert shown("saw-4", "dyck-1", 20) == "(((())))(((())))(())"
    assert shown("crossing", "shuffle-2", 10) == "((([[)))]]"
    assert shown("crossing-pairs", "shuffle-2", 10) == "([)]([)]()"
    assert shown("crossing-pairs", "shuffle-3", 10) == "([{)]}([)]"
    assert shown("blocks", "anbncn", 10) == "aaabbbccc"


@pytest.mark.parametrize("depth", [4, 16])
def test_walks_stay_under_their_depth_and_reach_it(depth: int) -> None:
    own = language("dyck-1")
    for word in FAMILIES[f"walk-{depth}"].words(own, 4_000, seed=5):
        assert own.maximum_depth(word.tolist()) == depth


def test_a_longer_walk_goes_the_same_way_at_first() -> None:
    short, long = (FAMILIES["walk-4"].words(language("dyck-1"), n, seed=5)[0] for n in (1_000, 2_000))
    assert np.array_equal(short[:990], long[:990])
    bits = [bit_generator(1, Purpose.STRESS) for _ in range(2)]
    assert np.array_equal(coins(100, bits[0]), coins(1_000, bits[1])[:100])


def test_uniform_paths_are_uniform() -> None:
    """All 14 of 8 steps, each about as often: five standard deviations of slack."""
    bits, draws = bit_generator(0, Purpose.STRESS), 14 * 400
    found = Counter(tuple(uniform_path(8, bits).tolist()) for _ in range(draws))
    expected = {tuple(1 - 2 * (s % 2) for s in word) for word in Dyck(1).words(8)}
    assert found.keys() == expected
    assert max(abs(count - 400) for count in found.values()) < 5 * 400**0.5


def test_uniform_words_of_a_shuffle_cross_and_have_all_kinds() -> None:
    own = language("dyck-2 || dyck-2")
    words = FAMILIES["uniform"].words(own, 400, seed=0)
    assert {symbol for word in words for symbol in word.tolist()} == set(range(8))
    assert len({word.tobytes() for word in words}) == 4


def test_brackets_match() -> None:
    path = np.array([1, 1, -1, 1, -1, -1, 1, -1], np.int8)
    assert Dyck(3).alphabet.render(brackets(path, np.array([0, 1, 2, 1])).tolist()) == "([]{})[]"
