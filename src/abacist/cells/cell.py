"""What a cell is: one time step as a formula, and the names of its gates and states."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from abacist.errors import BadInput


@dataclass(frozen=True)
class Cell:
    """A recurrent cell.

    `step(w, x, h, …)` takes weights, input and states and returns the new states, the
    hidden state h first: that is the one the output layer reads. `gates` gives the order
    of the rows in the weight tensors. It knows neither batch, nor seed, nor gradient.
    """

    name: str
    gates: tuple[str, ...]
    states: tuple[str, ...]
    step: Callable[..., Any]

    def __post_init__(self) -> None:
        if not self.gates or self.states[:1] != ("h",):
            raise BadInput(f"Cell {self.name}: it needs gates, and h as its first state, got {self.states}")
        if len(set(self.gates)) < len(self.gates):
            raise BadInput(f"Cell {self.name}: gates must differ, got {' '.join(self.gates)}")
        if "y" in self.states:
            raise BadInput(f"Cell {self.name}: y is the name of the outputs, a state needs another")

    def __reduce__(self) -> tuple[Any, ...]:
        """Cells travel to other processes by name: their formulas hide behind them."""
        from abacist.cells.names import cell_named

        return cell_named, (self.name,)

    def advance(self, w: Any, x: Any, states: tuple[Any, ...]) -> tuple[Any, ...]:
        """The states after one more input."""
        after = self.step(w, x, *states)
        return after if isinstance(after, tuple) else (after,)


def cell(gates: str) -> Callable[[Callable[..., Any]], Cell]:
    """Make a cell of a formula `name(w, x, h, …)`; `gates` are the gates' names, in PyTorch's order."""

    if not isinstance(gates, str):
        raise BadInput(f"cell: gates must be one text, such as 'r z n', got {gates!r}")

    def make(formula: Callable[..., Any]) -> Cell:
        states = tuple(inspect.signature(formula).parameters)[2:]
        return Cell(formula.__name__.rstrip("_"), tuple(gates.split()), states, formula)

    return make
