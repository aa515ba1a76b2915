"""The core's multiply-add peak, measured with the vectors of programs."""

from __future__ import annotations

import time

import numpy as np

from abacist.targets.llvm import LANES
from abacist.targets.llvm.machine import NUMBERS, WHOLE, Function, Program
from abacist.targets.llvm.packing import aligned
from abacist.targets.llvm.vectors import integer

_REPEATS = 2_000_000

#: Independent sums in registers, one multiply-add each per turn.
_SUMS = 16


def peak_flops() -> float:
    """Floating-point operations per second in float32, a multiply-add counted as two."""
    values = aligned(((8 + _SUMS) * LANES["float32"],), "float32")
    values[:] = np.linspace(0, 1e-3, len(values))
    function = Function(_program())
    function(values=values, repeats=1000)
    begun = time.perf_counter()
    function(values=values, repeats=_REPEATS)
    return _SUMS * 2 * LANES["float32"] * _REPEATS / (time.perf_counter() - begun)


def _program() -> Program:
    program = Program("multiply_adds", "float32", {"values": NUMBERS, "repeats": WHOLE})
    v, build, values = program.v, program.build, program.arguments["values"]
    rows, columns = ([v.load(values, integer(first + n)) for n in range(4)] for first in (0, 4))
    sums = [v.variable(v.constant(0.0)) for _ in range(_SUMS)]
    with v.loop(integer(0), program.arguments["repeats"]):
        for (a, b), total in zip(((a, b) for a in rows for b in columns), sums, strict=True):
            build.store(v.fma(a, b, build.load(total)), total)
    for n, total in enumerate(sums):
        v.store(values, integer(8 + n), build.load(total))
    return program.finished()
