"""The reference: a network read as arrays, in float64, one step after the other.

Slow and plain; every kernel answers to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import Interval, IntervalMatrix
from abacist.algebra.rounding import rounding_margins
from abacist.cells import Part
from abacist.compiler.stepping import longest_sum
from abacist.specs import Networks

Array = NDArray[Any]


def array_parts(networks: Networks, run: int) -> Part:
    """The tensors of one network, in float64, to be asked for rows."""
    tensors = {name: array.astype(np.float64) for name, array in networks.tensors(run).items()}
    return lambda name, first, rows: tensors[name][first : first + rows]


def forward(
    networks: Networks, run: int, word: Sequence[int], before: Array | None = None
) -> tuple[dict[str, Array], Array]:
    """All states by name, (time, unit), and the outputs, (time, output), of a network on a word.

    `before` are all numbers of the states before it, (number,), zero where left out.
    """
    layout, part = networks.layout, array_parts(networks, run)
    weights = layout.weights(part)
    states: tuple[Array, ...] = tuple(np.zeros(size) for size in layout.state_sizes)
    if before is not None:
        states = tuple(np.split(before, layout.state_starts[1:]))
    history, outputs = [states], []
    for symbol in word:
        states = layout.cell.advance(weights, np.eye(layout.inputs)[symbol], states)
        history.append(states)
        outputs.append(layout.scores(layout.sums(part, states[0])))
    paths = zip(layout.cell.state_names, zip(*history, strict=True), strict=True)
    return (
        {name: np.array(path[1:]).reshape(len(word), len(path[0])) for name, path in paths},
        np.array(outputs).reshape(len(word), layout.outputs),
    )


def step_boxes(networks: Networks, run: int, symbol: int, lower: Array, upper: Array) -> tuple[Array, Array]:
    """Boxes of states, (box, number), one symbol further, and those of the output layer's sums behind them.

    Intervals in NumPy, in float64: what compiled steps of boxes answer to.
    """
    layout, precision = networks.layout, str(networks.parameters.dtype)
    outward, part = rounding_margins(precision, longest_sum(layout)), array_parts(networks, run)

    def enclosed(name: str, first: int, rows: int) -> Any:
        array = part(name, first, rows)
        return IntervalMatrix(array, np.abs(array)) if array.ndim > 1 else Interval(array, array, outward)

    bounds = (np.split(np.asarray(b, np.float64), layout.state_starts[1:], axis=-1) for b in (lower, upper))
    states = tuple(Interval(low, high, outward) for low, high in zip(*bounds, strict=True))
    x = np.eye(layout.inputs)[symbol]
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):  # such a box says nothing
        after = layout.cell.advance(layout.weights(enclosed), Interval(x, x, outward, one_hot=True), states)
        results = [value.bounds for value in (*after, layout.sums(enclosed, after[0]))]
    shape = lower.shape[:-1]

    def joined(vectors: list[Array]) -> Array:
        return np.concatenate([np.broadcast_to(v, (*shape, v.shape[-1])) for v in vectors], axis=-1)

    return joined([box.lower for box in results]), joined([box.upper for box in results])
