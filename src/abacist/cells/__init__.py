"""Cells: one time step each, as a formula."""

from abacist.cells.definition import Cell, State, cell
from abacist.cells.gates import Gate, Gates
from abacist.cells.layout import Layout
from abacist.cells.names import CELLS, cell_named
from abacist.cells.outside import OutsideModel, outside_model
from abacist.cells.parameters import Parameters, Part, Shapes
from abacist.cells.plugins import cells_in, cells_of
from abacist.cells.readout import predicted, scores, squared_error

__all__ = [
    "CELLS",
    "Cell",
    "Gate",
    "Gates",
    "Layout",
    "OutsideModel",
    "Parameters",
    "Part",
    "Shapes",
    "State",
    "cell",
    "cell_named",
    "cells_in",
    "cells_of",
    "outside_model",
    "predicted",
    "scores",
    "squared_error",
]
