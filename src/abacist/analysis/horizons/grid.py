"""Compiled: what leads to a configuration, and the cells of a grid, by a key made dimension by dimension."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

#: Beyond it, cells are no longer told apart.
_FARTHEST = 2.0**62

#: Cells need not be narrower than rounding is.
NARROWEST = 1e-8


def _most_candidates(layer_starts: Any, ways_starts: Any, sources: Any) -> int:
    """The largest number of states that lead to one configuration."""
    most = 0
    for number in range(len(ways_starts) - 1):
        count = 0
        for way in range(ways_starts[number], ways_starts[number + 1]):
            count += layer_starts[sources[way] + 1] - layer_starts[sources[way]]
        most = max(most, count)
    return most


def _gather(
    number: int, layer_starts: Any, ways_starts: Any, symbols: Any, sources: Any, read: Any, places: Any
) -> int:
    """List all states that lead to a configuration, by the symbol that is read and their place; how many."""
    count = 0
    for way in range(ways_starts[number], ways_starts[number + 1]):
        for place in range(layer_starts[sources[way]], layer_starts[sources[way] + 1]):
            read[count], places[count] = symbols[way], place
            count += 1
    return count


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


def _slot_of(key: Any, table: Any, keys: Any) -> int:
    """Where a key is in a table, or where there is room for it: then the table has −1 there."""
    slot = np.int64(key % np.uint64(len(table)))
    while table[slot] >= 0 and keys[slot] != key:
        slot = (slot + 1) % len(table)
    return int(slot)


def _other_width(width: float, full: bool, rising: bool, made: int, budget: int) -> float:
    """The width of cells to try next: wider where there were too many, narrower where few; 0: none."""
    if full:
        return 2.0 * width
    if not rising and 3 * made < budget and width > NARROWEST:
        return 0.5 * width
    return 0.0


most_candidates: Any = njit(_most_candidates)
gather: Any = njit(_gather)
with_place: Any = njit(_with_place)
slot_of: Any = njit(_slot_of)
other_width: Any = njit(_other_width)
