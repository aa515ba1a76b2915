"""Every finite float32, through the target's own sigmoid and tanh, and through those of bounds.

`python -m tests.targets.llvm.every_float32` prints what docs/rounding.md shows.

The floats of one sign are taken in order of their size, in blocks; each lane has a stretch of a block.
Where the exact function moves, every value is compared with the float64 program's, which docs/rounding.md
holds to an argument of its own. Where it hardly moves (tiny x, and |x| past 64), it is still
monotone: no value of a block is farther from it than the block's extremes are from what it is at the ends.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.targets.functions import sigmoid, tanh
from abacist.targets.llvm import LANES
from abacist.targets.llvm.machine import BYTES, INTEGERS, NUMBERS, WHOLE, Function, processor
from abacist.targets.llvm.packing import aligned
from abacist.targets.llvm.vectors import integer
from tests.targets.llvm import bound_activations
from tests.targets.llvm.compiled import by_hand, use_generic_processor, vectors

Array = NDArray[Any]

_LANES = LANES["float32"]
_STRETCH = 2**16  # floats of a block in one lane
_BLOCK = _LANES * _STRETCH
_NEGATIVE = 2**31
_INFINITY = 0x7F800000  # its bits as a number: so many finite floats have a sign

#: All blocks: the sign's bit, and the bits of the smallest |x|.
BLOCKS = [(sign, first) for sign in (0, _NEGATIVE) for first in range(0, _INFINITY, _BLOCK)]

#: By name: a function, and the truth in float64.
FUNCTIONS = {
    "sigmoid": (sigmoid, sigmoid),
    "tanh": (tanh, tanh),
    "sigmoid of bounds": (bound_activations.sigmoid, sigmoid),
    "tanh of bounds": (bound_activations.tanh, tanh),
}

#: first: the bits of the first float of each lane, as bytes; extremes (3, lane): the highest and the lowest
#: value and the deepest fall; errors (2, lane): the largest absolute and relative errors, as bits of float64.
_ARGUMENTS = {"negative": WHOLE, "compare": WHOLE, "first": BYTES, "extremes": NUMBERS, "errors": INTEGERS}


@cache
def _kernel(name: str) -> Function:
    """The compiled function that takes a block through sigmoid or tanh.

    Where x is negative, the values' signs are turned: they rise with |x|.
    """
    function, true_function = FUNCTIONS[name]

    def emit(build: Any, own: dict[str, Any]) -> None:
        v, wide = vectors(build, "float32"), vectors(build, "float64", 2)
        negative, compare = (
            build.icmp_signed("!=", own[flag], integer(0)) for flag in ("negative", "compare")
        )
        bits = v.variable(build.load(build.bitcast(own["first"], v.integers.as_pointer())))
        high, low, fall = (v.variable(v.constant(start)) for start in (-2.0, 2.0, 0.0))
        largest, relative = (wide.variable(wide.constant(0.0)) for _ in range(2))

        def keep(w: Any, place: Any, value: Any, *, lower: bool = False) -> None:
            before = build.load(place)
            better = w.less(value, before) if lower else w.less(before, value)
            build.store(build.select(better, value, before), place)

        with v.loop(integer(0), integer(_STRETCH)):
            x = build.bitcast(build.load(bits), v.vector)
            build.store(build.add(build.load(bits), v.whole(1)), bits)
            value = function(v, x)
            rising = build.select(negative, build.fsub(v.constant(0.0), value), value)
            keep(v, high, rising)
            keep(v, low, rising, lower=True)
            keep(v, fall, build.fsub(build.load(high), rising))
            with build.if_then(compare):
                true = true_function(wide, build.fpext(x, wide.vector))
                error = wide.intrinsic("fabs", build.fsub(build.fpext(value, wide.vector), true))
                keep(wide, largest, error)
                keep(wide, relative, build.fdiv(error, true))
        for n, place in enumerate((high, low, fall)):
            v.store(own["extremes"], integer(n), build.load(place))
        for n, place in enumerate((largest, relative)):
            wide.store(own["errors"], integer(n), build.load(place))

    return by_hand("block", "float32", _ARGUMENTS, emit)


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
    bits, extremes = aligned((_LANES,), np.uint32), aligned((3, _LANES), np.float32)
    errors = aligned((2, _LANES), np.float64)
    bits[:] = sign + first + _STRETCH * np.arange(_LANES)
    ends = np.array([sign + first, sign + first + _BLOCK - 1], np.uint32).view(np.float32).tolist()
    compare = 2.0**-30 <= abs(ends[0]) < 64
    _kernel(function)(
        negative=int(sign > 0), compare=int(compare), first=bits.view(np.uint8), extremes=extremes,
        errors=errors.view(np.int64),
    )  # fmt: skip
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
    _kernel(function)
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
    """Print what was found; with the word `generic`, without fused multiply-adds."""
    if sys.argv[1:] == ["generic"]:
        use_generic_processor()
    print(f"processor: {processor()[0]}; {len(BLOCKS) * _BLOCK:,} floats")
    for function in FUNCTIONS:
        parts = through(function)
        whole, worst = together(parts), max(parts, key=lambda part: part.error)
        print(f"{function}: error {whole.error:.3e}, between x = {worst.start:.6g} and {worst.end:.6g}")
        print(f"  values from {whole.low:.6g} to {whole.high:.6g}, falls by at most {whole.fall:.3e}")
        if function.startswith("sigmoid"):
            print(f"  relative error {max(part.relative for part in parts if part.end <= 0):.3e} for x ≤ 0")


if __name__ == "__main__":
    main()
