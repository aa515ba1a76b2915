"""Compiled packing: every word to its place among the lanes."""

from __future__ import annotations

import numpy as np

from abacist.machine_code.compiled_functions import compiled


@compiled(nogil=True)
def copy_words(places, starts, offsets, symbols, counted, targets, code_rows, counted_rows, target_rows):
    """Copy every word to its place; how many steps of it count, (slot, lane)."""
    sums = np.zeros(places.shape, np.int64)
    for slot in range(places.shape[0]):
        for lane in range(places.shape[1]):
            word, row = places[slot, lane], starts[slot]
            if word < 0:
                continue
            for step in range(offsets[word], offsets[word + 1]):
                code_rows[row, lane] = symbols[step]
                counted_rows[row, lane] = counted[step]
                sums[slot, lane] += counted[step]
                for output in range(targets.shape[1]):
                    target_rows[row, output, lane] = targets[step, output]
                row += 1
    return sums
