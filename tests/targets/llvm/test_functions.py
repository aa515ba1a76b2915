"""The functions of a vector of lanes against NumPy, over all magnitudes, each lane alone."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from abacist import algebra
from abacist.algebra import ROUNDING, SIGMOID_TIMES_TANH
from abacist.targets.llvm import JUDGING_REGISTERS, LANES, STEPPING_REGISTERS
from abacist.targets.llvm.bounds import OPERATIONS
from abacist.targets.llvm.vectors import Vectors
from tests.targets.llvm.compiled import Operation, applied

Array = NDArray[Any]


def operations(*names: str) -> tuple[Operation, ...]:
    return tuple(OPERATIONS[name] for name in names)


#: Numbers that an extreme of a value and a constant is taken of.
CONSTANTS = (-2.5, -0.0, 0.0, 1.0)


def all_four(values: Array, precision: str, *, registers: int = 1) -> Array:
    """Sigmoid, tanh, ReLU and root of values, (function, value)."""
    return applied(operations("sigmoid", "tanh", "relu", "sqrt"), precision, values, registers=registers)


def product(left: Array, right: Array, precision: str) -> Array:
    """The sigmoids of some values times the tanhs of others, with one division."""
    (found,) = applied(operations("sigmoid_times_tanh"), precision, left, right)
    return np.asarray(found)


def expected(values: Array) -> Array:
    with np.errstate(all="ignore"):
        x = values.astype(np.float64)
        s = np.where(x < 0, np.exp(x) / (1 + np.exp(x)), 1 / (1 + np.exp(-x)))
        s = np.where(x < -700, 0.0, s)
        return np.array([s, np.tanh(x), np.where(np.isnan(x), x, np.maximum(x, 0)), np.sqrt(x)])


#: Absolute; sigmoid and tanh are sums with one, so small results keep an absolute error.
TOLERANCE = {"float32": 2.5e-7, "float64": 3e-15}

precisions = pytest.mark.parametrize("precision", ["float32", "float64"])


def agrees(values: Array, precision: str) -> None:
    with np.errstate(over="ignore"):
        values = values.astype(precision)
    found, wanted = all_four(values, precision), expected(values)
    np.testing.assert_allclose(found[0], wanted[0], rtol=0, atol=TOLERANCE[precision])
    np.testing.assert_allclose(found[1], wanted[1], rtol=0, atol=TOLERANCE[precision])
    np.testing.assert_array_equal(found[2], wanted[2])
    np.testing.assert_array_equal(found[3], wanted[3].astype(precision))


@precisions
def test_at_the_ends_and_beyond(precision: str) -> None:
    values = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 80.0, -80.0, 1e30, -1e30], precision)
    with np.errstate(invalid="ignore"):
        found = all_four(values, precision)
    np.testing.assert_allclose(found[0], [1, 0, np.nan, 0.5, 0.5, 1, 0, 1, 0], atol=1e-17)
    np.testing.assert_allclose(found[1], [1, -1, np.nan, 0, 0, 1, -1, 1, -1], atol=TOLERANCE[precision])
    np.testing.assert_array_equal(found[1][5:], [1, -1, 1, -1])
    np.testing.assert_array_equal(found[2][:5], [np.inf, 0, np.nan, 0, 0])
    np.testing.assert_array_equal(found[3][:5], [np.inf, np.nan, np.nan, 0, 0])


@settings(max_examples=60)
@given(
    st.sampled_from(["float32", "float64"]),
    st.lists(st.floats(width=32, allow_infinity=True, allow_nan=True), min_size=1, max_size=40),
)
def test_any_values_side_by_side(precision: str, values: list[float]) -> None:
    agrees(np.array(values), precision)


@precisions
def test_a_product_with_one_division_is_the_product(precision: str) -> None:
    values = np.array(
        [-np.inf, -1e30, -40, -20.5, -3, -1e-5, 0, 1e-9, 0.3, 2, 19, 21, 39, 41, 1e30, np.nan], precision
    )
    left, right = (side.ravel() for side in np.meshgrid(values, values))
    wanted = expected(left)[0] * expected(right)[1]
    np.testing.assert_allclose(product(left, right, precision), wanted, rtol=0, atol=2 * TOLERANCE[precision])


@precisions
def test_extreme_products_are_those_of_numpy(precision: str) -> None:
    """Exactly, for such factors as the bounds of gates are.

    What is NaN on any side leaves at least one NaN: the lower bound if the lower factor is, or the upper.
    """
    gates = [0.0, 1e-42, 0.3, 0.5, 1.0, np.nan]
    values = [-np.inf, -2.5, -1e-42, -0.0, 0.0, 1e-42, 2.5, np.inf, np.nan]
    added = [0.0, -4.0, np.nan]
    sides = [side.ravel().astype(precision) for side in np.meshgrid(gates, gates, values, added)]
    found = applied(operations("least_product", "greatest_product"), precision, *sides)
    a, b, x, s = (side.astype(np.float64) for side in sides)
    wild = np.isnan(x) | np.isnan(s)
    assert np.isnan(found[:, wild]).all()
    assert np.isnan(found[0, np.isnan(a)]).all()
    assert np.isnan(found[1, np.isnan(b)]).all()
    wild |= np.isnan(a) | np.isnan(b)
    a, b, x, s = (side[~wild] for side in (a, b, x, s))
    with np.errstate(invalid="ignore"):
        sums = np.array([a * x, b * x]) + s
    whole = ~np.isnan(sums).any(axis=0)  # 0 · ∞: a bound that is a number, if one of them is, or NaN
    for own, wanted in zip(found, (sums.min(axis=0), sums.max(axis=0)), strict=True):
        np.testing.assert_array_equal(own[~wild][whole], wanted[whole].astype(precision))


@precisions
def test_the_smaller_the_larger_and_the_absolute_value_are_those_of_numpy(precision: str) -> None:
    """Exactly; what is NaN on either side stays NaN, so that no bound comes out of none."""
    values = np.array([-np.inf, -2.5, -1e-42, -0.0, 0.0, 1e-42, 2.5, np.inf, np.nan], precision)
    left, right = (side.ravel() for side in np.meshgrid(values, values))
    found = applied(operations("minimum", "maximum"), precision, left, right)
    np.testing.assert_array_equal(found, [np.minimum(left, right), np.maximum(left, right)])
    (sizes,) = applied(operations("absolute"), precision, values)
    np.testing.assert_array_equal(sizes, np.abs(values))


def with_constant(name: str, number: float, *, first: bool) -> Operation:
    """An extreme of a value and a constant, in either order."""

    def extreme(v: Vectors, x: Any) -> Any:
        both = (v.constant(number), x) if first else (x, v.constant(number))
        return OPERATIONS[name](v, *both)

    return extreme


@precisions
@pytest.mark.parametrize("first", [True, False])
def test_extremes_with_constants_are_those_of_numpy(precision: str, first: bool) -> None:
    """These need fewer instructions, since a constant is not NaN; what is NaN stays NaN."""
    values = np.array([-np.inf, -2.5, -1e-42, -0.0, 0.0, 1e-42, 1.0, 2.5, np.inf, np.nan], precision)
    for name, wanted in (("minimum", np.minimum), ("maximum", np.maximum)):
        found = applied(tuple(with_constant(name, c, first=first) for c in CONSTANTS), precision, values)
        np.testing.assert_array_equal(found, [wanted(values, c) for c in CONSTANTS])


@precisions
def test_a_value_counts_only_where_another_is_positive(precision: str) -> None:
    """Where the other is NaN, zero stands there: its loss is NaN already."""
    values = np.array([-np.inf, -2.5, -0.0, 0.0, 1e-42, 2.5, np.inf, np.nan], precision)
    left, right = (side.ravel() for side in np.meshgrid(values, values))
    (found,) = applied(operations("where_positive"), precision, left, right)
    np.testing.assert_array_equal(found, np.where(left > 0, right, 0))


@precisions
def test_one_division_is_a_sigmoid_times_a_tanh_that_keep_their_promise_rounded_twice(precision: str) -> None:
    """σ′·τ′ with |σ′ − σ| and |τ′ − τ| within the promise: small factors make the error small.

    σ and τ are exact to 64 bits here.
    """
    promise, rng = ROUNDING[precision], np.random.default_rng(3)
    ends = np.array([-45, -20, -9, -1e-6, 0, 1e-9, 9, 17, 20, 40])
    sides = [
        np.concatenate(
            [rng.uniform(-45, 45, 120), rng.uniform(-3, 3, 120), 10.0 ** rng.uniform(-9, 1, 100), ends]
        )
        for _ in range(2)
    ]
    left, right = (side.ravel().astype(precision) for side in np.meshgrid(*sides))
    values = product(left, right, precision)
    exact_left, exact_right = left.astype(np.longdouble), right.astype(np.longdouble)
    s, t = 1 / (1 + np.exp(-exact_left)), np.abs(np.tanh(exact_right))
    errors = promise.activation["sigmoid"], promise.activation["tanh"]
    twice, found = (1 + np.longdouble(promise.unit)) ** 2, np.abs(values).astype(np.longdouble)
    least = np.maximum(s - errors[0], 0) * np.maximum(t - errors[1], 0) / twice
    most = np.minimum(s + errors[0], 1) * np.minimum(t + errors[1], 1) * twice
    assert (least - promise.smallest <= found).all()
    assert (found <= most + promise.smallest).all()
    assert (np.sign(values) * np.sign(right) >= 0).all()


def operands(name: str) -> int:
    """The number of operands of an operation."""
    return len(inspect.signature(OPERATIONS[name]).parameters) - 1


def every_operation(precision: str, *sides: Array, registers: int = 1) -> dict[str, Array]:
    """All operations of as many operands as they have, by name."""
    by_count: dict[int, list[str]] = {}
    for name in OPERATIONS:
        by_count.setdefault(operands(name), []).append(name)
    found: dict[str, Array] = {}
    for count, names in by_count.items():
        values = applied(operations(*names), precision, *sides[:count], registers=registers)
        found |= dict(zip(names, values, strict=True))
    return found


@precisions
def test_operations_are_those_of_the_algebra(precision: str) -> None:
    rng, error = np.random.default_rng(4), 20 * float(np.finfo(precision).eps)
    sides = [rng.normal(size=1_000, scale=3.0).astype(precision) for _ in range(4)]
    for name, values in every_operation(precision, *sides).items():
        if name != SIGMOID_TIMES_TANH:
            exact = [side.astype(np.float64) for side in sides[: operands(name)]]
            with np.errstate(invalid="ignore"):
                wanted = algebra.OPERATIONS[name].arrays(*exact)
            np.testing.assert_allclose(values, wanted, rtol=error, atol=error, err_msg=name)


@precisions
def test_registers_side_by_side_compute_what_each_would_alone(precision: str) -> None:
    values = np.concatenate((np.linspace(-45, 45, 1_001), [np.inf, -np.inf, np.nan, 1e30])).astype(precision)
    sides = [np.random.default_rng(n).permutation(values) for n in range(4)]
    alone, *others = (
        every_operation(precision, *sides, registers=n) for n in (1, STEPPING_REGISTERS, JUDGING_REGISTERS)
    )
    for wide in others:
        for name, own in wide.items():
            assert own.tobytes() == alone[name].tobytes(), name


@precisions
def test_a_lane_does_not_depend_on_its_neighbours(precision: str) -> None:
    lanes = LANES[precision]
    value = np.array([0.7], precision)
    alone = all_four(value, precision)[:, 0]
    for place in range(lanes):
        wild = np.where(np.arange(lanes) % 2, np.nan, np.inf).astype(precision)
        wild[place] = value[0]
        assert all_four(wild, precision)[:, place].tobytes() == alone.tobytes()
