"""Cells by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from abacist.cells.definition import Cell
from abacist.cells.elman import rnn
from abacist.cells.elman_relu import rnn_relu
from abacist.cells.gru import gru
from abacist.cells.layers import layers_written, stacked
from abacist.cells.lstm import lstm
from abacist.cells.memories import MEMORIES
from abacist.cells.register import DIGITS, Offered, met, offer, offered, plain, remember
from abacist.cells.zoo import ZOO
from abacist.entry_points import from_packages, warn
from abacist.errors import BadInput, UnknownName
from abacist.fields import checked, shown
from abacist.limits import CELL_NAME
from abacist.wording import meant

#: The paper's cells, and its first with ReLU: those that pages and laws go through one by one.
CELLS: dict[str, Cell] = {c.name: c for c in (rnn, gru, lstm, rnn_relu)}

#: All cells that come with Abacist. A further one is a further line of the zoo or the memories.
KNOWN: dict[str, Cell] = CELLS | ZOO | MEMORIES

#: The group of entry points with which packages offer cells.
GROUP = "abacist.cells"


@checked
def cell_named(name: str) -> Cell:
    """The cell that goes by a name: one of Abacist's, or one that a plugin or a package offers.

    `name#digits` is the one of one's own whose content begins with these digits; `name_x2` has two layers of
    what is called `name`.
    """
    CELL_NAME.check(f"cell {shown(name)}", len(name))
    if plain(name) in KNOWN:
        return KNOWN[plain(name)]
    several = layers_written(name.strip())
    if several is None or "#" not in name:  # digits are followed by nothing but a number of layers
        found = _own(name, offered()) or _own(name, _packaged())
        if found is not None:
            return found
    if several is not None:
        return stacked(cell_named(several[0]), several[1])
    known = [*KNOWN, *(one.cell.name for one in own_cells())]
    hint = meant(plain(name), known)
    raise UnknownName(
        f"unknown cell {name!r}{hint}; cells are {', '.join(known)}, and those of --plugin FILE"
    )


@checked
def add_cell(cell: Cell, origin: str = "this program") -> None:
    """Let a cell of one's own go by its name; `origin` says where it comes from."""
    _check_name(cell, origin)
    offer(cell, origin)


def own_cells() -> list[Offered]:
    """The cells of one's own that go by their names, those of installed packages among them."""
    named, packaged = offered(), _packaged()
    for name in named.keys() & packaged.keys():
        if named[name].cell != packaged[name].cell:
            _warn_of_name(packaged[name].cell, packaged[name].origin, named[name].origin)
    return list((packaged | named).values())


def _own(name: str, among: Mapping[str, Offered]) -> Cell | None:
    """The cell of one's own that is asked for by its name, or by its name and content."""
    bare, mark, digits = name.strip().rpartition("#")
    if not mark:
        return among[plain(name)].cell if plain(name) in among else None
    found: Cell | None = met(digits) if len(digits) >= DIGITS else None
    return found if found is not None and found.name == bare else None


@cache
def _packaged() -> dict[str, Offered]:
    """What installed packages offer; asked once, and only where a name is not known, or all are listed."""
    found: dict[str, Offered] = {}
    for origin, cell in from_packages(GROUP, Cell):
        try:
            _check_name(cell, origin)
            other = found.setdefault(plain(cell.name), Offered(remember(cell), origin))
        except BadInput as error:
            warn(str(error))
            continue
        if other.cell != cell:
            _warn_of_name(cell, origin, other.origin)
    return found


def _warn_of_name(cell: Cell, origin: str, other: str) -> None:
    warn(f"{origin}: its cell {cell.name} is not used, since one in {other} has that name, too")


def _check_name(cell: Cell, origin: str) -> None:
    if plain(cell.name) in KNOWN:
        raise BadInput(f"{origin}: a cell named {cell.name} comes with Abacist; give yours another name")
