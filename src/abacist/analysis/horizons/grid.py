"""Compiled: the cells of a grid, by a key that is made dimension by dimension."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

#: Beyond it, cells are no longer told apart.
_FARTHEST = 2.0**62


def _with_place(key: Any, place: float) -> Any:
    """The key of a cell with one dimension more, in which it lies at a place, in widths of a cell.

    Zero is the middle of a cell, not its end: so wide cells hold everything, whatever its sign.
    """
    if -_FARTHEST < place < _FARTHEST:
        cell = np.int64(np.rint(place))
    else:
        cell = np.int64(_FARTHEST if place > 0 else -_FARTHEST)  # NaN with the lowest
    key = (key ^ np.uint64(cell)) * np.uint64(0x9E3779B97F4A7C15)
    return key ^ (key >> np.uint64(29))


with_place: Any = njit(_with_place)
