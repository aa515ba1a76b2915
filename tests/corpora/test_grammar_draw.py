"""Draws from the grammar against the exact probability of every word and every length."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from abacist.corpora import Grammar, Window, crossing_share, sample
from abacist.languages import Dyck, language_named, shuffle_k
from tests.corpora.chi_square import PLAUSIBLE, p_value
from tests.corpora.grammar_references import GRAMMARS, PAPER, inside_probability, length_probabilities

MANY = 40_000

CASES = [
    (1, PAPER, Window(2, 8)),
    (1, PAPER, Window(10, 10)),
    (1, GRAMMARS[1], Window(1, 7)),
    (1, GRAMMARS[2], Window(4, 10)),
    (1, GRAMMARS[3], Window(2, 8)),
    (2, PAPER, Window(2, 6)),
    (2, GRAMMARS[1], Window(6, 6)),
    (2, GRAMMARS[4], Window(2, 5)),
    (3, PAPER, Window(2, 4)),
]


@pytest.mark.parametrize("grammar", GRAMMARS, ids=lambda grammar: f"{grammar.p},{grammar.q}")
def test_words_do_not_depend_on_what_was_drawn_before(grammar: Grammar) -> None:
    """The tables of longer words begin with those of shorter ones."""
    long = grammar.plan(90)[0]
    for longest in (0, 2, 31):
        table = grammar.plan(longest)[0]
        many = len(table.options)
        assert long.rows[: len(table.rows)].tolist() == table.rows.tolist()
        assert long.options[:many].tolist() == table.options.tolist()
        assert long.thresholds[:many].tolist() == table.thresholds.tolist()
        assert len(table.rows) == longest // 2 + 2


@pytest.mark.parametrize(("pairs", "grammar", "window"), CASES, ids=lambda value: str(value))
def test_every_word_comes_as_often_as_the_grammar_says(pairs: int, grammar: Grammar, window: Window) -> None:
    language = Dyck(pairs)
    drawn = sample(language, grammar, window, MANY, seed=1, distinct=False)
    exact = {w: inside_probability(grammar, pairs, w) for n in window.lengths for w in language.words(n)}
    assert p_value(Counter(drawn), exact) > PLAUSIBLE


@pytest.mark.parametrize("grammar", GRAMMARS, ids=lambda grammar: f"{grammar.p},{grammar.q}")
@pytest.mark.parametrize("window", [Window(2, 50), Window(52, 100)], ids=str)
def test_every_length_comes_as_often_as_the_grammar_says(grammar: Grammar, window: Window) -> None:
    exact = length_probabilities(grammar, window.high)
    drawn = sample(Dyck(2), grammar, window, MANY, seed=2, distinct=False)
    lengths = Counter(drawn.lengths.tolist())
    assert p_value(lengths, {n: exact[n] for n in window.lengths}) > PLAUSIBLE


@pytest.mark.parametrize("pairs", [2, 6])
def test_every_pair_of_brackets_comes_equally_often(pairs: int) -> None:
    drawn = sample(Dyck(pairs), PAPER, Window(2, 50), MANY // 4, seed=3, distinct=False)
    symbols = np.bincount(drawn.symbols, minlength=2 * pairs)
    assert symbols[0::2].tolist() == symbols[1::2].tolist()
    assert p_value(dict(enumerate(symbols[0::2].tolist())), dict.fromkeys(range(pairs), 1)) > PLAUSIBLE


@pytest.mark.parametrize("k", [2, 6])
def test_a_shuffle_by_the_grammar_is_the_dyck_language_word_for_word(k: int) -> None:
    shuffled = sample(shuffle_k(k), PAPER, Window(2, 50), 2_000, seed=4)
    nested = sample(Dyck(k), PAPER, Window(2, 50), 2_000, seed=4)
    assert list(shuffled) == list(nested)
    assert crossing_share(shuffled) == 0


def test_distinct_draws_are_the_plain_draws_without_their_repetitions() -> None:
    once = sample(Dyck(1), PAPER, Window(2, 50), 1_500, seed=5)
    again = sample(Dyck(1), PAPER, Window(2, 50), 20_000, seed=5, distinct=False)
    first_times = list(dict.fromkeys(again))
    assert len(first_times) > 1_500
    assert list(once) == first_times[:1_500]


def test_length_weights_are_the_grammars_probabilities() -> None:
    weights = PAPER.length_weights(language_named("dyck-1"), Window(3, 9))
    exact = PAPER.length_probabilities(9)
    assert weights == {4: exact[4], 6: exact[6], 8: exact[8]}
