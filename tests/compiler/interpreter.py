"""An interpreter of symbols by the reading of arrays: slow, and independent of every printed program.

What arrays mean is held against the functions of Python in `tests/algebra/test_operations.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import OPERATIONS, Matrix, Symbol, in_order
from abacist.compiler.adjoint import differentiate
from abacist.compiler.graph import step_graph
from abacist.specs import Networks

Array = NDArray[Any]


class Interpreter:
    """The values of symbols, given those of some leaves."""

    def __init__(self, tensors: dict[str, Array], known: dict[Symbol, Array]) -> None:
        self.tensors, self.values = tensors, dict(known)

    def __getitem__(self, symbol: Symbol) -> Array:
        if symbol not in self.values:
            self.values[symbol] = self._compute(symbol)
        return self.values[symbol]

    def _matrix(self, matrix: Matrix) -> Array:
        return self.tensors[matrix.tensor][matrix.first_row : matrix.first_row + matrix.rows]

    def _compute(self, symbol: Symbol) -> Array:
        values = [self[argument] for argument in symbol.arguments]
        match symbol.operation:
            case "constant":
                return np.full(symbol.size, symbol.detail)
            case "parameter":
                tensor, row = symbol.detail
                return self.tensors[tensor][row : row + symbol.size]
            case "linear":
                return np.asarray(self._matrix(symbol.detail) @ values[0])
            case "transposed":
                pairs = zip(symbol.detail, values, strict=True)
                return np.asarray(sum(self._matrix(matrix).T @ value for matrix, value in pairs))
        sizes = symbol.detail or ()
        return np.asarray(OPERATIONS[symbol.operation].arrays(*values, *sizes))


def derived_gradient(
    networks: Networks, run: int, word: tuple[int, ...], targets: Array, counted: Array
) -> Array:
    """The gradient of a word's loss, (parameter,), by chaining the derived adjoint of a step."""
    layout = networks.layout
    graph = step_graph(layout)
    adjoint = differentiate(graph)
    leaves = in_order((graph.loss, *adjoint.before, *(g.rows for g in adjoint.gradients)))
    tensors = networks.tensors(run)
    share = 1 / (max(int(counted.sum()), 1) * layout.outputs)
    states = [np.zeros(size) for size in layout.state_sizes]
    steps = []
    for time, symbol in enumerate(word):
        known = dict(zip(graph.states, states, strict=True))
        known |= {graph.x: np.eye(layout.inputs)[symbol], graph.target: targets[time]}
        known |= {s: np.full(s.size, share) for s in leaves if s.operation == "scale"}
        known |= {graph.counted: np.full(layout.outputs, float(counted[time]))}
        steps.append(Interpreter(tensors, known))
        states = [steps[-1][after] for after in graph.after]
    sums = {name: np.zeros(shape) for name, shape in layout.shapes.items()}
    later = [np.zeros(size) for size in layout.state_sizes]
    for step in reversed(steps):
        step.values |= {s: later[s.detail] for s in leaves if s.operation == "adjoint"}
        for part in adjoint.gradients:
            rows = slice(part.first_row, part.first_row + part.rows.size)
            value = step[part.rows]
            sums[part.tensor][rows] += value if part.columns is None else np.outer(value, step[part.columns])
        later = [step[before] for before in adjoint.before]
    return np.concatenate([value.ravel() for value in sums.values()])
