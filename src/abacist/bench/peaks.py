"""The multiply-add peak of a core, and of a CUDA device: floating-point operations per second, measured.

A multiply-add counts as two. Programs are the targets' own, of independent sums in registers.
"""

from __future__ import annotations

import time
from ctypes import byref, c_float, c_int, c_void_p

import numpy as np

from abacist.on_demand import on_demand
from abacist.targets.llvm import LANES

_driver = on_demand("abacist.targets.cuda.driver")
_machine = on_demand("abacist.targets.llvm.machine")
_packing = on_demand("abacist.targets.llvm.packing")
_vectors = on_demand("abacist.targets.llvm.vectors")

#: Sums of a core or of a thread, and multiply-adds of each.
_SUMS, _REPEATS, _DEVICE_REPEATS = 16, 2_000_000, 4_096

#: Threads of a block.
_BLOCK = 256

_DEVICE_PROGRAM = f"""
typedef float number;
extern "C" __global__ void multiply_adds(number *values, int repeats) {{
  number sums[{_SUMS}], factor = values[threadIdx.x], term = values[threadIdx.x + 1];
  for (int k = 0; k < {_SUMS}; k++) sums[k] = values[k];
  for (int n = 0; n < repeats; n++) {{
    #pragma unroll
    for (int k = 0; k < {_SUMS}; k++) sums[k] = fma(sums[k], factor, term);
  }}
  for (int k = 1; k < {_SUMS}; k++) sums[0] += sums[k];
  if (sums[0] == 1) values[0] = sums[0];
}}
"""


def core_peak() -> float:
    """The peak of one core in float32."""
    lanes = LANES["float32"]
    values = _packing.aligned(((8 + _SUMS) * lanes,), "float32")
    values[:] = np.linspace(0, 1e-3, len(values))
    program = _machine.Program("multiply_adds", "float32", {"values": "numbers", "repeats": "whole"})
    v, build, integer = program.v, program.build, _vectors.integer
    array = program.arguments["values"]
    rows, columns = ([v.load(array, integer(first + n)) for n in range(4)] for first in (0, 4))
    sums = [v.variable(v.constant(0.0)) for _ in range(_SUMS)]
    with v.loop(integer(0), program.arguments["repeats"]):
        for (a, b), total in zip(((a, b) for a in rows for b in columns), sums, strict=True):
            build.store(v.fma(a, b, build.load(total)), total)
    for n, total in enumerate(sums):
        v.store(array, integer(8 + n), build.load(total))
    function = _machine.Function(program.finished())
    function(values=values, repeats=1000)
    begun = time.perf_counter()
    function(values=values, repeats=_REPEATS)
    return 2.0 * lanes * _SUMS * _REPEATS / (time.perf_counter() - begun)


class Clock:
    """Time on the device, between two points of what it is given to do."""

    def __init__(self) -> None:
        self._begun, self._ended = c_void_p(), c_void_p()
        for event in (self._begun, self._ended):
            _driver.call("cuEventCreate", byref(event), 0)

    def __enter__(self) -> Clock:
        _driver.call("cuEventRecord", self._begun, None)
        return self

    def __exit__(self, *_: object) -> None:
        _driver.call("cuEventRecord", self._ended, None)
        _driver.call("cuEventSynchronize", self._ended)

    @property
    def seconds(self) -> float:
        elapsed = c_float()
        _driver.call("cuEventElapsedTime", byref(elapsed), self._begun, self._ended)
        return elapsed.value / 1000


def device_peak() -> float:
    """The peak of the CUDA device in float32."""
    program = _driver.kernel(_DEVICE_PROGRAM, "multiply_adds")
    values, blocks = _driver.Buffer.zeros(4 * (_BLOCK + 1)), 8 * _driver.device().limits.multiprocessors
    best = float("inf")
    for _ in range(5):
        with Clock() as clock:
            program(blocks, _BLOCK, (values, c_int(_DEVICE_REPEATS)))
        best = min(best, clock.seconds)
    return float(2 * blocks * _BLOCK * _SUMS * _DEVICE_REPEATS / best)
