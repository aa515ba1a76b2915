"""Cells: one time step each, as a formula."""

from abacist.cells.absent import AbsentCell
from abacist.cells.definition import Cell, Memory, State, cell
from abacist.cells.gates import Gate, Gates
from abacist.cells.layers import Layers, Stacked, stacked
from abacist.cells.layout import Layout
from abacist.cells.memories import MEMORIES
from abacist.cells.named_tensors import Tensors, tensors
from abacist.cells.names import CELLS, KNOWN, add_cell, cell_named, own_cells
from abacist.cells.outside import OutsideModel, outside_model
from abacist.cells.parameters import Parameters, Part, Shapes
from abacist.cells.plugins import Plugin, cells_in, cells_of, load_plugins
from abacist.cells.readout import NEXT_SYMBOL, OBJECTIVES, predicted, scores, squared_error
from abacist.cells.register import Offered
from abacist.cells.writing import cell_written, written_cell
from abacist.cells.zoo import ZOO

__all__ = [
    "CELLS",
    "KNOWN",
    "MEMORIES",
    "NEXT_SYMBOL",
    "OBJECTIVES",
    "ZOO",
    "AbsentCell",
    "Cell",
    "Gate",
    "Gates",
    "Layers",
    "Layout",
    "Memory",
    "Offered",
    "OutsideModel",
    "Parameters",
    "Part",
    "Plugin",
    "Shapes",
    "Stacked",
    "State",
    "Tensors",
    "add_cell",
    "cell",
    "cell_named",
    "cell_written",
    "cells_in",
    "cells_of",
    "load_plugins",
    "outside_model",
    "own_cells",
    "predicted",
    "scores",
    "squared_error",
    "stacked",
    "tensors",
    "written_cell",
]
