"""Compiled: boxes laid over what a step makes of other boxes, cell by cell of a grid.

What comes out is cut where cells end, and every piece is put into the box of its cell, which grows
where it must, in steps of a part of the cell. Cells are finitely many, and so are steps: it ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from abacist.analysis.horizons import next_layers
from abacist.analysis.horizons.next_layers import decided, inlined, slot_of, with_place
from abacist.machine_code.compiled_functions import compiled

#: Why there is no cover: some box does not decide rightly, or there are too many boxes.
UNSURE, TOO_MANY = -1, -2

#: Bounds grow in steps of a cell's width divided by this.
_STEPS = 16.0

#: No bound may be larger, and no box may be cut into more pieces.
_LARGEST, _MOST_PIECES = 1e6, 4096


@inlined
def _spanned(rows: Any, place: int, lower: Any, upper: Any, widths: Any, slack: float, span: Any) -> int:
    """Write a box's bounds, and its first and last cells, (4, dimension); how many pieces, 0 for too many.

    Bounds are moved by the slack, for the checker, which computes them in another precision.
    """
    pieces = 1
    for dimension in range(len(widths)):
        low, high = np.float64(rows[lower[dimension], place]), np.float64(rows[upper[dimension], place])
        if not (low > -_LARGEST and high < _LARGEST):
            return 0
        low -= slack * (1 + abs(low))
        high += slack * (1 + abs(high))
        first = np.floor(low / widths[dimension] + 0.5)
        last = max(first, np.ceil(high / widths[dimension] + 0.5) - 1)
        span[0, dimension], span[1, dimension] = low, high
        span[2, dimension], span[3, dimension] = first, last
        pieces = min(pieces * int(last - first + 1), _MOST_PIECES + 1)
    return 0 if pieces > _MOST_PIECES else pieces


@inlined
def _putting(
    span: Any, cell: Any, lower: Any, upper: Any, widths: Any, new: bool, boxes: Any, box: int
) -> bool:  # fmt: skip
    """Let the box of a cell hold a piece; whether it grew."""
    grew = new
    for dimension in range(len(widths)):
        width, part = widths[dimension], widths[dimension] / _STEPS
        low = max(np.floor(span[0, dimension] / part) * part, (cell[dimension] - 0.5) * width)
        high = min(np.ceil(span[1, dimension] / part) * part, (cell[dimension] + 0.5) * width)
        if new or low < boxes[lower[dimension], box]:
            boxes[lower[dimension], box] = low
            grew = True
        if new or high > boxes[upper[dimension], box]:
            boxes[upper[dimension], box] = high
            grew = True
    return grew


@compiled(next_layers, nogil=True)
def cover_boxes(
    after: Any, owners: Any, targets: Any, counted: Any, lower: Any, upper: Any, widths: Any, slack: float,
    margin: float, boxes: Any, owned: Any, grown: Any, filled: int, table: Any, keys: Any,
) -> int:  # fmt: skip
    """Cover what a step made of boxes; how many boxes there are then, or why there is no cover.

    after (row, place): what comes out; owners (place,): the configuration reached, −1 for none; targets
    (configuration, output), counted (configuration,); lower, upper (bound,): the rows of the bounds, those
    of the states first; widths (dimension,): of the cells; boxes (row, box), owned (box,), grown (box,):
    the boxes so far, `filled` of them, their configurations, and whether they are new or have grown; table,
    keys: of the cells.
    """
    dimensions = len(widths)
    span, cell = np.empty((4, dimensions)), np.empty(dimensions)
    for place in range(len(owners)):
        owner = owners[place]
        if owner < 0:
            continue
        if counted[owner] and not decided(after, place, lower, upper, targets[owner], margin):
            return UNSURE
        pieces = _spanned(after, place, lower, upper, widths, slack, span)
        if pieces == 0:
            return TOO_MANY
        cell[:] = span[2]
        for _ in range(pieces):
            key = with_place(np.uint64(0), float(owner))
            for dimension in range(dimensions):
                key = with_place(key, cell[dimension])
            slot = slot_of(key, table, keys)
            new = table[slot] < 0
            if new:
                if filled == len(owned):
                    return TOO_MANY
                table[slot], keys[slot], owned[filled] = filled, key, owner
                filled += 1
            box = table[slot]
            if _putting(span, cell, lower, upper, widths, new, boxes, box):
                grown[box] = True
            for dimension in range(dimensions):  # the next cell, the first dimension fastest
                cell[dimension] += 1
                if cell[dimension] <= span[3, dimension]:
                    break
                cell[dimension] = span[2, dimension]
    return filled
