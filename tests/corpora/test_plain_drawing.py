"""Compiled drawing = plain drawing, symbol for symbol, from the same bits."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abacist.corpora import Grammar, Recipe, Source, Split, Uniform, Window, draw
from abacist.languages import language_named
from tests.corpora.plain_drawing import draw_plainly

SKEWED = Grammar(Fraction(3, 5), Fraction(3, 10))

CASES = [
    ("dyck-1", Grammar(), Window(2, 50)),
    ("dyck-1", SKEWED, Window(20, 90)),
    ("dyck-2", Grammar(), Window(2, 50)),
    ("dyck-3", SKEWED, Window(8, 40)),
    ("shuffle-6", Grammar(), Window(52, 100)),
    ("dyck-1", Uniform(), Window(12, 30)),
    ("dyck-3", Uniform(), Window(2, 20)),
    ("dyck-2", Uniform(Grammar()), Window(2, 50)),
    ("shuffle-2", Uniform(), Window(2, 24)),
    ("shuffle-6", Uniform(Grammar()), Window(2, 40)),
    ("anbn || dyck-1", Uniform(), Window(3, 30)),
    ("dyck-2 || anbn", Uniform(SKEWED), Window(2, 25)),
    ("anbncn || dyck-2", Uniform(), Window(5, 21)),
    ("anbncndn", Uniform(), Window(1, 400)),
]


@pytest.mark.parametrize(("name", "source", "window"), CASES, ids=lambda value: str(value))
@pytest.mark.parametrize("distinct", [True, False])
def test_every_symbol_of_a_draw_follows_from_the_bits(
    name: str, source: Source, window: Window, distinct: bool
) -> None:
    splits = (Split("first", window, 50), Split("second", window, 25))
    recipe = Recipe(language_named(name), source, splits, seed=11, distinct=distinct)
    assert [list(corpus) for corpus in draw(recipe)] == draw_plainly(recipe)


@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**63 - 1),
    name=st.sampled_from(["dyck-1", "dyck-2", "shuffle-2", "shuffle-3"]),
    low=st.integers(1, 30),
    span=st.integers(1, 30),
    p=st.fractions(Fraction(1, 5), Fraction(3, 5), max_denominator=50),
    kind=st.sampled_from(["grammar", "uniform", "both"]),
)
def test_whatever_the_seed_the_window_and_the_grammar(
    seed: int, name: str, low: int, span: int, p: Fraction, kind: str
) -> None:
    grammar = Grammar(p, (1 - p) / 2)
    sources: dict[str, Source] = {"grammar": grammar, "uniform": Uniform(), "both": Uniform(grammar)}
    split = Split("only", Window(low, low + span), 40)
    recipe = Recipe(language_named(name), sources[kind], (split,), seed, distinct=False)
    assert [list(corpus) for corpus in draw(recipe)] == draw_plainly(recipe)
