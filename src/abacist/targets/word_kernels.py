"""Compiled packing: words as the programs of targets read them."""

from __future__ import annotations

import numpy as np

from abacist.machine_code.compiled_functions import compiled

#: Steps that are copied for all lanes before the next: so many rows stay in the cache while they fill up.
_STEPS = 128


@compiled(nogil=True)
def copy_words(places, starts, offsets, symbols, counted, targets, code_rows, counted_rows, target_rows):
    """Copy every word to its place; how many steps of it count, (slot, lane)."""
    sums = np.zeros(places.shape, np.int64)
    for slot in range(places.shape[0]):
        longest = 0
        for word in places[slot]:
            if word >= 0:
                longest = max(longest, offsets[word + 1] - offsets[word])
        for begin in range(0, longest, _STEPS):
            for lane in range(places.shape[1]):
                word, row = places[slot, lane], starts[slot] + begin
                if word < 0:
                    continue
                first = offsets[word] + begin
                for step in range(first, min(first + _STEPS, offsets[word + 1])):
                    code_rows[row, lane] = symbols[step]
                    counted_rows[row, lane] = counted[step]
                    sums[slot, lane] += counted[step]
                    for output in range(targets.shape[1]):
                        target_rows[row, output, lane] = targets[step, output]
                    row += 1
    return sums


@compiled(nogil=True)
def encode(symbols, counted, targets, counted_bit, target_bit, codes):
    """The symbol in the lowest bits, then whether the step counts, then a bit for each output that is 1."""
    for step in range(symbols.size):
        code = np.int64(symbols[step]) | np.int64(counted[step]) << counted_bit
        for output in range(targets.shape[1]):
            code |= np.int64(targets[step, output] == 1) << (target_bit + output)
        codes[step] = code
