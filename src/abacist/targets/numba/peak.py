"""The core's multiply-add peak, measured with the lane type itself."""

from __future__ import annotations

import time

import numpy as np

from abacist.machine_code.compiled_functions import compiled
from abacist.targets.numba import lane_memory, lanes, widths
from abacist.targets.numba.lane_memory import aligned, load_all, outer, store_all, zeros
from abacist.targets.numba.lanes import splat
from abacist.targets.numba.widths import LANES

_REPEATS = 2_000_000


@compiled(lane_memory, lanes, widths, nogil=True)
def _multiply_adds(values, repeats):
    """16 independent sums in registers, one multiply-add each per turn."""
    rows, columns = load_all(values, 0, 4), load_all(values, 4, 4)
    totals = zeros(16, splat(values[0]))
    for _ in range(repeats):
        totals = outer(rows, columns, totals)
    store_all(values, 8, totals)


def peak_flops(precision: str = "float32") -> float:
    """Floating-point operations per second, a multiply-add counted as two."""
    lanes = LANES[precision]
    values = aligned((24 * lanes,), precision)
    values[:] = np.linspace(0, 1e-3, len(values))
    _multiply_adds(values, 1000)
    begun = time.perf_counter()
    _multiply_adds(values, _REPEATS)
    return 16 * 2 * lanes * _REPEATS / (time.perf_counter() - begun)
