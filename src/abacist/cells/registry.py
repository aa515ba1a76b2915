"""The cells that come with Abacist, and those that users add."""

from __future__ import annotations

from abacist.cells.definition import Cell
from abacist.cells.memories import MEMORIES
from abacist.cells.paper import gru, lstm, rnn, rnn_relu
from abacist.cells.pickling import remember
from abacist.cells.zoo import ZOO
from abacist.registry import Registry, plain

#: The paper's cells, and its first with ReLU: those that pages and laws go through one by one.
CELLS: dict[str, Cell] = {c.name: c for c in (rnn, gru, lstm, rnn_relu)}

#: All cells that come with Abacist. A further one is a further line of the zoo or the memories.
KNOWN: dict[str, Cell] = CELLS | ZOO | MEMORIES

OWN_CELLS: Registry[Cell] = Registry(Cell, lambda name: KNOWN.get(plain(name)), remember)
