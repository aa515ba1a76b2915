"""Parts, repeated units and sums mean what plain loops say, and send back what they must."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from abacist.algebra import OPERATIONS, Symbol, leaf, part, repeat, segment_sum
from abacist.errors import BadInput
from tests.compiler.interpreter import Interpreter

Array = NDArray[Any]

numbers = st.floats(-10, 10).map(lambda value: round(value, 3))
vectors = st.lists(numbers, min_size=1, max_size=7).map(np.array)

#: Operations with a vector and sizes that fit it: parts of any kind, rows and columns repeated and summed.
parts = st.builds(
    lambda x, size, first: (part, x, (size, first)), vectors, st.integers(1, 9), st.integers(-9, 9)
)
spreads = st.builds(
    lambda x, times, rows: (repeat, x, (times * len(x), times if rows else 1)),
    vectors,
    st.integers(1, 4),
    st.booleans(),
)
totals = st.builds(
    lambda x, times, rows: (segment_sum, np.tile(x, times), (len(x), times if rows else 1)),
    vectors,
    st.integers(1, 4),
    st.booleans(),
)
any_of_them = st.one_of(parts, spreads, totals)


def by_hand(name: str, x: Array, sizes: tuple[int, int]) -> list[float]:
    """Unit by unit."""
    size, number = sizes
    if name == "part":
        return [float(x[n]) if 0 <= n < len(x) else 0.0 for n in range(number, number + size)]
    if name == "repeat":
        return [float(x[(n // number) % len(x)]) for n in range(size)]
    return [float(sum(x[n] for n in range(len(x)) if n // number % size == unit)) for unit in range(size)]


@given(any_of_them)
def test_they_mean_what_loops_say_in_every_reading(case: tuple[Any, Array, tuple[int, int]]) -> None:
    operation, x, sizes = case
    expected = by_hand(operation.name, x, sizes)
    np.testing.assert_allclose(operation(x, *sizes), expected, atol=1e-12)
    both = operation(np.stack([x, 2 * x]), *sizes)
    np.testing.assert_allclose(both, [expected, [2 * value for value in expected]], atol=1e-12)
    given_one = leaf("state", len(x), 0)
    symbol = operation(given_one, *sizes)
    assert symbol.size == sizes[0]
    np.testing.assert_allclose(Interpreter({}, {given_one: x})[symbol], expected, atol=1e-12)


@given(any_of_them, st.integers(0, 99))
def test_what_they_send_back_is_their_adjoint(case: tuple[Any, Array, tuple[int, int]], seed: int) -> None:
    """d·A(x) = A′(d)·x, since they are linear."""
    operation, x, sizes = case
    d = np.random.default_rng(seed).normal(size=sizes[0])
    (sent,) = operation.derivative(d, operation(x, *sizes), x, *sizes)
    assert sent.shape == x.shape
    np.testing.assert_allclose(d @ operation(x, *sizes), sent @ x, atol=1e-9)


def test_units_may_begin_anew_and_not_come_to_their_end() -> None:
    """It has no adjoint: sums are of whole rows and columns."""
    x = leaf("state", 4, 0)
    some = repeat(x, 7, 1)
    assert Interpreter({}, {x: np.arange(4.0)})[some].tolist() == [0, 1, 2, 3, 0, 1, 2]
    with pytest.raises(BadInput, match="segment_sum needs"):
        segment_sum(some, 4, 1)


def test_nothing_is_computed_where_nothing_changes() -> None:
    x = leaf("state", 4, 0)
    assert part(x, 4, 0) is repeat(x, 4, 1) is segment_sum(x, 4, 1) is x


def test_a_single_unit_is_the_same_for_all() -> None:
    one, x = leaf("state", 1, 0), leaf("state", 3, 1)
    for grown in (one * x, x / one, one - x):
        assert grown.size == 3
        assert sorted(own.operation for own in grown.arguments) == ["repeat", "state"]
    product: Symbol = 2.0 * one * x
    known = {one: np.array([3.0]), x: np.array([1.0, 2.0, 3.0])}
    assert Interpreter({}, known)[product].tolist() == [6.0, 12.0, 18.0]


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("repeat", (7, 2)),
        ("repeat", (2, 1)),
        ("segment_sum", (3, 1)),
        ("segment_sum", (2, 3)),
        ("segment_sum", (8, 1)),
    ],
)
def test_sizes_that_do_not_fit_are_refused(name: str, sizes: tuple[int, int]) -> None:
    with pytest.raises(BadInput, match=f"^{name} (needs|cannot)"):
        OPERATIONS[name](leaf("state", 4, 0), *sizes)
