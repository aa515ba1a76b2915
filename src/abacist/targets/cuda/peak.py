"""The device's multiply-add peak, measured."""

from __future__ import annotations

from ctypes import c_int

from abacist.targets.cuda.driver import Buffer, Clock, device, kernel

_BLOCK, _SUMS, _REPEATS = 256, 16, 4_096

_SOURCE = """
extern "C" __global__ void multiply_adds(number *values, int repeats) {
  number sums[SUMS], factor = values[threadIdx.x], term = values[threadIdx.x + 1];
  for (int k = 0; k < SUMS; k++) sums[k] = values[k];
  for (int n = 0; n < repeats; n++) {
    #pragma unroll
    for (int k = 0; k < SUMS; k++) sums[k] = fma(sums[k], factor, term);
  }
  for (int k = 1; k < SUMS; k++) sums[0] += sums[k];
  if (sums[0] == 1) values[0] = sums[0];
}
"""


def peak_flops(precision: str = "float32") -> float:
    """Floating-point operations per second, a multiply-add counted as two."""
    kind = "float" if precision == "float32" else "double"
    source = f"typedef {kind} number;\n#define SUMS {_SUMS}\n{_SOURCE}"
    program = kernel(source, "multiply_adds")
    values, blocks = Buffer.zeros(8 * (_BLOCK + 1)), device().limits.multiprocessors * 8
    best = float("inf")
    for _ in range(5):
        with Clock() as clock:
            program(blocks, _BLOCK, (values, c_int(_REPEATS)))
        best = min(best, clock.seconds)
    return 2.0 * blocks * _BLOCK * _SUMS * _REPEATS / best
