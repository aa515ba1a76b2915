"""The grammar cut off at the longest length, against its recursion carried out plainly."""

from __future__ import annotations

import random
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import pytest

from abacist.corpora import CutOff, Grammar, Window, sample
from abacist.errors import BadInput
from abacist.languages import Dyck, language_named
from tests.corpora.chi_square import PLAUSIBLE, p_value
from tests.corpora.grammar_references import GRAMMARS, PAPER

MANY = 40_000


def derived(rng: random.Random, grammar: Grammar, pairs: int, longest: int, size: int = 0) -> tuple[int, ...]:
    """A word, by the recursion: S is empty past the longest length, and so is what comes out longer."""
    if size >= longest:
        return ()
    chance, p, q = rng.random(), float(grammar.p), float(grammar.q)
    word: tuple[int, ...] = ()
    if chance < p:
        pair = rng.randrange(pairs)
        word = (2 * pair, *derived(rng, grammar, pairs, longest, size + 2), 2 * pair + 1)
    elif chance < p + q:
        word = tuple(s for _ in range(2) for s in derived(rng, grammar, pairs, longest, size))
    return word if len(word) <= longest else ()


@pytest.mark.parametrize(("pairs", "longest"), [(1, 2), (1, 8), (2, 6)])
@pytest.mark.parametrize("grammar", GRAMMARS, ids=lambda grammar: f"{grammar.p},{grammar.q}")
def test_words_are_those_of_the_recursion(grammar: Grammar, pairs: int, longest: int) -> None:
    rng, cut = random.Random(1), CutOff(grammar)
    found = Counter(derived(rng, grammar, pairs, longest) for _ in range(MANY // 4))
    language = Dyck(pairs)
    exact = {w: cut.probability(pairs, w, longest) for n in range(longest + 1) for w in language.words(n)}
    assert p_value(found, exact) > PLAUSIBLE


@pytest.mark.parametrize(
    ("pairs", "grammar", "window"),
    [
        (1, PAPER, Window(2, 8)),
        (1, GRAMMARS[1], Window(4, 10)),
        (2, PAPER, Window(2, 6)),
        (2, GRAMMARS[2], Window(1, 5)),
    ],
    ids=lambda value: str(value),
)
def test_every_word_is_drawn_as_often_as_it_should_be(pairs: int, grammar: Grammar, window: Window) -> None:
    language, cut = Dyck(pairs), CutOff(grammar)
    drawn = sample(language, cut, window, MANY, seed=1, distinct=False)
    exact = {w: cut.probability(pairs, w, window.high) for n in window.lengths for w in language.words(n)}
    assert p_value(Counter(drawn), exact) > PLAUSIBLE


@pytest.mark.parametrize("grammar", GRAMMARS, ids=lambda grammar: f"{grammar.p},{grammar.q}")
@pytest.mark.parametrize(("pairs", "longest"), [(1, 12), (2, 8)])
def test_the_probabilities_of_words_add_up_to_those_of_lengths(
    grammar: Grammar, pairs: int, longest: int
) -> None:
    cut, language = CutOff(grammar), Dyck(pairs)
    whole = CutOff(grammar).levels(longest // 2)[-1]
    assert abs(sum(whole, Decimal(-1))) < Decimal("1e-25")
    for m, expected in enumerate(whole):
        words = language.words(2 * m)
        total = sum((cut.probability(pairs, word, longest) for word in words), Decimal(0))
        assert abs(total - expected) < Decimal("1e-25")


def test_a_whole_window_is_drawn_by_the_same_weights() -> None:
    """Where a set takes most words of a window, they come from the list of all words."""
    cut, language = CutOff(), Dyck(1)
    corpus = sample(language, cut, Window(2, 6), 7, seed=0)
    assert len(set(corpus)) == 7
    likely = Counter(next(iter(sample(language, cut, Window(2, 6), 5, seed=seed))) for seed in range(400))
    exact = {w: cut.probability(1, w, 6) for n in (2, 4, 6) for w in language.words(n)}
    assert p_value(likely, exact) > PLAUSIBLE


def test_other_symbols_are_refused() -> None:
    with pytest.raises(BadInput, match="the grammar draws only brackets"):
        sample(language_named("anbn"), CutOff(), Window(2, 6), 2, seed=0)


def test_fractions_are_kept() -> None:
    assert CutOff(Grammar(Fraction(1, 3), Fraction(1, 5))).values() == {"grammar": "1/3,1/5"}


def test_probabilities_that_secants_do_not_find_are_refused() -> None:
    with pytest.raises(BadInput, match="q = 49/100, the probabilities were not found in 100 steps"):
        CutOff(Grammar("1/100", "49/100")).plan(50)  # type: ignore[arg-type]
