"""Intervals hold exact results, by fractions, and rounded ones, whatever the sizes of numbers are."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.algebra import (
    OPERATIONS,
    ROUNDING,
    Interval,
    IntervalMatrix,
    absolute,
    linear,
    maximum,
    minimum,
    relu,
    sigmoid,
    tanh,
)
from abacist.algebra.intervals import IntervalProduct, IntervalSum
from abacist.algebra.rounding import BOUND_TANH, RoundingMargins, decision_margin, rounding_margins

Array = NDArray[Any]

precisions = pytest.mark.parametrize("precision", ["float32", "float64"])


def _numbers(count: int, precision: str, rng: np.random.Generator) -> Array:
    """Numbers of all sizes, subnormal ones among them; zeros, ones, and small whole numbers."""
    low, high = (-44, 6) if precision == "float32" else (-320, 6)
    sizes = rng.choice([-1, 1], count) * 10.0 ** rng.uniform(low, high, count)
    usual = rng.normal(size=count)
    whole = rng.integers(-2, 3, count)
    kind = rng.integers(0, 4, count)
    return np.choose(kind, [sizes, usual, usual, whole]).astype(precision)


def _intervals(count: int, outward: RoundingMargins, precision: str, rng: np.random.Generator) -> Interval:
    lower, upper = _numbers(count, precision, rng), _numbers(count, precision, rng)
    upper = np.where(rng.random(count) < 0.3, lower, upper)
    near = (lower * (1 + 1e-6)).astype(precision)
    upper = np.where(rng.random(count) < 0.3, near, upper)
    return Interval(np.minimum(lower, upper), np.maximum(lower, upper), outward)


def _holds(found: Interval | IntervalSum | IntervalProduct, exact: list[Fraction], rounded: Array) -> None:
    """Every exact and every rounded value is inside."""
    for place, value in enumerate(exact):
        assert Fraction(float(found.lower[place])) <= value <= Fraction(float(found.upper[place])), place
    assert (found.lower <= rounded).all()
    assert (rounded <= found.upper).all()


def _corners(a: Interval, b: Interval) -> list[tuple[Array, Array]]:
    return [(x, y) for x in (a.lower, a.upper) for y in (b.lower, b.upper)]


@precisions
@pytest.mark.parametrize("seed", range(3))
def test_sums_differences_and_products(precision: str, seed: int) -> None:
    rng, outward = np.random.default_rng(seed), rounding_margins(precision, 2)
    a, b = (_intervals(400, outward, precision, rng) for _ in range(2))
    with np.errstate(under="ignore"):
        for x, y in _corners(a, b):
            pairs = [(Fraction(float(p)), Fraction(float(q))) for p, q in zip(x, y, strict=True)]
            _holds(a + b, [p + q for p, q in pairs], x + y)
            _holds(a - b, [p - q for p, q in pairs], x - y)
            _holds(a * b, [p * q for p, q in pairs], x * y)
            _holds(relu(a) * b, [max(p, Fraction(0)) * q for p, q in pairs], relu(x) * y)
            _holds(b * relu(a), [max(p, Fraction(0)) * q for p, q in pairs], relu(x) * y)
            _holds(1 - a, [1 - p for p, _ in pairs], 1 - x)
            _holds(1 - relu(a), [1 - max(p, Fraction(0)) for p, _ in pairs], 1 - relu(x))
            least = [min(max(p, Fraction(0)), q) for p, q in pairs]
            _holds(
                minimum(relu(a), b) * a,
                [n * p for n, (p, _) in zip(least, pairs, strict=True)],
                np.minimum(relu(x), y) * x,
            )
            _holds(-a, [-p for p, _ in pairs], -x)
            _holds(maximum(a, b), [max(p, q) for p, q in pairs], np.maximum(x, y))
            _holds(minimum(a, b), [min(p, q) for p, q in pairs], np.minimum(x, y))
            _holds(minimum(0.5, a), [min(Fraction(1, 2), p) for p, _ in pairs], np.minimum(0.5, x))
            _holds(absolute(a), [abs(p) for p, _ in pairs], np.abs(x))
    assert (relu(a).lower >= 0).all()
    assert (absolute(a).lower == 0).sum() == ((a.lower <= 0) & (a.upper >= 0)).sum()


@precisions
def test_numbers_that_a_precision_does_not_have(precision: str) -> None:
    """A formula's 0.1 is another number in float32; the interval has both."""
    rng, outward = np.random.default_rng(4), rounding_margins(precision, 2)
    a = _intervals(300, outward, precision, rng)
    for number in (0.1, -0.3, 1e-50, 3.0):
        constant = np.asarray(number, precision)
        with np.errstate(under="ignore"):
            for x in (a.lower, a.upper):
                exact = [Fraction(float(p)) for p in x]
                _holds(number + a, [Fraction(number) + p for p in exact], constant + x)
                _holds(a - number, [p - Fraction(number) for p in exact], x - constant)
                _holds(number * a, [Fraction(number) * p for p in exact], constant * x)
    tenth = np.array([-0.1], precision)
    cancelled = Interval(tenth, tenth, outward) + 0.1
    _holds(cancelled, [Fraction(0.1) - Fraction(float(np.asarray(0.1, precision)))], np.zeros(1, precision))


@precisions
@pytest.mark.parametrize("terms", [1, 3, 17])
def test_affine_maps_in_any_order(precision: str, terms: int) -> None:
    """W·v + b of points, exactly, and added up in random orders, with terms that cancel."""
    rng, outward = np.random.default_rng(terms), rounding_margins(precision, terms + 1)
    for _ in range(60):
        matrix = (rng.normal(size=(4, terms)) * 10.0 ** rng.integers(-3, 4, (4, terms))).astype(precision)
        vector = _intervals(terms, outward, precision, rng)
        bias = _numbers(4, precision, rng)
        within = Interval(bias, bias, outward)
        with np.errstate(under="ignore", over="ignore"):
            found = linear(IntervalMatrix(matrix, np.abs(matrix)), vector) + within
        for chosen in (vector.lower, vector.upper, _mixed(vector, rng)):
            with np.errstate(under="ignore", over="ignore"):
                products = np.concatenate([matrix * chosen, bias[:, None]], axis=1)
                order = rng.permutation(terms + 1)
                rounded = np.zeros(4, precision)
                for term in order:
                    rounded = rounded + products[:, term]
            exact = [
                sum(
                    (Fraction(float(w)) * Fraction(float(v)) for w, v in zip(row, chosen, strict=True)),
                    start=own,
                )
                for row, own in zip(matrix, (Fraction(float(n)) for n in bias), strict=True)
            ]
            _holds(found, exact, rounded)


@precisions
@pytest.mark.parametrize("terms", [8, 40])
def test_a_sum_in_its_worst_order(precision: str, terms: int) -> None:
    """One and many numbers that are each lost when they are added to it, or all added up before."""
    outward, lost = rounding_margins(precision, terms + 1), 0.99 * ROUNDING[precision].unit
    row = np.array([1.0, *[lost] * (terms - 1)], precision)
    for signs in (row, -row):
        matrix, ones = signs[None], np.ones(terms, precision)
        exact = [sum(map(Fraction, map(float, signs)), start=Fraction(0))]
        one = signs[:1]
        for vector in (Interval(ones, ones, outward), Interval(ones, ones.copy(), outward)):
            product = linear(IntervalMatrix(matrix, np.abs(matrix)), vector)
            zero = Interval(np.zeros(1, precision), np.zeros(1, precision), outward)
            for found in (product, product + zero, zero - -product):
                _holds(found, exact, one)
        bias, rest = Interval(one, one, outward), IntervalMatrix(matrix[:, 1:], np.abs(matrix[:, 1:]))
        _holds(linear(rest, Interval(ones[1:], ones[1:], outward)) + bias, exact, one)
        _holds(bias + linear(rest, Interval(ones[1:], ones[1:], outward)), exact, one)
        column = linear(
            IntervalMatrix(one[None], np.ones((1, 1))), Interval(ones[:1], ones[:1], outward, one_hot=True)
        )
        cancelled = (column - bias) + linear(rest, Interval(ones[1:], ones[1:], outward))
        _holds(cancelled, [exact[0] - Fraction(float(one[0]))], np.zeros(1, precision))


@precisions
def test_products_that_underflow_in_a_sum_of_nothing_else(precision: str) -> None:
    """A matrix alone, without a bias: its weights may be so small that they leave nothing of any radius."""
    rng, outward = np.random.default_rng(3), rounding_margins(precision, 2)
    for _ in range(60):
        row, low = (rng.normal(size=2) * float(np.finfo(precision).tiny) ** rng.uniform(0.4, 1) for _ in "ab")
        matrix, values = row.astype(precision)[None], low.astype(precision)
        vector = Interval(values, values.copy(), outward)
        with np.errstate(under="ignore"):
            product = linear(IntervalMatrix(matrix, np.abs(matrix)), vector)
            rounded = (matrix * values).sum(axis=1)
            pairs = zip(map(float, matrix[0]), map(float, values), strict=True)
            exact = sum((Fraction(w) * Fraction(v) for w, v in pairs), start=Fraction(0))
            zero = np.zeros(1, precision)
            _holds(product, [exact], rounded)
            for nothing in (Interval(zero, zero, outward), Interval(zero, zero.copy(), outward)):
                _holds(product + nothing, [exact], rounded)
            _holds(product + product, [2 * exact], 2 * rounded)
            _holds(-product, [-exact], -rounded)
            _holds(relu(product), [max(exact, Fraction(0))], np.maximum(rounded, 0))


def _mixed(vector: Interval, rng: np.random.Generator) -> Array:
    return np.asarray(np.where(rng.random(len(vector.lower)) < 0.5, vector.lower, vector.upper))


@precisions
def test_a_point_and_a_thin_box_are_mapped_alike(precision: str) -> None:
    """What is known to have one value is not given more room than what only happens to."""
    rng, outward = np.random.default_rng(9), rounding_margins(precision, 4)
    matrix = IntervalMatrix(signed := rng.normal(size=(3, 3)), np.abs(signed))
    values = rng.normal(size=3)
    point, thin = Interval(values, values, outward), Interval(values, values.copy(), outward)
    for side in ("lower", "upper"):
        left, right = (getattr(linear(matrix, vector), side) for vector in (point, thin))
        np.testing.assert_allclose(left, right, rtol=1e-12)


@precisions
def test_activations_hold_whatever_keeps_the_promise(precision: str) -> None:
    """A program may be off by the promise, and so may be the one that computes the bounds."""
    promise, outward = ROUNDING[precision], rounding_margins(precision, 2)
    x = np.linspace(-45, 45, 9_001).astype(precision).astype(np.float64)
    for function, least in ((sigmoid, 0.0), (tanh, -1.0)):
        error, value = promise.activation[function.name], function(x.astype(np.longdouble))
        found = function(Interval(x, x.copy(), outward))
        own = BOUND_TANH[precision] if function is tanh else error
        own = own if precision == "float32" else 0.0  # in float64 these bounds are off by so much themselves
        assert (found.lower <= np.maximum(value - error - own, least)).all()
        assert (found.upper >= np.minimum(value + error + own, 1.0)).all()
        assert (found.lower >= least).all()
        assert (found.upper <= 1 + (function is sigmoid) * 4 * promise.unit).all()


@precisions
def test_a_sum_beyond_the_margin_is_decided_by_every_program(precision: str) -> None:
    margin, error = decision_margin(precision), ROUNDING[precision].activation["sigmoid"]
    assert sigmoid(np.array([margin]))[0] - error > 0.5
    assert sigmoid(np.array([-margin]))[0] + error < 0.5


def test_what_has_no_reading_is_refused() -> None:
    outward = rounding_margins("float32", 2)
    one = Interval(np.ones(2), np.ones(2), outward)
    with pytest.raises(TypeError, match=r"^where_positive has no reading for Interval$"):
        OPERATIONS["where_positive"](one, one)
    with pytest.raises(TypeError, match=r"^linear needs a matrix and a vector of one reading$"):
        linear(np.ones((2, 2)), one)


def _roomy(values: Array, outward: RoundingMargins, precision: str, rng: np.random.Generator) -> Interval:
    """The narrowest interval that holds values of gates and the room for products, or a wider one."""
    exact = values.astype(np.longdouble)
    room = 4 * ROUNDING[precision].unit * exact
    lower, upper = ((exact + sign * room).astype(precision) for sign in (-1, 1))
    lower = np.where(lower > exact - room, np.nextafter(lower, lower.dtype.type(-1)), lower)
    upper = np.where(upper < exact + room, np.nextafter(upper, upper.dtype.type(2)), upper)
    wide = rng.random(len(values)) < 0.3
    lower = np.where(wide, lower * rng.random(len(values)).astype(precision), lower)
    return Interval(np.maximum(lower, 0), upper, outward, nonnegative=True, product_safe=True)


def _rounded(exact: Fraction, precision: str) -> Any:
    """A fraction, rounded once."""
    kind = np.dtype(precision).type
    near = kind(float(exact))  # which may be rounded twice, so its neighbours are asked, too
    nearby = (np.nextafter(near, kind(-np.inf)), near, np.nextafter(near, kind(np.inf)))
    return min(nearby, key=lambda own: abs(Fraction(float(own)) - exact))


@precisions
@pytest.mark.parametrize("seed", range(3))
def test_products_with_gates_and_sums_of_two(precision: str, seed: int) -> None:
    """Exact, rounded after every operation, and with either product fused into the sum."""
    rng, outward = np.random.default_rng(seed), rounding_margins(precision, 2)
    gates = [np.abs(_numbers(300, precision, rng)).clip(0, 1) for _ in range(2)]
    one, other = (_roomy(values, outward, precision, rng) for values in gates)
    a, b = (_intervals(300, outward, precision, rng) for _ in range(2))
    with np.errstate(under="ignore"):
        product, total = a * one, one * a + b * other
        for x, y in _corners(a, b):
            f, c, i, g = ([Fraction(float(n)) for n in own] for own in (gates[0], x, gates[1], y))
            exact = [p * q for p, q in zip(f, c, strict=True)]
            second = [p * q for p, q in zip(i, g, strict=True)]
            first_rounded, second_rounded = gates[0] * x, gates[1] * y
            _holds(product, exact, first_rounded)
            _holds(-one * a, [-p for p in exact], -first_rounded)
            plain = [p + q for p, q in zip(exact, g, strict=True)]
            _holds(one * a + b, plain, first_rounded + y)
            thrice = [p * q for p, q in zip(exact, g, strict=True)]
            _holds(one * a * b, thrice, first_rounded * y)
            _holds(total, [p + q for p, q in zip(exact, second, strict=True)], first_rounded + second_rounded)
            for own, rest in ((exact, second_rounded), (second, first_rounded)):
                fused = [_rounded(p + Fraction(float(q)), precision) for p, q in zip(own, rest, strict=True)]
                assert (total.lower <= fused).all()
                assert (fused <= total.upper).all()


@precisions
def test_a_product_with_a_gate_needs_no_room_of_its_own(precision: str) -> None:
    """What programs can make of it lies within a few units of its bounds: it is sharp, too."""
    outward, unit = rounding_margins(precision, 2), ROUNDING[precision].unit
    x = np.linspace(-30, 30, 601).astype(precision)
    gate, c = sigmoid(Interval(x, x.copy(), outward)), np.full(601, 3.0, precision)
    found = gate * Interval(c, c, outward)
    assert ((found.upper - found.lower) <= 3 * (gate.upper - gate.lower) + 8 * unit).all()


@precisions
def test_bounds_of_gates_have_room_for_products(precision: str) -> None:
    """With every value, also that and five units of it; four where it may be 1, and none below 0.

    The bounds' own functions may be off as far as a program's, and moving them outwards is rounded.
    """
    unit, error = ROUNDING[precision].unit, ROUNDING[precision].activation["sigmoid"]
    own = error if precision == "float32" else 0.0  # in float64 these bounds are off by so much themselves
    x = np.linspace(-45, 45, 9_001)
    gate = sigmoid(Interval(x, x.copy(), rounding_margins(precision, 2)))
    for by in (-error, 0.0, error):
        value = np.clip(sigmoid(x.astype(np.longdouble)) + by, 0, 1)
        room = own + 5 * unit * value + unit / 2
        assert (gate.lower <= np.maximum(value - room, 0)).all()
        assert (gate.upper >= np.minimum(value + room, 1 + 4 * unit)).all()


@precisions
def test_sums_with_gates_that_are_open_or_shut(precision: str) -> None:
    """Where a gate is 1, or 1 less a gate is, its bounds leave room all the same."""
    rng, outward = np.random.default_rng(5), rounding_margins(precision, 2)
    count, far = 4_000, np.full(4_000, 60.0, precision)
    one, other = (sigmoid(Interval(far, far.copy(), outward)) for _ in range(2))
    shut, half = sigmoid(Interval(-far, -far, outward)), sigmoid(Interval(0 * far, 0 * far, outward))
    c, g = (rng.uniform(1, 2, count).astype(precision) * rng.choice([-1, 1], count) for _ in range(2))
    c, g = c.astype(precision), g.astype(precision)
    a, b = Interval(c, c.copy(), outward), Interval(g, g.copy(), outward)
    pairs = [(Fraction(float(p)), Fraction(float(q))) for p, q in zip(c, g, strict=True)]
    with np.errstate(under="ignore"):
        _holds(one * a + other * b, [p + q for p, q in pairs], c + g)
        _holds((1 - shut) * a + half * b, [p + q / 2 for p, q in pairs], c + g / 2)
        _holds(2 - one, [Fraction(1)] * count, np.ones(count, precision))
        _holds((1 - shut) * a + (1 - shut) * b, [p + q for p, q in pairs], c + g)


@precisions
def test_one_less_a_gate(precision: str) -> None:
    """Exact and rounded; and no product with it takes it for less than 0, which it is not."""
    rng, outward = np.random.default_rng(6), rounding_margins(precision, 2)
    x = np.concatenate([rng.normal(size=300) * 6, np.linspace(-50, 50, 101)]).astype(precision)
    gate = sigmoid(Interval(x, x.copy(), outward))
    error = ROUNDING[precision].activation["sigmoid"]
    exact = sigmoid(x.astype(np.longdouble))
    b = _intervals(len(x), outward, precision, rng)
    for by in (-error, 0.0, error):
        value = np.clip(exact + by, 0, 1).astype(precision)
        found, wanted = 1 - gate, [1 - Fraction(float(v)) for v in value]
        _holds(found, wanted, 1 - value)
        for y in (b.lower, b.upper):
            pairs = zip(wanted, (Fraction(float(p)) for p in y), strict=True)
            with np.errstate(under="ignore"):
                _holds(found * b, [p * q for p, q in pairs], (1 - value) * y)
