"""Cells: one time step each, as a formula."""

from abacist.cells.cell import Cell, cell
from abacist.cells.layout import Layout
from abacist.cells.names import CELLS, cell_named
from abacist.cells.readout import readout, squared_error
from abacist.cells.weights import Gate, Weights

__all__ = ["CELLS", "Cell", "Gate", "Layout", "Weights", "cell", "cell_named", "readout", "squared_error"]
