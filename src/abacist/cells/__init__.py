"""Cells: one time step each, as a formula.

`zoo`, `blind` and `memories` are formulas. `definition` is what a cell is, `parameters` its tensors,
`content` its checksum, `sharpening` its gates, `layers` several of it, `started` states before a word;
`layout` is the network around it, `initialisation` how its weights begin.
`names` finds cells by name and sends them to other processes, `plugins` finds them in files of the user's.
"""

from abacist.cells.blind import BLIND
from abacist.cells.definition import Cell, Memory, State, cell
from abacist.cells.initialisation import Initialisation
from abacist.cells.layers import Stacked, stacked
from abacist.cells.layout import NEXT_SYMBOL, OBJECTIVES, Layout
from abacist.cells.memories import MEMORIES
from abacist.cells.names import (
    KNOWN,
    OWN_CELLS,
    AbsentCell,
    OutsideModel,
    add_cell,
    cell_named,
    cell_written,
    outside_model,
    written_cell,
)
from abacist.cells.parameters import Gates, Part, Shapes, Tensors, tensors
from abacist.cells.plugins import defined_in, load_plugins
from abacist.cells.started import STARTED, start_of
from abacist.cells.zoo import CELLS, ZOO

__all__ = [
    "BLIND", "CELLS", "KNOWN", "MEMORIES", "NEXT_SYMBOL", "OBJECTIVES", "OWN_CELLS", "STARTED", "ZOO",
    "AbsentCell", "Cell", "Gates", "Initialisation", "Layout", "Memory", "OutsideModel", "Part", "Shapes",
    "Stacked", "State", "Tensors", "add_cell", "cell", "cell_named", "cell_written", "defined_in",
    "load_plugins", "outside_model", "stacked", "start_of", "tensors", "written_cell",
]  # fmt: skip
