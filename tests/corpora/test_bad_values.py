"""Values out of range are refused at birth, in one sentence that names the thing, the rule and the value."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from abacist.corpora import Grammar, Recipe, Split, Window, draw, paper_recipe, sample
from abacist.errors import BadInput, UnknownName
from abacist.languages import Dyck


def recipe_of(*names: str) -> Recipe:
    return Recipe(Dyck(1), Grammar(), tuple(Split(name, Window(2, 8), 1) for name in names))


def refusal_of(make: Callable[[], object]) -> str:
    with pytest.raises(BadInput) as refusal:
        make()
    return str(refusal.value)


@pytest.mark.parametrize("count", [0, -1, -10_000])
def test_a_split_has_words(count: int) -> None:
    message = f"short: the number of words must be at least 1, got {count}"
    assert refusal_of(lambda: Split("short", Window(2, 50), count)) == message


@pytest.mark.parametrize(("low", "high"), [(0, 5), (-2, 5), (6, 5), (1, 1_000_001)])
def test_a_window_has_lengths(low: int, high: int) -> None:
    message = f"Window: lengths must satisfy 1 <= low <= high <= 1,000,000, got {low}:{high}"
    assert refusal_of(lambda: Window(low, high)) == message
    assert refusal_of(lambda: Window.parse(f"{low}:{high}")) == message


@pytest.mark.parametrize("text", ["", ":", "a:b", "2:b", ":5", "2-50", "2:5:9", "2.5:4"])
def test_a_window_is_two_numbers(text: str) -> None:
    message = f"lengths must be LOW:HIGH, such as 2:50, got {text!r}"
    assert refusal_of(lambda: Window.parse(text)) == message


@pytest.mark.parametrize(
    ("p", "q"),
    [
        ("1/2", "1/2"),
        ("0.9", "0.2"),
        ("0", "1/4"),
        ("-1/4", "1/4"),
        ("1/2", "0"),
        ("1/2", "-1"),
        ("1", "1/4"),
    ],
)
def test_a_grammar_has_positive_probabilities_and_stops(p: str, q: str) -> None:
    message = f"Grammar: p and q must be positive and p + q below 1, got p = {Fraction(p)}, q = {Fraction(q)}"
    assert refusal_of(lambda: Grammar(Fraction(p), Fraction(q))) == message
    assert refusal_of(lambda: Grammar.parse(f"{p}, {q}")) == message


@pytest.mark.parametrize("text", ["half", "", "1/0", "0.5.5", "nan", "None"])
def test_a_probability_is_a_number(text: str) -> None:
    message = f"Grammar: q must be a number such as 0.5 or 1/2, got {text!r}"
    assert refusal_of(lambda: Grammar.parse(f"0.5,{text}")) == message


@pytest.mark.parametrize("text", ["", "0.5", "0.5,0.2,0.3"])
def test_a_grammar_is_two_probabilities(text: str) -> None:
    assert refusal_of(lambda: Grammar.parse(text)) == f"grammar must be P,Q, such as 0.5,0.25, got {text!r}"


@pytest.mark.parametrize("seed", [-1, 2**63, 2**64])
def test_a_seed_is_below_two_to_the_63(seed: int) -> None:
    message = f"seed must be at least 0 and below 2**63, got {seed}"
    assert refusal_of(lambda: paper_recipe(Dyck(1), seed=seed)) == message


def test_splits_need_different_names() -> None:
    assert refusal_of(lambda: recipe_of("a", "b", "a")) == "Recipe: splits need different names, got a, b, a"


def test_a_recipe_without_splits_is_refused_in_words() -> None:
    assert "split" in refusal_of(recipe_of)


def test_an_unknown_split_is_named_with_those_there_are() -> None:
    corpora = draw(recipe_of("a", "b"))
    with pytest.raises(UnknownName, match=r"^no split is called 'c'; there are a, b$"):
        corpora["c"]


def test_what_has_another_type_is_refused_too() -> None:
    wrong: Any = "dyck-1"
    lengths: Any = 20
    language = "language must be a language, such as language_named('dyck-1'), got 'dyck-1'"
    assert refusal_of(lambda: paper_recipe(wrong)) == f"paper_recipe: {language}"
    assert refusal_of(lambda: sample(wrong, Grammar(), Window(2, 8), 1, seed=0)) == f"Recipe: {language}"
    assert refusal_of(lambda: sample(Dyck(1), wrong, Window(2, 8), 1, seed=0)) == (
        "Recipe: source must be a source of words, such as Grammar() or Uniform(), got 'dyck-1'"
    )
    assert refusal_of(lambda: sample(Dyck(1), Grammar(), lengths, 1, seed=0)) == (
        "Split: window must be a Window, such as Window(2, 50), got 20"
    )
