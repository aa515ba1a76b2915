"""Compiled encoding: a number for each step of some words."""

from __future__ import annotations

import numpy as np

from abacist.machine_code.compiled_functions import compiled


@compiled(nogil=True)
def encode(symbols, counted, targets, counted_bit, target_bit, codes):
    """The symbol in the lowest bits, then whether the step counts, then a bit for each output that is 1."""
    for step in range(symbols.size):
        code = np.int64(symbols[step]) | np.int64(counted[step]) << counted_bit
        for output in range(targets.shape[1]):
            code |= np.int64(targets[step, output] == 1) << (target_bit + output)
        codes[step] = code
