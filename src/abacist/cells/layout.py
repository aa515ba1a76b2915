"""The network around a cell, as formulas like the cells: its layout, output layer, decision and loss.

Usually every output is decided by itself: y = σ(s) with s = W_y h + b_y, and an output is predicted where y
exceeds 1/2, that is where s is positive. With a threshold θ, outputs are what may come next, one of which
does: y = softmax(s), and an output is predicted where y exceeds θ, that is where log y − log θ is positive.
So there is always a vector whose signs decide: the sums. The loss is the squared error of every output, or
another objective, weighted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import log, prod, sqrt
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import exp, linear, sigmoid, softplus
from abacist.algebra.compositions import log_softmax
from abacist.cells.definition import Cell
from abacist.cells.parameters import Part, Shapes, initial_weights
from abacist.errors import BadInput
from abacist.fields import Field, Range, check_fields

OUTPUT_WEIGHT, OUTPUT_BIAS = "output.weight", "output.bias"

#: The objective of language modelling: which one of its outputs comes next, in place of all that may.
NEXT_SYMBOL = "next-symbol"


@dataclass(frozen=True)
class Layout:
    """A cell with its numbers of inputs, hidden units and outputs.

    With a `threshold`, scores are the probabilities of what comes next, and an output is predicted where its
    own exceeds it; without one, every output is decided by itself.
    """

    cell: Cell
    inputs: Annotated[int, Field(rule=Range(1))]
    hidden: Annotated[int, Field(rule=Range(1))]
    outputs: Annotated[int, Field(rule=Range(1))]
    threshold: float | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        if self.threshold is not None and not 0 < self.threshold < 1:
            raise BadInput(f"Layout: threshold must be above 0 and below 1, got {self.threshold}")

    @cached_property
    def state_sizes(self) -> tuple[int, ...]:
        """How many numbers each state has."""
        return tuple(state.size(self.hidden, self.inputs) for state in self.cell.states)

    @cached_property
    def state_starts(self) -> tuple[int, ...]:
        """Where each state begins when all lie one after the other."""
        return (0, *accumulate(self.state_sizes))[:-1]

    @cached_property
    def shapes(self) -> Shapes:
        """The shape of every tensor, in order: the cell's, then the output layer's."""
        of_cell = self.cell.parameters.shapes(self.inputs, self.hidden)
        weight = (self.outputs, self.state_sizes[0])
        return of_cell | {OUTPUT_WEIGHT: weight, OUTPUT_BIAS: (self.outputs,)}

    @cached_property
    def starts(self) -> dict[str, int]:
        """The index of every tensor's first number among all parameters."""
        sizes = [prod(shape) for shape in self.shapes.values()]
        return dict(zip(self.shapes, (0, *accumulate(sizes)), strict=False))

    @cached_property
    def size(self) -> int:
        """The number of parameters."""
        return sum(prod(shape) for shape in self.shapes.values())

    @cached_property
    def gate_spans(self) -> tuple[tuple[int, int], ...]:
        """Where the weights of gates lie among all parameters: from one place to before another, in order."""
        of_gates = np.zeros(self.size + 2, bool)  # with one place before the parameters, and one behind
        for tensor, first, rows in self.cell.gate_rows(self.inputs, self.hidden):
            width = prod(self.shapes[tensor][1:])
            begin = self.starts[tensor] + first * width + 1
            of_gates[begin : begin + rows * width] = True
        edges = np.flatnonzero(np.diff(of_gates)).tolist()
        return tuple(zip(edges[::2], edges[1::2], strict=True))

    @property
    def initial_bound(self) -> float:
        """PyTorch's initial weights are uniform within plus and minus this."""
        return 1 / sqrt(self.hidden)

    def initial_parameters(self, drawn: NDArray[Any]) -> NDArray[Any]:
        """The parameters that a network begins with, (parameter,), made of those that were drawn for it."""
        if self.cell.initial is None:
            return drawn
        shapes, result = self.cell.parameters.shapes(self.inputs, self.hidden), drawn.copy()
        tensors = {
            name: result[self.starts[name] :][: prod(shape)].reshape(shape) for name, shape in shapes.items()
        }
        for name, array in initial_weights(self.cell.initial, tensors).items():
            tensors[name][...] = array
        return result

    def weights(self, part: Part) -> Any:
        """What the cell's formula calls `w`, made of parts of the tensors in some reading."""
        return self.cell.parameters.bind(part, self.hidden)

    def sums(self, part: Part, h: Any) -> Any:
        """The sums of the output layer in some reading, whose signs decide: W_y h + b_y, or how far the log
        softmax of that lies above log θ."""
        sums = linear(part(OUTPUT_WEIGHT, 0, self.outputs), h) + part(OUTPUT_BIAS, 0, self.outputs)
        return sums if self.threshold is None else log_softmax(sums) - log(self.threshold)

    def scores(self, sums: Any) -> Any:
        """The scores of the outputs in some reading."""
        return sigmoid(sums) if self.threshold is None else self.threshold * exp(sums)

    def predicted(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Which outputs are predicted, given their scores."""
        return np.asarray(values > (0.5 if self.threshold is None else self.threshold))


def _surprise(sums: Any, y: Any, target: Any, threshold: float | None) -> Any:
    """−log y of the output that comes next."""
    assert threshold is not None
    return target * (-log(threshold) - sums)


#: What training makes small: the error of every output, given sums, scores, targets and the threshold, and
#: the loss, given errors and scale. Cross-entropy, −t log y − (1 − t) log(1 − y), is made of the sums, so
#: that no logarithm has nothing to work on. The loss of the next symbol is a sum over outputs, not a mean.
OBJECTIVES: dict[str, tuple[Callable[..., Any], Callable[[Any, Any], Any]]] = {
    "squared": (
        lambda sums, y, target, threshold: y - target,
        lambda error, scale: scale * (error * error),
    ),
    "cross-entropy": (
        lambda sums, y, target, threshold: softplus(sums) - target * sums,
        lambda error, scale: scale * error,
    ),
    NEXT_SYMBOL: (_surprise, lambda error, scale: scale * (float(error.shape[-1]) * error)),
}
