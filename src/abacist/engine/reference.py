"""The reference: a network read as arrays, in float64, one step after the other.

Slow and plain; every kernel answers to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells import Gate, Weights, readout
from abacist.cells.layout import BIAS_HH, BIAS_IH, OUTPUT_BIAS, OUTPUT_WEIGHT, WEIGHT_HH, WEIGHT_IH
from abacist.specs.networks import Networks

Array = NDArray[Any]


def array_weights(networks: Networks, run: int) -> tuple[Weights, Array, Array]:
    """The gates of one network, and the weight and bias of its output layer, in float64."""
    tensors = {name: array.astype(np.float64) for name, array in networks.tensors(run).items()}
    hidden = networks.layout.hidden

    def gate(index: int) -> Gate:
        rows = slice(index * hidden, (index + 1) * hidden)
        return Gate(*(tensors[name][rows] for name in (WEIGHT_IH, WEIGHT_HH, BIAS_IH, BIAS_HH)))

    return Weights(networks.layout.cell.gates, gate), tensors[OUTPUT_WEIGHT], tensors[OUTPUT_BIAS]


def forward(networks: Networks, run: int, word: Sequence[int]) -> tuple[Array, Array]:
    """All states, (time, state, unit), and outputs, (time, output), of a network on a word."""
    layout = networks.layout
    weights, output_weight, output_bias = array_weights(networks, run)
    states: tuple[Array, ...] = tuple(np.zeros(layout.hidden) for _ in layout.cell.states)
    history, outputs = [], []
    for symbol in word:
        states = layout.cell.advance(weights, np.eye(layout.inputs)[symbol], states)
        history.append(np.stack(states))
        outputs.append(readout(output_weight, output_bias, states[0]))
    return (
        np.array(history).reshape(len(word), len(states), layout.hidden),
        np.array(outputs).reshape(len(word), layout.outputs),
    )


def loss(networks: Networks, run: int, word: Sequence[int], targets: Array, counted: Array) -> float:
    """The mean squared error over the steps that count and all outputs."""
    _, outputs = forward(networks, run, word)
    errors = (outputs - targets)[counted.astype(bool)]
    return float((errors**2).mean()) if errors.size else 0.0
