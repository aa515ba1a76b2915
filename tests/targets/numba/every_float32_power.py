"""Every float32 that has one, through the target's own exponential, logarithm and softplus.

`python -m tests.targets.numba.every_float32_power` prints what docs/rounding.md shows. Each value is compared
with the float64 program's, which is held to an argument and to 50 digits; what is found is the largest part
of what is promised. Past e⁸⁸ a program may say infinity.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import numpy as np
from numba import njit

from abacist.algebra import ROUNDING
from abacist.machine_code.compiled_functions import processor
from abacist.targets.numba.exponentials import exponential, logarithm, softplus
from abacist.targets.numba.lane_memory import aligned, load, store
from abacist.targets.numba.widths import LANES

_LANES = LANES["float32"]
_BLOCK = 2**20  # floats
_ROUND = 1024  # floats that are computed before they are compared
_NEGATIVE = 2**31
_INFINITY = 0x7F800000  # its bits as a number: so many finite floats have a sign

_load, _store = cast(Any, load), cast(Any, store)
_PROMISE = ROUNDING["float32"]


def _bits(x: float) -> int:
    return int(np.float32(x).view(np.uint32))


#: The sign's bit, and the bits of the smallest |x|, of blocks of each function's arguments.
BLOCKS = {
    "exponential": [
        *((0, first) for first in range(0, _bits(88.0), _BLOCK)),
        *((_NEGATIVE, first) for first in range(0, _INFINITY, _BLOCK)),
    ],
    "logarithm": [(0, first) for first in range(0, _INFINITY, _BLOCK)],
    "softplus": [(sign, first) for sign in (0, _NEGATIVE) for first in range(0, _INFINITY, _BLOCK)],
}


def _kernel(function: Any, of_itself: float, for_each: float, absolutely: float) -> Any:
    """The compiled function that says how much of a promise a block needs.

    `bits` and `x` are the same memory; `values`, `wide` and `wide_values` have its shape.
    """

    def block(sign, first, bits, x, values, wide, wide_values):  # type: ignore[no-untyped-def]
        largest = 0.0
        for start in range(0, _BLOCK, _ROUND):
            for n in range(_ROUND):
                bits[n] = np.uint32(sign + first + start + n)
                wide[n] = x[n]
            for n in range(_ROUND // _LANES):
                _store(values, n, function(_load(x, n)))
            for n in range(2 * _ROUND // _LANES):
                _store(wide_values, n, function(_load(wide, n)))
            for n in range(_ROUND):
                exact = abs(wide_values[n])
                allowed = exact * (of_itself + for_each * abs(wide[n])) + absolutely
                error = abs(np.float64(values[n]) - wide_values[n])
                if error > allowed * largest:
                    largest = error / allowed
                elif np.isnan(error) and wide[n] != 0:  # the logarithm of 0 is no number
                    largest = np.inf
        return largest

    return njit(nogil=True, error_model="numpy")(block)


_KERNELS = {
    "exponential": _kernel(exponential, _PROMISE.exponential, 2 * _PROMISE.unit, 2 * _PROMISE.smallest),
    "logarithm": _kernel(logarithm, _PROMISE.logarithm, 0.0, 0.0),
    "softplus": _kernel(softplus, _PROMISE.unit, 0.0, _PROMISE.softplus),
}


def through(function: str, blocks: Sequence[tuple[int, int]]) -> float:
    """The largest part of its promise that a function needs on some blocks; computed on two threads."""

    def needed(block: tuple[int, int]) -> float:
        bits, values = aligned((_ROUND,), np.uint32), aligned((_ROUND,), np.float32)
        wide, wide_values = (aligned((_ROUND,), np.float64) for _ in range(2))
        found = _KERNELS[function](*block, bits, bits.view(np.float32), values, wide, wide_values)
        return float(found)

    with ThreadPoolExecutor(2) as threads:
        return max(threads.map(needed, blocks))


def main() -> None:
    """Print what was found."""
    print(f"processor: {processor()[0]}")
    for function, blocks in BLOCKS.items():
        found = through(function, blocks)
        print(f"{function}: {len(blocks) * _BLOCK:,} floats, {found:.2f} of what is promised")


if __name__ == "__main__":
    main()
