"""Cells by name, and as text: a name, or for one of the user's `name#digits`, those of its content."""

from __future__ import annotations

import re

from abacist.cells.definition import Cell
from abacist.cells.layers import layers_written, stacked
from abacist.cells.pickling import met, remember
from abacist.cells.registry import KNOWN, OWN_CELLS
from abacist.cells.without_formula import AbsentCell, OutsideModel, WithoutFormula, is_outside
from abacist.errors import UnknownName
from abacist.fields import checked, short_repr
from abacist.limits import CELL_NAME
from abacist.registry import DIGITS, Offered, plain, written
from abacist.wording import did_you_mean

_OWN = re.compile(rf"(.+)#([0-9a-f]{{{DIGITS}}})", re.DOTALL)


@checked
def cell_named(name: str) -> Cell:
    """The cell that goes by a name: one of Abacist's, or one that a plugin or a package offers.

    `name#digits` is the one of one's own whose content begins with these digits; `name_x2` has two layers of
    what is called `name`.
    """
    CELL_NAME.check(f"cell {short_repr(name)}", len(name))
    if plain(name) in KNOWN:
        return KNOWN[plain(name)]
    several = layers_written(name.strip())
    if several is None or "#" not in name:  # digits are followed by nothing but a number of layers
        found = _met(name) or OWN_CELLS.find(name)
        if found is not None:
            return found
    if several is not None:
        return stacked(cell_named(several[0]), several[1])
    known = [*KNOWN, *(one.thing.name for one in own_cells())]
    hint = did_you_mean(plain(name), known)
    raise UnknownName(
        f"unknown cell {name!r}{hint}; cells are {', '.join(known)}, and those of --plugin FILE"
    )


def _met(name: str) -> Cell | None:
    """The cell that this process has met under a `name#digits`, whether it still goes by its name or not."""
    bare, _, digits = name.strip().rpartition("#")
    found: Cell | None = met(digits)
    return found if found is not None and found.name == bare else None


@checked
def add_cell(cell: Cell, origin: str = "this program") -> None:
    """Let a cell of one's own go by its name; `origin` says where it comes from."""
    OWN_CELLS.add(cell, origin)


def own_cells() -> list[Offered[Cell]]:
    """The cells of one's own that go by their names, those of installed packages among them."""
    return OWN_CELLS.all()


@checked
def written_cell(cell: Cell) -> str:
    """The text that stands for a cell in specs, run keys and files.

    >>> written_cell(KNOWN["lstm"])
    'lstm'
    """
    if cell.count > 1:
        return f"{written_cell(cell.layer)}_x{cell.count}"
    if isinstance(cell, WithoutFormula):
        return cell.written
    if KNOWN.get(cell.name) == cell:
        return cell.name
    return written(remember(cell))


@checked
def cell_written(text: str) -> Cell:
    """The inverse of `written_cell`; a cell of one's own that is not at hand is an `AbsentCell`."""
    if is_outside(text):
        return OutsideModel(text)
    CELL_NAME.check(f"cell {short_repr(text)}", len(text))
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
