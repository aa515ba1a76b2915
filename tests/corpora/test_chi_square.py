"""The chi-square test itself: exact values, and both good and bad fits told apart."""

from __future__ import annotations

from collections import Counter
from math import erfc, exp, factorial, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.corpora.chi_square import PLAUSIBLE, p_value, upper_gamma


@given(st.integers(1, 60), st.floats(0.01, 200))
def test_for_an_even_number_of_degrees_it_is_a_poisson_sum(half: int, x: float) -> None:
    exact = exp(-x) * sum(x**k / factorial(k) for k in range(half))
    assert upper_gamma(half, x) == pytest.approx(exact, rel=1e-9, abs=1e-13)


@given(st.floats(0.001, 100))
def test_for_one_degree_it_is_the_error_function(x: float) -> None:
    assert upper_gamma(0.5, x) == pytest.approx(erfc(sqrt(x)), rel=1e-9, abs=1e-13)


def test_p_values_of_a_true_law_are_themselves_uniform() -> None:
    random = Random(3)
    weights = {"a": 1, "b": 2, "c": 3, "d": 4}
    values = []
    for _ in range(600):
        draws = random.choices(list(weights), list(weights.values()), k=200)
        values.append(p_value(Counter(draws), weights))
    tenths = Counter(min(9, int(10 * value)) for value in values)
    assert p_value(tenths, dict.fromkeys(range(10), 1)) > PLAUSIBLE


def test_a_wrong_law_is_found_out() -> None:
    random = Random(4)
    draws = Counter(random.choices("abcd", [1, 2, 3, 4], k=10_000))
    assert p_value(draws, {"a": 1, "b": 2, "c": 3, "d": 4}) > PLAUSIBLE
    assert p_value(draws, {"a": 1.2, "b": 2, "c": 3, "d": 4}) < PLAUSIBLE
    assert p_value(draws, {"a": 1, "b": 1, "c": 1, "d": 1}) < 1e-100


def test_what_cannot_happen_and_does_has_no_excuse() -> None:
    assert p_value({"a": 100, "b": 100, "c": 1}, {"a": 1, "b": 1}) == 0
    assert p_value({"a": 100, "b": 100, "c": 1}, {"a": 1, "b": 1, "c": 0}) == 0


def test_too_few_draws_prove_nothing() -> None:
    with pytest.raises(ValueError, match="too few"):
        p_value({"a": 3}, {"a": 1, "b": 1})
