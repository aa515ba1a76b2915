"""Gates: the parameters of a cell as PyTorch's recurrent layers have them.

Each gate is an affine map of the input and the hidden state. The rows of all gates, one after the
other, make four tensors under PyTorch's names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from abacist.algebra import linear
from abacist.cells.parameters import Part, Shapes
from abacist.errors import BadInput
from abacist.fields import check_fields

WEIGHT_IH, WEIGHT_HH = "rnn.weight_ih_l0", "rnn.weight_hh_l0"
BIAS_IH, BIAS_HH = "rnn.bias_ih_l0", "rnn.bias_hh_l0"


@dataclass(frozen=True)
class Gate:
    """The rows of one gate, in any reading."""

    weight_ih: Any
    weight_hh: Any
    bias_ih: Any
    bias_hh: Any

    def input(self, x: Any) -> Any:
        """W_i x + b_i."""
        return linear(self.weight_ih, x) + self.bias_ih

    def recurrent(self, h: Any) -> Any:
        """W_h h + b_h."""
        return linear(self.weight_hh, h) + self.bias_hh

    def __call__(self, x: Any, h: Any) -> Any:
        """W_i x + b_i + W_h h + b_h."""
        return self.input(x) + self.recurrent(h)


@dataclass(frozen=True)
class Gates:
    """The names of a cell's gates, in the order of their rows; a formula asks `w.f(x, h)`."""

    names: tuple[str, ...]

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.names:
            raise BadInput("Gates: a cell needs at least one gate, got none")
        if len(set(self.names)) < len(self.names):
            raise BadInput(f"Gates: names must differ, got {' '.join(self.names)}")

    def shapes(self, inputs: int, hidden: int) -> Shapes:
        rows = len(self.names) * hidden
        return {WEIGHT_IH: (rows, inputs), WEIGHT_HH: (rows, hidden), BIAS_IH: (rows,), BIAS_HH: (rows,)}

    def bind(self, part: Part, hidden: int) -> GateWeights:
        """The gates, made of their rows of the tensors."""
        gates = {}
        for index, name in enumerate(self.names):
            rows = (index * hidden, hidden)
            gates[name] = Gate(*(part(tensor, *rows) for tensor in (WEIGHT_IH, WEIGHT_HH, BIAS_IH, BIAS_HH)))
        return GateWeights(gates)


class GateWeights:
    """The gates of a cell by name: `w.f(x, h)`."""

    def __init__(self, gates: dict[str, Gate]) -> None:
        self.__dict__.update(gates)

    def __getattr__(self, name: str) -> Gate:
        raise AttributeError(f"the cell declares no gate called {name!r}")
