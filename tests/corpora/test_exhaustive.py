"""Drawing most of what exists: the same law as drawing again until a word is new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist.corpora import Grammar, Recipe, Source, Split, Uniform, Window, draw, sample
from abacist.corpora.choices import _below, draw_most, whole_numbers
from abacist.languages import Dyck, Word, language_named
from tests.corpora.chi_square import PLAUSIBLE, p_value
from tests.corpora.plain_drawing import DRAW_MODULE

WINDOW, ALL, WANTED, SEEDS = Window(2, 6), 8, 5, 2_500
WORDS = [word for n in WINDOW.lengths for word in Dyck(1).words(n)]
BY_GRAMMAR = {word: Fraction(Grammar().probability(1, word)) for word in WORDS}

Draws = dict[str, list[tuple[Word, ...]]]


def in_order(weights: dict[Word, Fraction], many: int) -> dict[tuple[Word, ...], Fraction]:
    """The probability of every sequence of words drawn one after the other without replacement."""
    law = {}
    for sequence in permutations(weights, many):
        left, probability = sum(weights.values()), Fraction(1)
        for word in sequence:
            probability *= weights[word] / left
            left -= weights[word]
        law[sequence] = probability
    return law


@pytest.fixture(scope="module")
def draws() -> Draws:
    """The same request by both ways, for many seeds."""

    def drawn() -> list[tuple[Word, ...]]:
        return [tuple(sample(Dyck(1), Grammar(), WINDOW, WANTED, seed=seed)) for seed in range(SEEDS)]

    by_enumeration = drawn()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DRAW_MODULE, "_words_left", lambda recipe, index: 10**9)
        return {"enumeration": by_enumeration, "rejection": drawn()}


both_ways = pytest.mark.parametrize("way", ["enumeration", "rejection"])


def test_there_are_eight_words_and_two_ways_to_draw_five(draws: Draws) -> None:
    assert len(WORDS) == ALL
    assert draws["enumeration"] != draws["rejection"]
    assert all(len(set(words)) == WANTED for way in draws.values() for words in way)


@both_ways
def test_the_first_two_words_go_by_the_law_of_draws_without_replacement(draws: Draws, way: str) -> None:
    assert p_value(Counter(words[:2] for words in draws[way]), in_order(BY_GRAMMAR, 2)) > PLAUSIBLE


@both_ways
def test_so_does_the_set_of_all_words_drawn(draws: Draws, way: str) -> None:
    exact: Counter[frozenset[Word]] = Counter()
    for sequence, probability in in_order(BY_GRAMMAR, WANTED).items():
        exact[frozenset(sequence)] += probability  # type: ignore[assignment]
    assert p_value(Counter(map(frozenset, draws[way])), exact) > PLAUSIBLE


@pytest.mark.parametrize("source", [Uniform(), Uniform(Grammar())], ids=str)
def test_uniform_words_have_their_own_weights(source: Uniform) -> None:
    lengths = Grammar().length_probabilities(6)
    exact = {
        word: 1 if source.lengths is None else lengths[len(word)] / Dyck(1).count(len(word)) for word in WORDS
    }
    drawn = [sample(Dyck(1), source, WINDOW, WANTED, seed=seed)[0] for seed in range(1_000)]
    assert p_value(Counter(drawn), exact) > PLAUSIBLE


@given(st.lists(st.integers(1, 2**100), min_size=1, max_size=12), st.integers(0, 99))
def test_draws_are_those_of_a_plain_scan(weights: list[int], seed: int) -> None:
    words, bits, left, scanned = [(n,) for n in range(len(weights))], np.random.SFC64(seed), [*weights], []
    for _ in words:
        target = _below(bits, sum(left))
        scanned.append(next(i for i, below in enumerate(accumulate(left)) if below > target))
        left[scanned[-1]] = 0
    drawn = draw_most(words, weights, len(words), np.random.SFC64(seed))
    assert drawn == [words[place] for place in scanned]


@pytest.mark.parametrize("bound", [1, 3, 2**64 - 1, 2**64, 2**64 + 1, 3 * 2**70])
def test_numbers_below_any_bound_are_uniform(bound: int) -> None:
    bits = np.random.SFC64(2)
    drawn = [_below(bits, bound) for _ in range(3_000)]
    assert all(0 <= number < bound for number in drawn)
    if bound > 1:
        parts = min(bound, 12)
        assert (
            p_value(Counter(number * parts // bound for number in drawn), dict.fromkeys(range(parts), 1))
            > PLAUSIBLE
        )


@pytest.mark.parametrize(
    ("name", "source", "window"),
    [
        ("dyck-1", Grammar(), Window(2, 8)),
        ("dyck-2", Grammar(), Window(1, 6)),
        ("shuffle-2", Grammar(), Window(2, 6)),
        ("shuffle-2", Uniform(), Window(2, 6)),
        ("shuffle-3", Uniform(Grammar()), Window(2, 4)),
        ("anbn || dyck-1", Uniform(), Window(2, 8)),
        ("anbncn", Uniform(), Window(1, 60)),
        ("dyck-1", Grammar(Fraction(1, 100), Fraction(1, 100)), Window(2, 12)),
    ],
    ids=str,
)
@pytest.mark.parametrize("sizes", ["at once", "few and the rest", "most and the rest"])
def test_whoever_asks_for_all_words_gets_all(name: str, source: Source, window: Window, sizes: str) -> None:
    language = language_named(name)
    support = Recipe(language, source, (Split("one", window, 1),)).support
    words = [word for n in window.lengths for word in support.words(n)]
    first = {"at once": 0, "few and the rest": 3, "most and the rest": len(words) - 3}[sizes]
    splits = [Split("first", window, first)] if first else []
    splits.append(Split("rest", window, len(words) - first))
    corpora = draw(Recipe(language, source, tuple(splits), seed=3))
    drawn: Sequence[Word] = [word for corpus in corpora for word in corpus]
    assert sorted(drawn) == sorted(words)


def test_words_taken_from_a_list_are_not_drawn_again() -> None:
    """The first split is drawn from a list, the second by rejection, the third from a list again."""
    splits = (Split("a", Window(2, 6), 8), Split("b", Window(2, 10), 25), Split("c", Window(2, 10), 31))
    for seed in range(20):
        corpora = draw(Recipe(Dyck(1), Grammar(), splits, seed))
        assert len({word for corpus in corpora for word in corpus}) == 64


def test_decimal_weights_keep_their_proportions_to_the_last_word() -> None:
    shares = whole_numbers([Grammar().probability(1, word) for word in WORDS])
    total, exact = sum(shares), sum(BY_GRAMMAR.values())
    for share, word in zip(shares, WORDS, strict=True):
        assert abs(Fraction(share, total) - BY_GRAMMAR[word] / exact) < Fraction(1, 2**90)
