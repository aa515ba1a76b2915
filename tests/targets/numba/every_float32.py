"""Every finite float32, through the target's own sigmoid and tanh, and through those of bounds.

`python -m tests.targets.numba.every_float32` prints what docs/rounding.md shows.

The floats of one sign are taken in order of their size, in blocks; each lane has a stretch of a block.
Where the exact function moves, every value is compared with the float64 program's, which docs/rounding.md
holds to an argument of its own. Where it hardly moves (tiny x, and |x| past 64), it is still
monotone: no value of a block is farther from it than the block's extremes are from what it is at the ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

from abacist.machine_code.compiled_functions import processor
from abacist.targets.numba.lane_functions import sigmoid, tanh
from abacist.targets.numba.lane_memory import aligned, load, store
from abacist.targets.numba.lanes import less, select, splat
from abacist.targets.numba.widths import LANES
from tests.targets.numba import bound_activations

Array = NDArray[Any]

_LANES = LANES["float32"]
_STRETCH = 2**16  # floats of a block in one lane
_BLOCK = _LANES * _STRETCH
_ROUND = 64  # vectors that are computed before they are compared
_NEGATIVE = 2**31
_INFINITY = 0x7F800000  # its bits as a number: so many finite floats have a sign

#: All blocks: the sign's bit, and the bits of the smallest |x|.
BLOCKS = [(sign, first) for sign in (0, _NEGATIVE) for first in range(0, _INFINITY, _BLOCK)]

# mypy takes them for functions of more arguments
_load, _store, _splat = cast(Any, load), cast(Any, store), cast(Any, splat)
_less, _select = cast(Any, less), cast(Any, select)


def _kernel(function: Any, wide_function: Any) -> Any:
    """The compiled function that takes a block through sigmoid or tanh; the other is the truth in float64.

    `bits` and `x` are the same memory; `values`, `wide` and `wide_values` have its shape, (vector · lane).
    `extremes` gets, for each lane, the highest and lowest value and the deepest fall; `errors` the largest
    absolute and relative errors. Where x is negative, the values' signs are turned: they rise with |x|.
    """

    def block(sign, first, compare, bits, x, values, wide, wide_values, extremes, errors):  # type: ignore[no-untyped-def]
        zero, none = _splat(np.float32(0)), _splat(np.float64(0))
        high, low, fall = _splat(np.float32(-2)), _splat(np.float32(2)), zero
        largest, relative = none, none
        for start in range(0, _STRETCH, _ROUND):
            for n in range(_ROUND):
                for lane in range(_LANES):
                    bits[n * _LANES + lane] = np.uint32(sign + first + lane * _STRETCH + start + n)
            for n in range(_ROUND):
                value = function(_load(x, n))
                _store(values, n, value)
                if sign:
                    value = zero - value
                high = _select(_less(high, value), value, high)
                low = _select(_less(value, low), value, low)
                fall = _select(_less(fall, high - value), high - value, fall)
            if compare:
                for n in range(_ROUND * _LANES):
                    wide[n], wide_values[n] = x[n], values[n]
                for n in range(2 * _ROUND):
                    true = wide_function(_load(wide, n))
                    error = _load(wide_values, n) - true
                    error = _select(_less(error, none), none - error, error)
                    largest = _select(_less(largest, error), error, largest)
                    error = error / true
                    relative = _select(_less(relative, error), error, relative)
        _store(extremes, 0, high)
        _store(extremes, 1, low)
        _store(extremes, 2, fall)
        _store(errors, 0, largest)
        _store(errors, 1, relative)

    return njit(nogil=True)(block)


#: By the name of the function.
_KERNELS = {
    "sigmoid": _kernel(sigmoid, sigmoid),
    "tanh": _kernel(tanh, tanh),
    "sigmoid of bounds": _kernel(bound_activations.sigmoid, sigmoid),
    "tanh of bounds": _kernel(bound_activations.tanh, tanh),
}


@dataclass(frozen=True)
class Found:
    """What a program's function does for the floats from `start` to `end`.

    `error` bounds |program − exact|, `relative` the same relative to the exact value (which says something of
    sigmoid only, and where x is neither tiny nor huge). `fall` is how far a value can lie below that of
    a smaller x; `low` and `high` are the extreme values.
    """

    start: float
    end: float
    error: float
    relative: float
    fall: float
    low: float
    high: float


def exact(function: str, x: float) -> float:
    """Sigmoid or tanh of one number, from Python's own functions."""
    if function.startswith("tanh"):
        return math.tanh(x)
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def _block(function: str, sign: int, first: int) -> Found:
    bits, values = aligned((_ROUND * _LANES,), np.uint32), aligned((_ROUND * _LANES,), np.float32)
    wide, wide_values = (aligned((_ROUND * _LANES,), np.float64) for _ in range(2))
    extremes, errors = aligned((3, _LANES), np.float32), aligned((2, _LANES // 2), np.float64)
    ends = np.array([sign + first, sign + first + _BLOCK - 1], np.uint32).view(np.float32).tolist()
    compare = 2.0**-30 <= abs(ends[0]) < 64
    x = bits.view(np.float32)
    _KERNELS[function](
        sign, first, compare, bits, x, values, wide, wide_values, extremes.ravel(), errors.ravel()
    )
    high, low, fall = extremes.astype(np.float64)
    turn = -1 if sign else 1
    near, far = (turn * exact(function, end) for end in ends)
    error = errors[0].max() if compare else max(high.max() - near, far - low.min())
    between = (np.maximum.accumulate(high)[:-1] - low[1:]).max()
    seen = sorted((turn * float(low.min()), turn * float(high.max())))
    return Found(
        min(ends), max(ends), float(error), float(errors[1].max()), float(max(fall.max(), between)), *seen
    )


def through(function: str, blocks: Sequence[tuple[int, int]] = BLOCKS) -> list[Found]:
    """What sigmoid or tanh does on some blocks, in the order of x; computed on two threads."""
    with ThreadPoolExecutor(2) as threads:
        found = threads.map(lambda block: _block(function, *block), blocks)
        return sorted(found, key=lambda part: (part.start, part.end))


def together(parts: Sequence[Found]) -> Found:
    """What holds on blocks that follow each other, falls from one to a later one among it."""
    highest = np.maximum.accumulate([part.high for part in parts])
    between = max((high - part.low for high, part in zip(highest, parts[1:], strict=False)), default=0.0)
    return Found(
        parts[0].start,
        parts[-1].end,
        max(part.error for part in parts),
        max(part.relative for part in parts),
        max(between, *(part.fall for part in parts)),
        min(part.low for part in parts),
        max(part.high for part in parts),
    )


def main() -> None:
    """Print what was found."""
    print(f"processor: {processor()[0]}; {len(BLOCKS) * _BLOCK:,} floats")
    for function in _KERNELS:
        parts = through(function)
        whole, worst = together(parts), max(parts, key=lambda part: part.error)
        print(f"{function}: error {whole.error:.3e}, between x = {worst.start:.6g} and {worst.end:.6g}")
        print(f"  values from {whole.low:.6g} to {whole.high:.6g}, falls by at most {whole.fall:.3e}")
        if function.startswith("sigmoid"):
            print(f"  relative error {max(part.relative for part in parts if part.end <= 0):.3e} for x ≤ 0")


if __name__ == "__main__":
    main()
