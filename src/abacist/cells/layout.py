"""Where the parameters of a network lie: PyTorch's tensors, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

from abacist.cells.cell import Cell
from abacist.errors import BadInput

WEIGHT_IH, WEIGHT_HH = "rnn.weight_ih_l0", "rnn.weight_hh_l0"
BIAS_IH, BIAS_HH = "rnn.bias_ih_l0", "rnn.bias_hh_l0"
OUTPUT_WEIGHT, OUTPUT_BIAS = "output.weight", "output.bias"


@dataclass(frozen=True)
class Layout:
    """The sizes of a network, and from them the shape and place of every tensor."""

    cell: Cell
    inputs: int
    hidden: int
    outputs: int

    def __post_init__(self) -> None:
        for name in ("inputs", "hidden", "outputs"):
            if getattr(self, name) < 1:
                raise BadInput(f"Layout: {name} must be at least 1, got {getattr(self, name)}")

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of every tensor, in order; a gate's rows are `hidden` rows of the recurrent ones."""
        rows = len(self.cell.gates) * self.hidden
        return {
            WEIGHT_IH: (rows, self.inputs),
            WEIGHT_HH: (rows, self.hidden),
            BIAS_IH: (rows,),
            BIAS_HH: (rows,),
            OUTPUT_WEIGHT: (self.outputs, self.hidden),
            OUTPUT_BIAS: (self.outputs,),
        }

    @cached_property
    def starts(self) -> dict[str, int]:
        """The index of every tensor's first number among all parameters."""
        starts, total = {}, 0
        for name, shape in self.shapes.items():
            starts[name] = total
            total += prod(shape)
        return starts

    @property
    def size(self) -> int:
        """The number of parameters."""
        return sum(prod(shape) for shape in self.shapes.values())
