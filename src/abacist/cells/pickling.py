"""Pickling of cells: those of Abacist by their place, others whole and known by their content."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

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
    """A cell as what makes it again in another process: one of Abacist's by its place, one's own whole.

    The module of a cell of one's own may not be there, or be another one.
    """
    module = str(getattr(cell.step, "__module__", ""))
    if module.startswith("abacist.") and built_in(module, cell.name) is cell:
        return built_in, (module, cell.name)
    if not find_spec("cloudpickle"):
        raise BadCell(
            cell.name,
            "only cloudpickle can send it to other processes; pip install '.[cluster]' in Abacist's folder",
        )
    remember(cell)
    return received, (cell.content, _whole(cell))


def built_in(module: str, name: str) -> Any:
    """The cell that has a name in a module of Abacist's."""
    return getattr(import_module(module), name, None)


@lru_cache(maxsize=1_000)
def _whole(cell: Any) -> bytes:
    """All fields of a cell, with whatever else of its module its formula uses."""
    name = str(getattr(cell.step, "__module__", ""))
    module = sys.modules.get(name) if name.partition(".")[0] not in ("__main__", "abacist") else None
    fields = (cell.name, cell.parameters, cell.states, cell.step, cell.initial)
    if module is None:
        return bytes(_cloudpickle.dumps((type(cell), fields)))
    _cloudpickle.register_pickle_by_value(module)
    try:
        return bytes(_cloudpickle.dumps((type(cell), fields)))
    finally:
        _cloudpickle.unregister_pickle_by_value(module)


def received(content: str, whole: bytes) -> Any:
    """A cell that was sent: the one of its content that this process has met, else a copy."""
    cell = met(content)
    if cell is None:
        kind, fields = _cloudpickle.loads(whole)
        cell = remember(kind(*fields))
    return cell
