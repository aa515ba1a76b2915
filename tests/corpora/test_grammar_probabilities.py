"""The grammar's probabilities of lengths and words, by four other ways."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abacist.corpora import Grammar, bracket_pairs
from abacist.corpora.grammar import LONGEST
from abacist.errors import BadInput
from abacist.languages import Dyck, language_named
from tests.corpora.chi_square import PLAUSIBLE, p_value
from tests.corpora.grammar_references import GRAMMARS, derive, inside_probability, length_probabilities

every_grammar = pytest.mark.parametrize("grammar", GRAMMARS, ids=lambda grammar: f"{grammar.p},{grammar.q}")


def relative(value: Decimal, exact: Decimal) -> Fraction:
    """The relative error, exactly: decimals would round it away."""
    return abs(Fraction(value) / Fraction(exact) - 1)


def precisely(digits: int) -> Fraction:
    return Fraction(1, 10**digits)


@every_grammar
def test_lengths_follow_the_recursion_of_the_design(grammar: Grammar) -> None:
    found = grammar.length_probabilities(120)
    assert list(map(float, found)) == pytest.approx(length_probabilities(grammar, 120), rel=1e-11, abs=0)


@every_grammar
def test_the_empty_word_solves_its_equation_by_the_smaller_root(grammar: Grammar) -> None:
    (empty,) = grammar.length_probabilities(0)
    p, q = grammar.p, grammar.q
    x = Fraction(empty)
    assert abs(x - (1 - p - q + q * x * x)) < precisely(50)
    assert 2 * q * x < 1  # the other root is on the other side


def test_a_grammar_that_stops_surely_loses_nothing_to_long_words() -> None:
    """Where p + 2q < 1 the process is subcritical: every word is finite, and the lengths sum to 1."""
    grammar = Grammar(Fraction(1, 4), Fraction(1, 4))
    whole = sum(map(Fraction, grammar.length_probabilities(1500)), Fraction(0))
    assert abs(whole - 1) < precisely(40)


@every_grammar
@pytest.mark.parametrize(("pairs", "longest"), [(1, 14), (2, 10), (3, 6)])
def test_the_words_of_a_length_share_its_probability(grammar: Grammar, pairs: int, longest: int) -> None:
    for length, whole in enumerate(grammar.length_probabilities(longest)):
        shares = sum(Fraction(grammar.probability(pairs, word)) for word in Dyck(pairs).words(length))
        assert abs(shares - Fraction(whole)) <= precisely(50) * Fraction(whole)


@settings(max_examples=60)
@given(data=st.data(), pairs=st.integers(1, 4), p=st.fractions(Fraction(1, 20), Fraction(19, 20)))
def test_so_do_longer_words_by_any_grammar(data: st.DataObject, pairs: int, p: Fraction) -> None:
    q = (1 - p) * data.draw(st.fractions(Fraction(1, 20), Fraction(19, 20)))
    word: list[int] = []
    stack: list[int] = []
    for pair, closes in data.draw(st.lists(st.tuples(st.integers(0, pairs - 1), st.booleans()), max_size=14)):
        word.append(2 * stack.pop() + 1 if closes and stack else 2 * pair)
        if word[-1] % 2 == 0:
            stack.append(pair)
    whole = (*word, *(2 * pair + 1 for pair in reversed(stack)))
    grammar = Grammar(p, q)
    exact = inside_probability(grammar, pairs, whole)
    assert relative(grammar.probability(pairs, whole), exact) < precisely(40)


@pytest.mark.parametrize("grammar", GRAMMARS[:4], ids=lambda grammar: f"{grammar.p},{grammar.q}")
@pytest.mark.parametrize("pairs", [pytest.param(1, marks=pytest.mark.thorough), 2])
def test_the_grammar_run_as_it_stands_gives_these_lengths_and_words(grammar: Grammar, pairs: int) -> None:
    random, runs = Random(7), 12_000
    words = [derive(grammar, pairs, random, 200) for _ in range(runs)]
    lengths = Counter(-1 if word is None or len(word) > 12 else len(word) for word in words)
    exact = dict(enumerate(grammar.length_probabilities(12)))
    assert p_value(lengths, exact | {-1: 1 - sum(exact.values())}) > PLAUSIBLE
    short = Counter(word for word in words if word is not None and len(word) <= 4)
    shares = {w: grammar.probability(pairs, w) for n in (0, 2, 4) for w in Dyck(pairs).words(n)}
    assert p_value(short, shares) > PLAUSIBLE


def test_tables_too_large_for_memory_are_refused() -> None:
    with pytest.raises(BadInput, match=r"lengths must be at most 4,000, got 4,001$"):
        Grammar().length_probabilities(LONGEST + 1)


@pytest.mark.parametrize(
    ("name", "pairs"), [("dyck-1", 1), ("dyck-4", 4), ("shuffle-2", 2), ("shuffle-6", 6), ("shuffle-1", 1)]
)
def test_the_grammar_knows_how_many_pairs_a_language_has(name: str, pairs: int) -> None:
    assert bracket_pairs(language_named(name)) == pairs
