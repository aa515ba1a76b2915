"""Compiled: the boxes of the next layer, checked, and merged where there are too many.

Boxes whose middles lie in the same cell of a grid become their hull. A grid's cells are as small as
the budget allows; none is ever dropped, so what is proved of the hulls is proved of all boxes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

import abacist.analysis.horizons.grid as grid
from abacist.analysis.horizons.grid import gather, most_candidates, other_width, slot_of, with_place
from abacist.machine_code.compiled_functions import compiled


def _is_sure(
    rows: Any, place: int, lower: Any, upper: Any, wanted: Any, counted: bool, margin: float, largest: float
) -> bool:
    """Whether a box has numbers for bounds, none too large, and its sums decide rightly, if that counts."""
    sure, dimensions = True, len(lower) - len(wanted)
    for bound in range(len(lower)):
        sure &= rows[lower[bound], place] > -largest and rows[upper[bound], place] < largest  # NaN is not
    for output in range(len(wanted) if counted else 0):
        if wanted[output]:
            sure &= rows[lower[dimensions + output], place] > margin
        else:
            sure &= rows[upper[dimensions + output], place] < -margin
    return sure


def _merged(
    after: Any, read: Any, places: Any, count: int, lower: Any, upper: Any, scales: Any, boxes: Any,
    first: int, budget: int, table: Any, keys: Any,
) -> int:  # fmt: skip
    """Write boxes from a place on, those of one cell as their hull; how many, or −1 if too many."""
    made = 0
    table[:] = -1
    for candidate in range(count):
        rows, place, key = after[read[candidate]], places[candidate], np.uint64(0)
        for dimension in range(len(scales)):
            twice = np.float64(rows[lower[dimension], place]) + rows[upper[dimension], place]
            key = with_place(key, 0.5 * twice * scales[dimension])
        slot = slot_of(key, table, keys)
        if table[slot] < 0:
            if made == budget:
                return -1
            table[slot], keys[slot] = first + made, key
            _copy(rows, place, lower, upper, len(scales), boxes, first + made)
            made += 1
        else:
            box = table[slot]
            for dimension in range(len(scales)):
                low, high = lower[dimension], upper[dimension]
                boxes[low, box] = min(boxes[low, box], rows[low, place])
                boxes[high, box] = max(boxes[high, box], rows[high, place])
    return made


def _copy_box(rows: Any, place: int, lower: Any, upper: Any, dimensions: int, boxes: Any, to: int) -> None:
    for dimension in range(dimensions):
        boxes[lower[dimension], to] = rows[lower[dimension], place]
        boxes[upper[dimension], to] = rows[upper[dimension], place]


_copy: Any = njit(_copy_box)
_sure: Any = njit(_is_sure)
_merge: Any = njit(_merged)


@compiled(grid, nogil=True)
def merge_boxes(
    after: Any, layer_starts: Any, ways_starts: Any, symbols: Any, sources: Any, targets: Any, counted: Any,
    lower: Any, upper: Any, influences: Any, margin: float, largest: float, budget: int, widths: Any,
    boxes: Any, starts: Any, unsure: Any, table: Any, keys: Any,
) -> None:  # fmt: skip
    """Write the next layer's boxes, (row, place), and where those of each configuration start.

    after (symbol, row, place): what each symbol makes of the layer's boxes; lower, upper (bound,): the
    rows of the bounds, those of the states first; influences (dimension,): a cell is the narrower in a
    dimension, the more that matters; largest: what all bounds must stay below; targets (configuration,
    output); counted (configuration,): whether its predictions are judged; widths (configuration,): of the
    cells of its grid, as wide as they must be; unsure (configuration,): where some box is not sure to be
    right, which then has none;
    table, keys: for the cells of one configuration. There must be room for all boxes.
    """
    most = most_candidates(layer_starts, ways_starts, sources)
    read, places = np.empty(most, np.int64), np.empty(most, np.int64)
    made = starts[0] = 0
    for number in range(len(starts) - 1):
        count = gather(number, layer_starts, ways_starts, symbols, sources, read, places)
        sure = True
        for candidate in range(count):
            rows, place = after[read[candidate]], places[candidate]
            sure &= _sure(rows, place, lower, upper, targets[number], counted[number], margin, largest)
        unsure[number] = not sure
        if sure and count <= budget:
            for candidate in range(count):
                rows, place = after[read[candidate]], places[candidate]
                _copy(rows, place, lower, upper, len(influences), boxes, made + candidate)
            made += count
        elif sure:
            width, rising = widths[number], False
            while width:
                widths[number] = width
                found = _merge(
                    after, read, places, count, lower, upper, influences / width, boxes, made, budget,
                    table, keys,
                )  # fmt: skip
                rising |= found < 0
                width = other_width(width, found < 0, rising, found, budget)
            made += found
        starts[number + 1] = made
