"""What programs make of many states: values that enclosures must hold."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells import Cell, Layout
from abacist.engine.reference import array_parts
from abacist.specs import Networks
from abacist.targets import target_for

Array = NDArray[Any]


def random_network(rng: np.random.Generator, cell: Cell, precision: str, hidden: int = 2) -> Networks:
    """A network of any scale, with weights that are whole numbers, zero or huge among them."""
    layout = Layout(cell, 2, hidden, 2)
    weights = rng.normal(size=(1, layout.size)) * 10.0 ** rng.uniform(-2, 2)
    kind = rng.random((1, layout.size))
    weights = np.where(kind < rng.choice([0, 0.3, 0.9]), rng.integers(-2, 3, size=weights.shape), weights)
    weights = np.where(kind > rng.choice([0.6, 1]), rng.choice([-50.0, 50.0, 0.0], weights.shape), weights)
    return Networks(layout, weights.astype(precision))


def counting_network(rng: np.random.Generator, cell: Cell, precision: str) -> Networks:
    """A network of two units that counts, more or less."""
    layout = Layout(cell, 2, 2, 2)
    tensors = Networks(layout, rng.normal(size=(1, layout.size)).astype(precision)).tensors(0)
    inputs, recurrent = tensors["rnn.weight_ih_l0"], tensors["rnn.weight_hh_l0"]
    if cell.name == "lstm":
        inputs[:] = rng.choice([0.0, rng.normal()], inputs.shape)
        inputs[4:6] = rng.choice([-1.0, 1.0], (2, 2)) * rng.choice([4, 8, 20, 50])
        recurrent[:] = rng.choice([0.0, rng.normal()], recurrent.shape)
        tensors["rnn.bias_ih_l0"][:4] += rng.choice([8, 15, 20, 40])
    else:
        inputs[:], recurrent[:] = rng.choice([-1.0, 1.0], inputs.shape), np.eye(2)
        tensors["rnn.bias_ih_l0"][:] = rng.choice([0, 1, 1e-9])
        tensors["rnn.bias_hh_l0"][:] = rng.choice([0, 1, 0.3])
    return Networks.from_tensors(cell, tensors)


def engine_step(networks: Networks, symbol: int, states: Array) -> Array:
    """What the engine makes of states, (state, number): new states and sums of outputs, (state, …)."""
    stepper = target_for(networks.layout).stepping(networks, 0, False)
    before, after = (stepper.rows(len(states), n) for n in (stepper.width, stepper.results))
    before[:, : len(states)] = states.T
    stepper(symbol, before, after, len(states))
    return after[:, : len(states)].T.astype(np.float64)


def numpy_step(networks: Networks, symbol: int, states: Array) -> Array:
    """The same by NumPy's reading, in float64."""
    layout, part = networks.layout, array_parts(networks, 0)
    parts = np.split(states.astype(np.float64), layout.state_starts[1:], axis=1)
    hot = np.tile(np.eye(layout.inputs)[symbol], (len(states), 1))
    after = layout.cell.advance(layout.weights(part), hot, tuple(parts))
    return np.concatenate([*after, layout.sums(part, after[0])], axis=1)
