"""Cells of one's own that this process has met: all by content, and by name those that someone offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from abacist.errors import BadInput

#: How many digits of a cell's content tell it from others of its name.
DIGITS = 12

#: A cell is a `Cell` everywhere here, which is not known yet.
_MET: dict[str, Any] = {}


@dataclass(frozen=True)
class Offered:
    """A cell that goes by its name, and where it comes from: a file, a package, a program."""

    cell: Any
    origin: str


_OFFERED: dict[str, Offered] = {}


def remember(cell: Any) -> Any:
    """Keep a cell, so that it can be found by its content; the one that is kept of that content."""
    return _MET.setdefault(cell.content[:DIGITS], cell)


def met(content: str) -> Any:
    """The cell of a content, of which the first digits are enough; None if there is none."""
    return _MET.get(content[:DIGITS])


def how_many_met() -> int:
    """How many cells of one's own this process has met: what was read before may be known by now."""
    return len(_MET)


def offer(cell: Any, origin: str) -> None:
    """Let a cell go by its name from now on; another one from elsewhere must not have that name."""
    other = _OFFERED.get(plain(cell.name))
    if other is not None and other.origin != origin and other.cell.content != cell.content:
        raise BadInput(f"{origin}: a cell named {cell.name} is in {other.origin}, too; give one another name")
    _OFFERED[plain(cell.name)] = Offered(remember(cell), origin)


def offered() -> dict[str, Offered]:
    """The cells that are offered, by their names in plain form."""
    return dict(_OFFERED)


def withdraw() -> None:
    """Forget the names of all cells of one's own; they can still be found by their content."""
    _OFFERED.clear()


def plain(name: str) -> str:
    """A cell's name in the form in which names are compared."""
    return name.strip().lower().replace("-", "_")
