"""Compiled: the states of the next layer, checked, and thinned out where there are too many.

One from every cell of a grid stays: the most extreme, if one is, in some number of a state or in some sum of
the output layer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

import abacist.analysis.horizons.grid as grid
from abacist.analysis.horizons.grid import gather, most_candidates, other_width, slot_of, with_place
from abacist.machine_code.compiled_functions import compiled


def _is_wrong(rows: Any, place: int, wanted: Any, margin: float) -> bool:
    """Whether some sum decides wrongly, and not by rounding alone."""
    wrong, first = False, rows.shape[0] - len(wanted)
    for output in range(len(wanted)):
        value = rows[first + output, place]
        wrong |= value < -margin if wanted[output] else value > margin
    return wrong


def _extreme_first(after: Any, rows: Any, read: Any, places: Any, count: int, order: Any) -> None:
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


def _one_a_cell(
    after: Any, rows: Any, read: Any, places: Any, order: Any, scales: Any, budget: int, table: Any,
    keys: Any, kept: Any,
) -> int:  # fmt: skip
    """List the first candidate of every cell; how many, or −1 if more than the budget."""
    made = 0
    table[:] = -1
    for candidate in order:
        own, place, key = after[read[candidate]], places[candidate], np.uint64(0)
        for dimension in range(len(scales)):
            key = with_place(key, own[rows[dimension], place] * scales[dimension])
        slot = slot_of(key, table, keys)
        if table[slot] < 0:
            if made == budget:
                return -1
            table[slot], keys[slot] = made, key
            kept[made] = candidate
            made += 1
    return made


_wrong: Any = njit(_is_wrong)
_ordered: Any = njit(_extreme_first)
_thin: Any = njit(_one_a_cell)


@compiled(grid, nogil=True)
def thin_states(
    after: Any, layer_starts: Any, ways_starts: Any, symbols: Any, sources: Any, targets: Any, counted: Any,
    rows: Any, influences: Any, margin: float, budget: int, widths: Any, states: Any, parents: Any,
    read_there: Any, starts: Any, wrong: Any, wrong_parents: Any, wrong_read: Any, table: Any, keys: Any,
) -> None:  # fmt: skip
    """Write the next layer's states, (row, place), with the place of the state and the symbol that led there.

    after (symbol, row, place): what each symbol makes of the layer's states, the sums in the last rows;
    rows (row,): those that count, of the states' numbers, (dimension,), and of the sums behind them;
    wrong (configuration,): how many states were found that decide wrongly, with their parents and
    symbols in wrong_parents, wrong_read (configuration, some). Where one is wrong, none is kept. All else
    as in `merge_boxes`.
    """
    most = most_candidates(layer_starts, ways_starts, sources)
    read, places, order = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
    kept = np.empty(max(most, budget), np.int64)
    made = starts[0] = 0
    for number in range(len(starts) - 1):
        count = gather(number, layer_starts, ways_starts, symbols, sources, read, places)
        wrong[number] = 0
        for candidate in range(count if counted[number] else 0):
            place, symbol, known = places[candidate], read[candidate], wrong[number]
            if known < wrong_parents.shape[1] and _wrong(after[symbol], place, targets[number], margin):
                wrong_parents[number, known], wrong_read[number, known] = place, symbol
                wrong[number] += 1
        found = 0
        if wrong[number] == 0 and count <= budget:
            found = count
            for candidate in range(count):
                kept[candidate] = candidate
        elif wrong[number] == 0:
            _ordered(after, rows, read, places, count, order)
            width, rising = widths[number], False
            while width:
                widths[number] = width
                found = _thin(
                    after, rows, read, places, order[:count], influences / width, budget, table, keys, kept
                )
                rising |= found < 0
                width = other_width(width, found < 0, rising, found, budget)
        for candidate in kept[:found]:
            for row in rows[: len(influences)]:
                states[row, made] = after[read[candidate], row, places[candidate]]
            parents[made], read_there[made] = places[candidate], read[candidate]
            made += 1
        starts[number + 1] = made
