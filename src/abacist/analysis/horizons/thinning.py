"""Compiled: the states of the next layer, checked, and thinned out where there are too many.

Those that stay are the extreme ones, in every number of a state and in every sum of the output
layer, and one from every cell of a grid.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from abacist.analysis.horizons import grid
from abacist.analysis.horizons.grid import with_place
from abacist.machine_code.compiled_functions import compiled

#: Cells need not be narrower than this.
_NARROWEST = 1e-8


@compiled(grid, nogil=True)
def thin_states(
    after: Any, layer_starts: Any, ways_starts: Any, symbols: Any, sources: Any, targets: Any, counted: Any,
    influences: Any, margin: float, budget: int, widths: Any, states: Any, parents: Any, read: Any,
    starts: Any, wrong: Any, wrong_parents: Any, wrong_read: Any, table: Any, keys: Any,
) -> None:  # fmt: skip
    """Write the next layer's states, (row, place), with the place of the state and the symbol that led there.

    after (symbol, row, place): what each symbol makes of the layer's states, the sums in the last rows;
    wrong (configuration,): how many states were found that decide wrongly, with their parents and
    symbols in wrong_parents, wrong_read (configuration, some). Where one is wrong, none is kept.
    """
    outputs, dimensions = targets.shape[1], states.shape[0]
    made, slots, most = 0, len(table), wrong_parents.shape[1]
    extremes = np.empty((2, dimensions + outputs), np.int64)
    bounds = np.empty((2, dimensions + outputs), np.float64)
    starts[0] = 0
    for number in range(len(starts) - 1):
        wrong[number], candidates = 0, 0
        bounds[0], bounds[1] = np.inf, -np.inf
        extremes[:] = -1
        for way in range(ways_starts[number], ways_starts[number + 1]):
            rows = after[symbols[way]]
            for place in range(layer_starts[sources[way]], layer_starts[sources[way] + 1]):
                bad = False
                for row in range(dimensions + outputs):
                    value = rows[row, place]
                    if value < bounds[0, row]:
                        bounds[0, row], extremes[0, row] = value, candidates
                    if value > bounds[1, row]:
                        bounds[1, row], extremes[1, row] = value, candidates
                    if row >= dimensions:
                        if targets[number, row - dimensions]:
                            bad |= not value >= -margin  # so is NaN, which predicts nothing
                        else:
                            bad |= value > margin
                if bad and counted[number] and wrong[number] < most:
                    wrong_parents[number, wrong[number]] = place
                    wrong_read[number, wrong[number]] = symbols[way]
                    wrong[number] += 1
                candidates += 1
        first, width = made, widths[number]
        rising = wrong[number] > 0 or candidates <= budget  # then one pass is enough
        while wrong[number] == 0:
            table[:] = -1
            made, full, scale = first, False, 1.0 / width
            for turn in range(2):  # the extreme ones first
                candidate = -1
                for way in range(ways_starts[number], ways_starts[number + 1]):
                    rows = after[symbols[way]]
                    for place in range(layer_starts[sources[way]], layer_starts[sources[way] + 1]):
                        candidate += 1
                        if candidates > budget:
                            if turn == 0:
                                extreme = False
                                for row in range(dimensions + outputs):
                                    extreme |= extremes[0, row] == candidate or extremes[1, row] == candidate
                                if not extreme:
                                    continue
                            key = np.uint64(0)
                            for row in range(dimensions):
                                key = with_place(key, rows[row, place] * (scale * influences[row]))
                            slot = np.int64(key % np.uint64(slots))
                            while table[slot] >= 0 and keys[slot] != key:
                                slot = (slot + 1) % slots
                            if table[slot] >= 0:
                                continue
                            if made - first == budget:
                                full = True
                                break
                            table[slot], keys[slot] = made, key
                        elif turn == 1:
                            continue
                        for row in range(dimensions):
                            states[row, made] = rows[row, place]
                        parents[made], read[made] = place, symbols[way]
                        made += 1
                    if full:
                        break
                if full:
                    break
            if full:
                width *= 2.0
                rising = True
            elif not rising and 3 * (made - first) < budget and width > _NARROWEST:
                width *= 0.5
            else:
                break
        widths[number] = width
        starts[number + 1] = made
