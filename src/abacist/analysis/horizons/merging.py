"""Compiled: the boxes of the next layer, checked, and merged where there are too many.

Boxes whose middles lie in the same cell of a grid become their hull. A grid's cells are as small as
the budget allows; none is ever dropped, so what is proved of the hulls is proved of all boxes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from abacist.analysis.horizons import grid
from abacist.analysis.horizons.grid import with_place
from abacist.machine_code.compiled_functions import compiled

#: Cells need not be narrower than rounding is.
_NARROWEST = 1e-8

#: No bound, and no weight, may be larger: beyond it a float32 program could overflow within a step.
LARGEST = 1e12


@compiled(grid, nogil=True)
def merge_boxes(
    after: Any, layer_starts: Any, ways_starts: Any, symbols: Any, sources: Any, targets: Any, counted: Any,
    lower: Any, upper: Any, influences: Any, margin: float, budget: int, widths: Any, boxes: Any,
    starts: Any, unsure: Any, table: Any, keys: Any,
) -> None:  # fmt: skip
    """Write the next layer's boxes, (row, place), and where those of each configuration start.

    after (symbol, row, place): what each symbol makes of the layer's boxes; lower, upper (dimension,):
    the rows of the bounds, those of the states first; influences (dimension,): a cell is the narrower
    in a dimension, the more that matters; targets (configuration, output); counted
    (configuration,): whether its predictions are judged; widths (configuration,): the cells of its
    grid, as wide as they must be; unsure (configuration,): where some box is not sure to be right;
    table, keys: for the cells of one configuration. There must be room for all boxes.
    """
    outputs = targets.shape[1]
    dimensions = len(lower) - outputs
    made, slots = 0, len(table)
    starts[0] = 0
    for number in range(len(starts) - 1):
        sure, candidates = True, 0
        for way in range(ways_starts[number], ways_starts[number + 1]):
            rows = after[symbols[way]]
            for place in range(layer_starts[sources[way]], layer_starts[sources[way] + 1]):
                for dimension in range(len(lower)):
                    low, high = rows[lower[dimension], place], rows[upper[dimension], place]
                    sure &= low > -LARGEST and high < LARGEST  # not so where one is NaN
                if counted[number]:
                    for output in range(outputs):
                        if targets[number, output]:
                            sure &= rows[lower[dimensions + output], place] > margin
                        else:
                            sure &= rows[upper[dimensions + output], place] < -margin
                candidates += 1
        unsure[number] = not sure
        first = made
        if sure and candidates <= budget:
            for way in range(ways_starts[number], ways_starts[number + 1]):
                rows = after[symbols[way]]
                for place in range(layer_starts[sources[way]], layer_starts[sources[way] + 1]):
                    for dimension in range(dimensions):
                        boxes[lower[dimension], made] = rows[lower[dimension], place]
                        boxes[upper[dimension], made] = rows[upper[dimension], place]
                    made += 1
        elif sure:
            width, rising = widths[number], False
            while True:
                table[:] = -1
                made, full = first, False
                scale = 0.5 / width
                for way in range(ways_starts[number], ways_starts[number + 1]):
                    rows = after[symbols[way]]
                    for place in range(layer_starts[sources[way]], layer_starts[sources[way] + 1]):
                        key = np.uint64(0)
                        for dimension in range(dimensions):
                            middle = np.float64(rows[lower[dimension], place]) + rows[upper[dimension], place]
                            key = with_place(key, middle * (scale * influences[dimension]))
                        slot = np.int64(key % np.uint64(slots))
                        while table[slot] >= 0 and keys[slot] != key:
                            slot = (slot + 1) % slots
                        if table[slot] < 0:
                            if made - first == budget:
                                full = True
                                break
                            table[slot], keys[slot] = made, key
                            for dimension in range(dimensions):
                                boxes[lower[dimension], made] = rows[lower[dimension], place]
                                boxes[upper[dimension], made] = rows[upper[dimension], place]
                            made += 1
                        else:
                            box = table[slot]
                            for dimension in range(dimensions):
                                low, high = lower[dimension], upper[dimension]
                                boxes[low, box] = min(boxes[low, box], rows[low, place])
                                boxes[high, box] = max(boxes[high, box], rows[high, place])
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
