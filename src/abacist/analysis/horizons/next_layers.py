"""Compiled: the next layer, its boxes or states checked, and fewer of them where there are too many.

A grid is laid over what leads to a configuration, with cells as small as the budget allows. Boxes whose
middles lie in the same cell become their hull: none is ever dropped, so what is proved of the hulls is proved
of all. Of states one from every cell stays: the most extreme, if one is, in some number of a state or in some
sum of the output layer. A share of the budget may go to the others that are nearest to a wrong decision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit

from abacist.machine_code.compiled_functions import compiled

F = TypeVar("F", bound=Callable[..., Any])

#: What compiled code calls is compiled with it.
inlined: Callable[[F], F] = cast(Any, njit)

#: Beyond it, cells are no longer told apart.
_FARTHEST = 2.0**62

#: Cells need not be narrower than rounding is.
NARROWEST = 1e-8


@inlined
def with_place(key: Any, place: float) -> Any:
    """The key of a cell with one dimension more, in which it lies at a place, in widths of a cell.

    Zero is the middle of a cell, not its end: so wide cells hold everything, whatever its sign.
    """
    if -_FARTHEST < place < _FARTHEST:
        cell = np.int64(np.rint(place))
    else:
        cell = np.int64(_FARTHEST if place > 0 else -_FARTHEST)  # NaN with the lowest
    key = (key ^ np.uint64(cell)) * np.uint64(0x9E3779B97F4A7C15)
    return key ^ (key >> np.uint64(29))


@inlined
def slot_of(key: Any, table: Any, keys: Any) -> int:
    """Where a key is in a table, or where there is room for it: then the table has −1 there."""
    slot = np.int64(key % np.uint64(len(table)))
    while table[slot] >= 0 and keys[slot] != key:
        slot = (slot + 1) % len(table)
    return int(slot)


@inlined
def _sure(
    rows: Any, place: int, lower: Any, upper: Any, wanted: Any, counted: bool, margin: float, largest: float
) -> bool:
    """Whether a box has numbers for bounds, none too large, and its sums, whose bounds come last, are on the
    right side, if that counts."""
    sure, first = True, len(lower) - len(wanted)
    for bound in range(len(lower)):
        sure &= rows[lower[bound], place] > -largest and rows[upper[bound], place] < largest  # NaN is not
    for output in range(len(wanted) if counted else 0):
        if wanted[output]:
            sure &= rows[lower[first + output], place] > margin
        else:
            sure &= rows[upper[first + output], place] < -margin
    return sure


@inlined
def _cells_of_width(
    after: Any, read: Any, places: Any, order: Any, lower: Any, upper: Any, scales: Any, budget: int,
    table: Any, keys: Any, cells: Any, kept: Any,
) -> int:  # fmt: skip
    """Number the cells in which the middles of candidates lie; how many, or −1 if more than the budget."""
    filled = 0
    table[:] = -1
    for candidate in order:
        rows, place, key = after[read[candidate]], places[candidate], np.uint64(0)
        for dimension in range(len(scales)):
            twice = np.float64(rows[lower[dimension], place]) + rows[upper[dimension], place]
            key = with_place(key, 0.5 * twice * scales[dimension])
        slot = slot_of(key, table, keys)
        if table[slot] < 0:
            if filled == budget:
                return -1
            table[slot], keys[slot], kept[filled] = filled, key, candidate
            filled += 1
        cells[candidate] = table[slot]
    return filled


@inlined
def _grid(
    after: Any, read: Any, places: Any, order: Any, lower: Any, upper: Any, influences: Any, budget: int,
    widths: Any, number: int, table: Any, keys: Any, cells: Any, kept: Any,
) -> int:  # fmt: skip
    """Number the cells of the finest grid that the budget allows, beginning with its last width; how many.

    cells (candidate,): the cell of each; kept (cell,): the first candidate of each, by order (candidate,).
    The width is that of a configuration's number. No more candidates than the budget have a cell each.
    """
    if len(order) <= budget:
        for candidate in range(len(order)):
            cells[candidate] = kept[candidate] = candidate
        return len(order)
    width, rising = widths[number], False
    while True:
        filled = _cells_of_width(
            after, read, places, order, lower, upper, influences / width, budget, table, keys, cells, kept
        )
        if filled < 0:
            width, rising = 2.0 * width, True
        elif rising or 3 * filled >= budget or width <= NARROWEST:
            widths[number] = width
            return filled
        else:
            width *= 0.5


@compiled(nogil=True)
def merge_boxes(
    after: Any, read: Any, places: Any, firsts: Any, targets: Any, counted: Any, influences: Any,
    margin: float, budget: int, widths: Any, boxes: Any, starts: Any, table: Any, keys: Any, lower: Any,
    upper: Any, largest: float, unsure: Any,
) -> None:  # fmt: skip
    """Write the next layer's boxes, (row, place), and where those of each configuration start.

    after (symbol, row, place): what each symbol makes of the layer's boxes; read, places (candidate,): which
    of these lead to the next layer's configurations, those of each from firsts (configuration,) on; targets
    (configuration, output); counted (configuration,): whether its predictions are judged; influences
    (dimension,): a cell is the narrower in a dimension, the more that matters; widths (configuration,): of
    the cells of its grid, as wide as they must be; table, keys: for the cells of one configuration; lower,
    upper (bound,): the rows of the bounds, those of the states first; largest: what all bounds must stay
    below; unsure (configuration,): where some box is not sure to be right, which then has none. There must be
    room for all boxes.
    """
    filled = starts[0] = 0
    for number in range(len(starts) - 1):
        first, end = firsts[number], firsts[number + 1]
        symbols, origins = read[first:end], places[first:end]
        count, sure = len(symbols), True
        for candidate in range(count):
            rows, place = after[symbols[candidate]], origins[candidate]
            sure &= _sure(rows, place, lower, upper, targets[number], counted[number], margin, largest)
        unsure[number] = not sure
        if sure:
            cells, kept = np.empty(count, np.int64), np.empty(count, np.int64)
            chosen = _grid(
                after, symbols, origins, np.arange(count), lower, upper, influences, budget, widths, number,
                table, keys, cells, kept,
            )  # fmt: skip
            for candidate in range(count):
                rows, place, cell = after[symbols[candidate]], origins[candidate], cells[candidate]
                box, new = filled + cell, kept[cell] == candidate
                for dimension in range(len(influences)):
                    low, high = lower[dimension], upper[dimension]
                    least, greatest = rows[low, place], rows[high, place]
                    boxes[low, box] = least if new else min(boxes[low, box], least)
                    boxes[high, box] = greatest if new else max(boxes[high, box], greatest)
            filled += chosen
        starts[number + 1] = filled


@inlined
def _least_margin(rows: Any, place: int, wanted: Any) -> float:
    """The least distance of a sum from its threshold, below zero where it decides wrongly."""
    least, first = np.inf, rows.shape[0] - len(wanted)
    for output in range(len(wanted)):
        value = np.float64(rows[first + output, place])
        distance = value if wanted[output] else -value
        if distance < least:  # NaN is not
            least = distance
    return least


@inlined
def _add_nearest(margins: Any, most: int, kept: Any, count: int) -> int:
    """Add to `count` kept candidates the others with the least margins, `most` at most; how many are kept."""
    others, end = np.ones(len(margins), np.bool_), count
    for candidate in kept[:count]:
        others[candidate] = False
    for candidate in np.flatnonzero(others):
        if end < count + most:
            end += 1
        elif most == 0 or not margins[candidate] < margins[kept[end - 1]]:
            continue
        place = end - 1
        while place > count and margins[candidate] < margins[kept[place - 1]]:
            kept[place] = kept[place - 1]
            place -= 1
        kept[place] = candidate
    return end


@inlined
def _ordered(after: Any, rows: Any, read: Any, places: Any, count: int, order: Any) -> None:
    """The order of candidates in which those with the least or the largest value in some row come first."""
    for candidate in range(count):  # NumPy's own ways to say this take seconds to compile
        order[candidate] = candidate
    moved = 0
    for row in rows:
        low = high = 0
        for candidate in range(count):
            value = after[read[candidate], row, places[candidate]]
            if value < after[read[low], row, places[low]]:
                low = candidate
            if value > after[read[high], row, places[high]]:
                high = candidate
        for extreme in (low, high):
            for later in range(moved, count):
                if order[later] == extreme:
                    order[later], order[moved] = order[moved], extreme
                    moved += 1
                    break


@compiled(nogil=True)
def thin_states(
    after: Any, read: Any, places: Any, firsts: Any, targets: Any, counted: Any, influences: Any,
    margin: float, budget: int, widths: Any, states: Any, starts: Any, table: Any, keys: Any, rows: Any,
    nearest: float, parents: Any, last_read: Any, wrong: Any, wrong_parents: Any, wrong_read: Any,
) -> None:  # fmt: skip
    """Write the next layer's states, (row, place), with the place of the state and the symbol that led there.

    after (symbol, row, place): what each symbol makes of the layer's states, the sums in the last rows;
    rows (row,): those that count, of the states' numbers, (dimension,), and of the sums behind them;
    nearest: the share of the budget that the grid leaves to the states with the least margins of a decision;
    wrong (configuration,): how many states were found that decide wrongly, with their parents and
    symbols in wrong_parents, wrong_read (configuration, some). Where one is wrong, none is kept. All else
    as in `merge_boxes`.
    """
    filled = starts[0] = 0
    for number in range(len(starts) - 1):
        first, end = firsts[number], firsts[number + 1]
        symbols, origins = read[first:end], places[first:end]
        count, chosen, wrong[number] = len(symbols), 0, 0
        margins = np.empty(count)
        for candidate in range(count):
            place, symbol, listed = origins[candidate], symbols[candidate], wrong[number]
            margins[candidate] = _least_margin(after[symbol], place, targets[number])
            if counted[number] and margins[candidate] < -margin and listed < wrong_parents.shape[1]:
                wrong_parents[number, listed], wrong_read[number, listed] = place, symbol
                wrong[number] += 1
        cells, kept, order = np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.int64)
        if wrong[number] == 0:
            of_grid = budget
            if count > budget:
                of_grid -= int(nearest * budget)
                _ordered(after, rows, symbols, origins, count, order)
            chosen = _grid(
                after, symbols, origins, order, rows, rows, influences, of_grid, widths, number, table, keys,
                cells, kept,
            )  # fmt: skip
            if nearest > 0.0 and count > budget:
                chosen = _add_nearest(margins, budget - chosen, kept, chosen)
        for candidate in kept[:chosen]:
            for row in rows[: len(influences)]:
                states[row, filled] = after[symbols[candidate], row, origins[candidate]]
            parents[filled], last_read[filled] = origins[candidate], symbols[candidate]
            filled += 1
        starts[number + 1] = filled
