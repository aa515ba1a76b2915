"""The reference: a network read as arrays, in float64, one step after the other.

Slow and plain; every kernel answers to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells import Part, scores
from abacist.specs import Networks

Array = NDArray[Any]


def array_parts(networks: Networks, run: int) -> Part:
    """The tensors of one network, in float64, to be asked for rows."""
    tensors = {name: array.astype(np.float64) for name, array in networks.tensors(run).items()}
    return lambda name, first, rows: tensors[name][first : first + rows]


def forward(networks: Networks, run: int, word: Sequence[int]) -> tuple[dict[str, Array], Array]:
    """All states by name, (time, unit), and the outputs, (time, output), of a network on a word."""
    layout, part = networks.layout, array_parts(networks, run)
    weights = layout.weights(part)
    states: tuple[Array, ...] = tuple(np.zeros(size) for size in layout.state_sizes)
    history, outputs = [states], []
    for symbol in word:
        states = layout.cell.advance(weights, np.eye(layout.inputs)[symbol], states)
        history.append(states)
        outputs.append(scores(layout.sums(part, states[0])))
    paths = zip(layout.cell.state_names, zip(*history, strict=True), strict=True)
    return (
        {name: np.array(path[1:]).reshape(len(word), len(path[0])) for name, path in paths},
        np.array(outputs).reshape(len(word), layout.outputs),
    )


def loss(networks: Networks, run: int, word: Sequence[int], targets: Array, counted: Array) -> float:
    """The mean squared error over the steps that count and all outputs."""
    _, outputs = forward(networks, run, word)
    errors = (outputs - targets)[counted.astype(bool)]
    return float((errors**2).mean()) if errors.size else 0.0
