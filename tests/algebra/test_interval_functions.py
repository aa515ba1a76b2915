"""Intervals of quotients, exponentials, logarithms and whole vectors hold what programs compute."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.algebra import (
    OPERATIONS,
    Interval,
    cumulative_sum,
    exp,
    joined,
    log,
    maximum,
    minimum,
    popped,
    pushed,
    relu,
    repeat,
    rotated_down,
    segment_sum,
    softmax,
    softplus,
    sum_before,
    sum_behind,
    unit,
)
from abacist.algebra.rounding import RoundingMargins, rounding_margins
from tests.algebra.exact_activations import allowed, exactly_of
from tests.compiler.made_boxes import states_within

Array = NDArray[Any]

precisions = pytest.mark.parametrize("precision", ["float32", "float64"])


def _box(rng: np.random.Generator, shape: tuple[int, ...], precision: str, size: float = 1.0) -> Interval:
    """Points, thin and wide intervals."""
    centre = size * rng.normal(size=shape)
    radius = np.array([0, 1e-6, 1e-2, 1])[rng.integers(0, 4, shape)] * rng.random(shape) * size
    lower, upper = ((centre + sign * radius).astype(precision) for sign in (-1, 1))
    return Interval(np.minimum(lower, upper), np.maximum(lower, upper), rounding_margins(precision, 4))


def _within(box: Interval, rng: np.random.Generator) -> Array:
    """Numbers of a box: corners and others."""
    return np.asarray(states_within(box.lower, box.upper, 1, rng)[0])


def _sure(found: Interval) -> Array:
    return np.asarray(np.isfinite(found.lower) & np.isfinite(found.upper))


@precisions
def test_quotients(precision: str) -> None:
    """Exact ones, and rounded ones; where the divisor may be zero, nothing is said."""
    rng = np.random.default_rng(1)
    above, below = (_box(rng, (2_000,), precision, size) for size in (3.0, 1.0))
    with np.errstate(all="ignore"):
        for divisor in (below, relu(below)):
            found = above / divisor
            zero = (divisor.lower <= 0) & (divisor.upper >= 0)
            assert np.isnan(found.lower[zero]).all()
            assert np.isnan(found.upper[zero]).all()
            assert _sure(found)[~zero].all()
            for _ in range(4):
                a, b = _within(above, rng), _within(divisor, rng)
                rounded = a / b
                for n in np.flatnonzero(~zero):
                    exact = Fraction(float(a[n])) / Fraction(float(b[n]))
                    assert Fraction(float(found.lower[n])) <= exact <= Fraction(float(found.upper[n]))
                    assert found.lower[n] <= rounded[n] <= found.upper[n]
        half = 1 / (below * 0 + 2)
        assert (half.lower < 0.5).all()
        assert (half.upper > 0.5).all()
        assert (half.upper - half.lower < 2e-6).all()


@precisions
@pytest.mark.parametrize("function", ["exp", "log", "softplus"])
def test_functions_hold_whatever_keeps_the_promise(function: str, precision: str) -> None:
    rng = np.random.default_rng(2)
    box = _box(rng, (1_000,), precision, 5.0)
    if function == "log":
        box = Interval(np.exp(box.lower), np.exp(box.upper), box.margins)
    found = OPERATIONS[function](box)
    assert _sure(found).all()
    for _ in range(2):
        for n, x in enumerate(_within(box, rng).tolist()):
            exact, error = exactly_of(function, x), allowed(function, precision, x)
            low, high = Decimal(float(found.lower[n])), Decimal(float(found.upper[n]))
            assert low <= exact - error or (function != "log" and low == 0), x
            assert exact + error <= high, x
    thin = box.upper == box.lower
    assert ((found.upper - found.lower)[thin] <= 3e-5 * (1 + np.abs(found.upper[thin]))).all()


@precisions
def test_what_may_be_no_number_says_nothing(precision: str) -> None:
    """Nor does what is made of it: by gates, by choices, by quotients."""
    outward = rounding_margins(precision, 4)

    def box(low: float, high: float) -> Interval:
        return Interval(np.array([low], precision), np.array([high], precision), outward)

    one = box(0.5, 1.0)
    with np.errstate(all="ignore"):
        nothing = [
            one / box(-1, 1), one / box(0, 1), one / box(-1, 0), box(0, 0) / box(0, 0),
            exp(box(0, 90)), exp(box(28, 28)), one / exp(box(0, 90)),
            log(box(-1, 2)), log(box(0, 1)), box(1, 2) / box(1e-30, 1),
            exp(box(np.nan, 0)), softplus(box(0, np.nan)), softmax(box(0, np.inf)),
            softmax(box(np.nan, 1)),
        ]  # fmt: skip
        for own in nothing:
            made = [own, own * one, one * own, own + one, maximum(own, one), one / (1 + own * own), relu(own)]
            for found in made:
                assert not _sure(found.bounds).any()


def test_the_larger_of_two_remembers_them() -> None:
    """However wide: what is left of one is at most zero, and at least zero of the smaller."""
    rng = np.random.default_rng(5)
    a, b = (_box(rng, (500,), "float32", 3.0) for _ in range(2))
    left, over = a - maximum(a, b), b - minimum(a, b)
    assert (left.upper <= 0).all()
    assert (over.lower >= 0).all()
    for _ in range(10):
        x, y = _within(a, rng), _within(b, rng)
        for found, values in ((left, x - np.maximum(x, y)), (over, y - np.minimum(x, y))):
            assert (found.lower <= values).all()
            assert (values <= found.upper).all()
    product = a * b  # which a program may have rounded in one place and not in the other
    assert ((product - maximum(product, b)).upper > 0).any()


def _rotated(x: Any) -> Any:
    return rotated_down(x, 2)


def _popped(x: Any) -> Any:
    return popped(x, 3)


def _pushed(x: Any) -> Any:
    return pushed(x, unit(x, 1))


@precisions
@pytest.mark.parametrize(
    "composition",
    [softmax, cumulative_sum, sum_before, sum_behind, _rotated, _popped, _pushed,
     lambda x: segment_sum(x, 1, 1), lambda x: segment_sum(x, 4, 3), lambda x: repeat(x, 24, 2),
     lambda x: joined(x, x)],
)  # fmt: skip
def test_whole_vectors(composition: Callable[[Any], Any], precision: str) -> None:
    """In the precision itself, and in float64."""
    rng = np.random.default_rng(6)
    for size in (0.1, 1.0, 20.0):
        box = _box(rng, (300, 12), precision, size)
        found = composition(box)
        for _ in range(5):
            inside = _within(box, rng)
            for values in (composition(inside), composition(inside.astype(np.float64))):
                assert (found.lower <= values).all()
                assert (values <= found.upper).all()


@pytest.mark.parametrize("units", [2, 5, 9])
def test_softmax_is_sharp(units: int) -> None:
    """Its weights stay within 0 and 1, and of a point they are known to five digits."""
    outward: RoundingMargins = rounding_margins("float32", 4)
    x = np.random.default_rng(7).normal(size=(100, units)) * 10
    point = softmax(Interval(x, x, outward))
    assert (point.upper - point.lower < 1e-5).all()
    np.testing.assert_allclose(point.lower, softmax(x), atol=1e-5)
    wide = softmax(Interval(x - 30, x + 30, outward))
    assert (wide.lower >= 0).all()
    assert (wide.upper <= 1 + outward.relative).all()
