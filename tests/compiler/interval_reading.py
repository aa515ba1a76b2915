"""Steps of many networks at once, read with NumPy: of states in float64, and of boxes of states.

Arrays are (network, place, unit), and the weights have an axis for places, too.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import Interval, IntervalMatrix
from abacist.algebra.rounding import rounding_margins
from abacist.cells import Layout, Part
from abacist.compiler.stepping import longest_sum
from abacist.specs import Networks

Array = NDArray[Any]


def _tensors(networks: Networks) -> dict[str, Array]:
    """Tensors in float64, (network, 1, row, ...)."""
    layout, tensors = networks.layout, {}
    for name, shape in layout.shapes.items():
        start = layout.starts[name]
        rows = networks.parameters[:, start : start + prod(shape)].astype(np.float64)
        tensors[name] = rows.reshape(len(networks), 1, *shape)
    return tensors


def _part(networks: Networks, made: Callable[[Array], Any]) -> Part:
    tensors = _tensors(networks)
    return lambda name, first, rows: made(tensors[name][:, :, first : first + rows])


def split(layout: Layout, rows: Array) -> tuple[Array, ...]:
    """Numbers of states, (..., number), as vectors."""
    return tuple(np.split(rows, layout.state_starts[1:], axis=-1))


def step_states(networks: Networks, symbol: int, states: Array) -> Array:
    """States, (network, place, number), one symbol further, and the sums of the output layer behind them."""
    layout, part = networks.layout, _part(networks, lambda array: array)
    x = np.eye(layout.inputs)[symbol]
    with np.errstate(over="ignore", invalid="ignore"):
        after = layout.cell.advance(layout.weights(part), x, split(layout, states.astype(np.float64)))
    return _joined(states.shape[:2], (*after, layout.sums(part, after[0])))


def step_boxes(networks: Networks, symbol: int, lower: Array, upper: Array) -> tuple[Array, Array]:
    """The same of boxes, by the reading of intervals."""
    layout, precision = networks.layout, str(networks.parameters.dtype)
    outward = rounding_margins(precision, longest_sum(layout))

    def made(array: Array) -> Any:
        if array.ndim == 4:
            return IntervalMatrix(array, np.abs(array))
        return Interval(array, array, outward)

    part, x = _part(networks, made), np.eye(layout.inputs)[symbol]
    low, high = split(layout, lower.astype(np.float64)), split(layout, upper.astype(np.float64))
    states = tuple(Interval(a, b, outward) for a, b in zip(low, high, strict=True))
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        after = layout.cell.advance(layout.weights(part), Interval(x, x, outward, one_hot=True), states)
        results = [own.bounds for own in (*after, layout.sums(part, after[0]))]
    shape = lower.shape[:2]
    return _joined(shape, [r.lower for r in results]), _joined(shape, [r.upper for r in results])


def _joined(shape: tuple[int, ...], vectors: Any) -> Array:
    """Vectors behind each other, whatever axes they lack."""
    return np.concatenate([np.broadcast_to(v, (*shape, v.shape[-1])) for v in vectors], axis=-1)
