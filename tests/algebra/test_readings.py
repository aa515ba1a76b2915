"""A reading of your own: dual numbers, which no cell knows of, differentiate every cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.algebra import OPERATIONS, Operation, linear, register, sigmoid, softmax
from abacist.algebra.operations import Operators
from abacist.algebra.symbols import leaf
from abacist.cells import KNOWN, Cell
from abacist.engine.reference import array_parts
from tests.cells.toys import TOYS
from tests.engine.cases import layout_of, random_networks

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Dual(Operators):
    """A value, and its slope in some direction."""

    value: Array
    slope: Array

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.shape


def read(operation: Operation, arguments: Sequence[Any]) -> Dual:
    """Any operation on dual numbers, by its record alone."""
    if operation is linear:
        matrix, vector = arguments
        return Dual(operation.arrays(matrix, vector.value), operation.arrays(matrix, vector.slope))
    if not operation.elementwise:  # linear, too
        vector, *sizes = arguments
        return Dual(operation.arrays(vector.value, *sizes), operation.arrays(vector.slope, *sizes))
    assert operation.derivative is not None
    values = [a.value if isinstance(a, Dual) else a for a in arguments]
    result = operation.arrays(*values)
    slope = np.zeros_like(result)
    for place, argument in enumerate(arguments):
        if isinstance(argument, Dual):
            slope = slope + operation.derivative(argument.slope, result, *values)[place]
    return Dual(result, slope)


register(Dual, read)


@pytest.mark.parametrize("cell", [*KNOWN.values(), *TOYS.values()], ids=lambda cell: cell.name)
def test_every_cell_is_differentiated_by_dual_numbers_beside_plain_weights(cell: Cell) -> None:
    networks = random_networks(layout_of(cell, 3), 1, seed=1, scale=1.5)
    layout, part = networks.layout, array_parts(networks, 0)
    weights, rng = layout.weights(part), np.random.default_rng(7)
    x = np.eye(layout.inputs)[1]
    at = [rng.normal(size=size) for size in layout.state_sizes]
    along = [rng.normal(size=size) for size in layout.state_sizes]

    def moved(step: float) -> tuple[Array, ...]:
        return cell.advance(weights, x, tuple(a + step * d for a, d in zip(at, along, strict=True)))

    found = cell.advance(weights, x, tuple(Dual(a, d) for a, d in zip(at, along, strict=True)))
    for state, value, up, down in zip(found, moved(0.0), moved(1e-6), moved(-1e-6), strict=True):
        if isinstance(state, Dual):
            np.testing.assert_allclose(state.value, value, rtol=1e-12)
            np.testing.assert_allclose(state.slope, (up - down) / 2e-6, rtol=1e-6, atol=1e-8)
    assert any(isinstance(state, Dual) for state in found)


def test_what_has_no_reading_is_refused() -> None:
    with pytest.raises(TypeError, match="sigmoid has no reading for list"):
        sigmoid([1.0])
    with pytest.raises(TypeError, match=r"^part has no reading for list$"):
        softmax([0.0, 1.0])
    with pytest.raises(TypeError, match="sigmoid takes 1 value, got 2"):
        sigmoid(np.zeros(1), np.zeros(1))
    both = OPERATIONS["where_positive"]
    with pytest.raises(TypeError, match="where_positive cannot mix Symbol and Dual"):
        both(leaf("input", 1), Dual(np.zeros(1), np.ones(1)))
