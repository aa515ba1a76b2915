"""Cells by name."""

from __future__ import annotations

from difflib import get_close_matches

from abacist.cells.definition import Cell
from abacist.cells.elman import rnn
from abacist.cells.elman_relu import rnn_relu
from abacist.cells.gru import gru
from abacist.cells.lstm import lstm
from abacist.errors import UnknownName
from abacist.fields import checked

#: All cells that come with Abacist. A further one is a further line.
CELLS: dict[str, Cell] = {c.name: c for c in (rnn, gru, lstm, rnn_relu)}


@checked
def cell_named(name: str) -> Cell:
    """The cell that goes by a name."""
    plain = name.strip().lower().replace("-", "_")
    if plain in CELLS:
        return CELLS[plain]
    close = get_close_matches(plain, CELLS, n=1)
    hint = f", did you mean {close[0]}?" if close else ""
    raise UnknownName(f"unknown cell {name!r}{hint}; cells are {', '.join(CELLS)}")
