"""Pickling of cells: found by their place, or sent whole, and known by their content."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from abacist.cells.content import content_of
from abacist.errors import BadCell
from abacist.on_demand import on_demand
from abacist.registry import DIGITS

_cloudpickle = on_demand("cloudpickle")

#: The cells of the user's that this process has met, by their contents. A cell is a `Cell` everywhere here,
#: which is not known yet.
_MET: dict[str, Any] = {}


def remember(cell: Any) -> Any:
    """Keep a cell, so that it can be found by its content; the one that is kept of that content."""
    return _MET.setdefault(cell.content[:DIGITS], cell)


def met(content: str) -> Any:
    """The cell of a content, of which the first digits are enough; None if there is none."""
    return _MET.get(content[:DIGITS])


def how_many_met() -> int:
    """How many cells of the user's this process has met: what was read before may be known by now."""
    return len(_MET)


def sent(cell: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """A cell as what makes it again in another process.

    Those of Abacist are found by their place. One's own is also sent whole, where cloudpickle is installed:
    its module may not be there, or be another.
    """
    place = (getattr(cell.step, "__module__", ""), getattr(cell.step, "__qualname__", ""))
    if found_at(place[0], cell.name) is cell:
        place = (place[0], cell.name)  # several cells may share a formula
    importable = place[0] != "__main__" and found_at(*place) is cell
    if importable and place[0].startswith("abacist."):
        return found_at, place
    whole = _whole(cell) if find_spec("cloudpickle") else None
    if not importable and whole is None:
        raise BadCell(
            cell.name,
            "without cloudpickle only a cell at the top level of a module can be sent to "
            "other processes; pip install '.[cluster]' in Abacist's folder",
        )
    remember(cell)
    return arrived, (cell.name, place, cell.content, whole)


def found_at(module: str, name: str) -> Any:
    """What goes by a name in a module, None if there is nothing."""
    try:
        return getattr(import_module(module), name, None)
    except (ImportError, ValueError):
        return None


@lru_cache(maxsize=1_000)
def _whole(cell: Any) -> bytes:
    """All parts of a cell, with whatever else of its module its formula uses."""
    name = str(getattr(cell.step, "__module__", ""))
    module = sys.modules.get(name) if name.partition(".")[0] not in ("__main__", "abacist") else None
    parts = (type(cell), cell.name, cell.parameters, cell.states, cell.step, cell.initial)
    if module is None:
        return bytes(_cloudpickle.dumps(parts))
    _cloudpickle.register_pickle_by_value(module)
    try:
        return bytes(_cloudpickle.dumps(parts))
    finally:
        _cloudpickle.unregister_pickle_by_value(module)


def arrived(name: str, place: tuple[str, str], content: str, whole: bytes | None) -> Any:
    """A cell that was sent: one of its content that is known here, else that at its place, else a copy."""
    cell = met(content)
    if cell is None:
        cell = found_at(*place)
        if getattr(cell, "name", None) != name or content_of(cell) != content:
            if whole is None:
                raise BadCell(name, f"it is not at {'.'.join(place)} here, or not the same")
            kind, *parts = _cloudpickle.loads(whole)
            cell = kind(*parts)
        remember(cell)
    return cell
