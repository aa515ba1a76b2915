"""Started cells: those of PyTorch whose states before a word are parameters, as after a start symbol.

A state is stored as zero before a word, and a further one, `begun`, is 0 there and 1 from then on. So the
formula itself adds the start, to the first step alone, and whatever reads formulas follows it: engine, boxes
and certificates.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from abacist.cells.definition import Cell, State
from abacist.cells.parameters import PREFIX, Part, Shapes
from abacist.cells.zoo import CELLS


@dataclass(frozen=True)
class Start:
    """The parameters of a cell, and for each of its states the values before a word."""

    inner: Cell

    def shapes(self, inputs: int, hidden: int) -> Shapes:
        starts = {start_of(state.name): (hidden,) for state in self.inner.states}
        return self.inner.parameters.shapes(inputs, hidden) | starts

    def bind(self, part: Part, hidden: int) -> SimpleNamespace:
        starts = tuple(part(start_of(state.name), 0, hidden) for state in self.inner.states)
        return SimpleNamespace(inner=self.inner.parameters.bind(part, hidden), starts=starts)


def start_of(state: str) -> str:
    """The tensor of a state's values before a word.

    >>> start_of("c")
    'rnn.start_c'
    """
    return f"{PREFIX}start_{state}"


def _started(cell: Cell) -> Cell:
    def step(w: Any, x: Any, *states: Any) -> tuple[Any, ...]:
        *before, begun = states
        first = 1 - begun
        own = tuple(state + first * start for state, start in zip(before, w.starts, strict=True))
        return *cell.advance(w.inner, x, own), 0 * begun + 1

    return Cell(f"{cell.name}_started", Start(cell), (*cell.states, State("begun")), step)


#: The started cells by name: `lstm_started` is an LSTM.
STARTED = {cell.name: cell for cell in map(_started, CELLS.values())}
