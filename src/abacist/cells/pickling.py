"""Pickling of cells: those of Abacist by their names, others whole."""

from __future__ import annotations

import copyreg
import sys
from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from abacist.cells.definition import Cell
from abacist.cells.names import KNOWN, MET, cell_named, remember
from abacist.errors import BadCell
from abacist.on_demand import on_demand
from abacist.registry import written

_cloudpickle = on_demand("cloudpickle")


def _sent(cell: Cell) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """A cell as what makes it again in another process, where its module may be absent or another one."""
    if KNOWN.get(cell.name) is cell:
        return cell_named, (cell.name,)
    if not find_spec("cloudpickle"):
        raise BadCell(
            cell.name,
            "only cloudpickle can send it to other processes; pip install '.[cluster]' in Abacist's folder",
        )
    return _received, (written(remember(cell)), _whole(cell))


copyreg.pickle(Cell, _sent)


@lru_cache(maxsize=1_000)
def _whole(cell: Cell) -> bytes:
    """All fields of a cell, with whatever else of its module its formula uses."""
    name = str(getattr(cell.step, "__module__", ""))
    module = sys.modules.get(name) if name.partition(".")[0] not in ("__main__", "abacist") else None
    fields = (cell.name, cell.parameters, cell.states, cell.step, cell.initial)
    if module is None:
        return bytes(_cloudpickle.dumps(fields))
    _cloudpickle.register_pickle_by_value(module)
    try:
        return bytes(_cloudpickle.dumps(fields))
    finally:
        _cloudpickle.unregister_pickle_by_value(module)


def _received(text: str, whole: bytes) -> Cell:
    """A cell that was sent: the one that this process has met, else a copy."""
    return MET.get(text) or remember(Cell(*_cloudpickle.loads(whole)))
