"""A cell as text: its name, and for one's own `name#digits`, the digits those of its content."""

from __future__ import annotations

import re

from abacist.cells.absent import AbsentCell
from abacist.cells.definition import Cell
from abacist.cells.layers import Stacked, layers_written, stacked
from abacist.cells.names import KNOWN, cell_named
from abacist.cells.outside import OutsideModel, is_outside, outside_written
from abacist.cells.register import DIGITS, remember
from abacist.errors import UnknownName
from abacist.fields import checked, shown
from abacist.limits import CELL_NAME

_OWN = re.compile(rf"(.+)#([0-9a-f]{{{DIGITS}}})", re.DOTALL)


@checked
def written_cell(cell: Cell) -> str:
    """The text that stands for a cell in specs, run keys and files.

    >>> written_cell(KNOWN["lstm"])
    'lstm'
    """
    if isinstance(cell, Stacked):
        return f"{written_cell(cell.layer)}_x{cell.count}"
    if isinstance(cell, OutsideModel) or KNOWN.get(cell.name) == cell:
        return cell.name
    if not isinstance(cell, AbsentCell):
        remember(cell)
    return f"{cell.name}#{cell.content[:DIGITS]}"


@checked
def cell_written(text: str) -> Cell:
    """The inverse of `written_cell`; a cell of one's own that is not at hand is an `AbsentCell`."""
    if is_outside(text):
        return outside_written(text)
    CELL_NAME.check(f"cell {shown(text)}", len(text))
    own, several = _OWN.fullmatch(text), layers_written(text)
    if several is not None and "#" in text and own is None:
        return stacked(cell_written(several[0]), several[1])
    if own is None:
        return cell_named(text)
    name, digits = own.groups()
    try:
        return cell_named(text)
    except UnknownName:
        return AbsentCell(name, digits)
