"""The functions of a vector of lanes against NumPy, over all magnitudes, each lane alone."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from numpy.typing import NDArray

from abacist.algebra import ROUNDING
from abacist.targets.numba.judging_vectors import load as load_judging
from abacist.targets.numba.lane_functions import (
    absolute,
    at_least,
    at_most,
    greatest_product,
    least_product,
    maximum,
    minimum,
    relu,
    root,
    sigmoid,
    sigmoid_times_tanh,
    tanh,
)
from abacist.targets.numba.lane_memory import aligned, load, store
from abacist.targets.numba.stepping_vectors import load as load_stepping
from abacist.targets.numba.widths import JUDGING_REGISTERS, LANES, REGISTERS, STEPPING_REGISTERS

Array = NDArray[Any]

# mypy takes them for functions of more arguments
_load, _store, _product = cast(Any, load), cast(Any, store), cast(Any, sigmoid_times_tanh)
_least_product, _greatest_product = (cast(Any, f) for f in (least_product, greatest_product))
_minimum, _maximum, _at_most, _at_least = (cast(Any, f) for f in (minimum, maximum, at_most, at_least))


def _every_function(read: Any) -> Any:
    """The compiled function that writes sigmoid, tanh, ReLU and root of vectors that are read so."""

    def compute(values: Any, results: Any, count: int) -> None:
        for n in range(count):
            value: Any = read(values, n)
            _store(results, 4 * n, sigmoid(value))
            _store(results, 4 * n + 1, tanh(value))
            _store(results, 4 * n + 2, relu(value))
            _store(results, 4 * n + 3, root(value))

    return njit(compute)


def _every_product(left: Any, right: Any, results: Any, count: int) -> None:
    for n in range(count):
        x: Any = _load(left, n)
        y: Any = _load(right, n)
        _store(results, n, _product(x, y))


def _every_comparison(left: Any, right: Any, results: Any, count: int) -> None:
    for n in range(count):
        x: Any = _load(left, n)
        y: Any = _load(right, n)
        _store(results, 5 * n, _minimum(x, y))
        _store(results, 5 * n + 1, _maximum(x, y))
        _store(results, 5 * n + 2, absolute(x))
        _store(results, 5 * n + 3, _at_most(x, y))
        _store(results, 5 * n + 4, _at_least(x, y))


def _every_extreme_product(a: Any, b: Any, x: Any, s: Any, results: Any, count: int) -> None:
    for n in range(count):
        _store(results, 2 * n, _least_product(_load(a, n), _load(b, n), _load(x, n), _load(s, n)))
        _store(results, 2 * n + 1, _greatest_product(_load(a, n), _load(b, n), _load(x, n), _load(s, n)))


_all_products: Any = njit(_every_product)
_all_extreme_products: Any = njit(_every_extreme_product)
_all_comparisons: Any = njit(_every_comparison)
_all_four = {
    1: _every_function(_load),
    STEPPING_REGISTERS: _every_function(load_stepping),
    JUDGING_REGISTERS: _every_function(load_judging),
}


def all_four(values: Array, precision: str, *, registers: int = 1) -> Array:
    """Sigmoid, tanh, ReLU and root of values, (function, value)."""
    lanes = registers * LANES[precision]
    count = -(-len(values) // lanes)
    room, results = aligned((count * lanes,), precision), aligned((count * 4 * lanes,), precision)
    with np.errstate(over="ignore"):
        room[: len(values)] = values
    _all_four[registers](room, results, count)
    return np.asarray(results.reshape(count, 4, lanes).swapaxes(0, 1).reshape(4, -1)[:, : len(values)])


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
def test_over_a_wide_grid(precision: str) -> None:
    near = np.linspace(-100, 100, 40_001)
    magnitudes = 10.0 ** np.linspace(-37, 37, 2_001)
    agrees(np.concatenate((near, magnitudes, -magnitudes, near / 1e3)), precision)


@precisions
def test_sigmoid_keeps_its_relative_precision_where_it_is_small(precision: str) -> None:
    values = np.linspace(-39, 0, 5_001).astype(precision)
    np.testing.assert_allclose(
        all_four(values, precision)[0], expected(values)[0], rtol=10 * TOLERANCE[precision]
    )


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


@precisions
def test_what_is_exact_by_hand_is_exact(precision: str) -> None:
    found = all_four(np.zeros(1, precision), precision)[:, 0]
    assert found.tolist() == [0.5, 0.0, 0.0, 0.0]


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
    rooms = [aligned((len(left),), precision) for _ in range(3)]
    rooms[0][:], rooms[1][:] = left, right
    _all_products(*rooms, len(left) // LANES[precision])
    wanted = expected(left)[0] * expected(right)[1]
    np.testing.assert_allclose(rooms[2], wanted, rtol=0, atol=2 * TOLERANCE[precision])


@precisions
def test_extreme_products_are_those_of_numpy(precision: str) -> None:
    """Exactly, for such factors as the bounds of gates are.

    What is NaN on any side leaves at least one NaN: the lower bound if the lower factor is, or the upper.
    """
    gates = [0.0, 1e-42, 0.3, 0.5, 1.0, np.nan]
    values = [-np.inf, -2.5, -1e-42, -0.0, 0.0, 1e-42, 2.5, np.inf, np.nan]
    added = [0.0, -4.0, np.nan]
    a, b, x, s = (side.ravel() for side in np.meshgrid(gates, gates, values, added))
    lanes = LANES[precision]
    count = -(-len(a) // lanes)
    rooms = [aligned((count * lanes,), precision) for _ in range(4)]
    for room, side in zip(rooms, (a, b, x, s), strict=True):
        room[: len(a)] = side
    results = aligned((count, 2, lanes), precision)
    _all_extreme_products(*rooms, results.ravel(), count)
    found = results.swapaxes(0, 1).reshape(2, -1)[:, : len(a)]
    wild = np.isnan(x) | np.isnan(s)
    assert np.isnan(found[:, wild]).all()
    assert np.isnan(found[0, np.isnan(a)]).all()
    assert np.isnan(found[1, np.isnan(b)]).all()
    wild |= np.isnan(a) | np.isnan(b)
    a, b, x, s = (room[: len(a)][~wild].astype(np.float64) for room in rooms)
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
    lanes = LANES[precision]
    count = -(-len(left) // lanes)
    rooms = [aligned((count * lanes,), precision) for _ in range(2)]
    rooms[0][: len(left)], rooms[1][: len(left)] = left, right
    results = aligned((count * 5 * lanes,), precision)
    _all_comparisons(*rooms, results, count)
    found = results.reshape(count, 5, lanes).swapaxes(0, 1).reshape(5, -1)[:, : len(left)]
    wanted = [np.minimum(left, right), np.maximum(left, right), np.abs(left)]
    np.testing.assert_array_equal(found[:3], wanted)
    numbers = ~np.isnan(left)  # which these two want first
    np.testing.assert_array_equal(found[3:, numbers], np.array(wanted)[:2, numbers])


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
    count = len(left) // LANES[precision]
    left, right = left[: count * LANES[precision]], right[: count * LANES[precision]]
    rooms = [aligned((len(left),), precision) for _ in range(3)]
    rooms[0][:], rooms[1][:] = left, right
    _all_products(*rooms, count)
    exact_left, exact_right = left.astype(np.longdouble), right.astype(np.longdouble)
    s, t = 1 / (1 + np.exp(-exact_left)), np.abs(np.tanh(exact_right))
    errors = promise.activation["sigmoid"], promise.activation["tanh"]
    twice, found = (1 + np.longdouble(promise.unit)) ** 2, np.abs(rooms[2]).astype(np.longdouble)
    least = np.maximum(s - errors[0], 0) * np.maximum(t - errors[1], 0) / twice
    most = np.minimum(s + errors[0], 1) * np.minimum(t + errors[1], 1) * twice
    assert (least - promise.smallest <= found).all()
    assert (found <= most + promise.smallest).all()
    assert (np.sign(rooms[2]) * np.sign(right) >= 0).all()


@precisions
def test_registers_side_by_side_compute_what_each_would_alone(precision: str) -> None:
    values = np.concatenate((np.linspace(-45, 45, 1_001), [np.inf, -np.inf, np.nan, 1e30])).astype(precision)
    with np.errstate(invalid="ignore"):
        alone, *others = (all_four(values, precision, registers=n) for n in REGISTERS)
    assert all(wide.tobytes() == alone.tobytes() for wide in others)


@precisions
def test_a_lane_does_not_depend_on_its_neighbours(precision: str) -> None:
    lanes = LANES[precision]
    value = np.array([0.7], precision)
    alone = all_four(value, precision)[:, 0]
    for place in range(lanes):
        wild = np.where(np.arange(lanes) % 2, np.nan, np.inf).astype(precision)
        wild[place] = value[0]
        assert all_four(wild, precision)[:, place].tobytes() == alone.tobytes()
