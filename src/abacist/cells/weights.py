"""How a cell meets its weights: as gates, each an affine map of the input and the hidden state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from abacist.algebra import linear


@dataclass(frozen=True)
class Gate:
    """The rows of one gate in PyTorch's parametrisation, in any reading."""

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


class Weights:
    """The gates of a cell by name: `w.f(x, h)`."""

    def __init__(self, gates: Sequence[str], gate: Callable[[int], Gate]) -> None:
        for index, name in enumerate(gates):
            setattr(self, name, gate(index))

    def __getattr__(self, name: str) -> Gate:
        raise AttributeError(f"the cell declares no gate called {name!r}")
