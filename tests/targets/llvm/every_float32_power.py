"""Every float32 that has one, through the target's own exponential, logarithm and softplus.

`python -m tests.targets.llvm.every_float32_power` prints what docs/rounding.md shows. Each value is compared
with the float64 program's, which is held to an argument and to 50 digits; what is found is the largest part
of what is promised. Past e⁸⁸ a program may say infinity.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from abacist.algebra import ROUNDING
from abacist.targets.llvm import LANES
from abacist.targets.llvm.bounds import OPERATIONS
from abacist.targets.llvm.machine import BYTES, INTEGERS, Function, processor
from abacist.targets.llvm.packing import aligned
from abacist.targets.llvm.vectors import integer
from tests.targets.llvm.compiled import by_hand, use_generic_processor, vectors

_LANES = LANES["float32"]
_BLOCK = 2**20  # floats
_NEGATIVE = 2**31
_INFINITY = 0x7F800000  # its bits as a number: so many finite floats have a sign

_PROMISE = ROUNDING["float32"]


def _bits(x: float) -> int:
    return int(np.float32(x).view(np.uint32))


#: The sign's bit, and the bits of the smallest |x|, of blocks of each function's arguments.
BLOCKS = {
    "exp": [
        *((0, first) for first in range(0, _bits(88.0), _BLOCK)),
        *((_NEGATIVE, first) for first in range(0, _INFINITY, _BLOCK)),
    ],
    "log": [(0, first) for first in range(0, _INFINITY, _BLOCK)],
    "softplus": [(sign, first) for sign in (0, _NEGATIVE) for first in range(0, _INFINITY, _BLOCK)],
}


#: What is promised: an error relative to the exact value, more of it for each 1 of |x|, and an absolute one.
_PROMISES = {
    "exp": (_PROMISE.exponential, 2 * _PROMISE.unit, 2 * _PROMISE.smallest),
    "log": (_PROMISE.logarithm, 0.0, 0.0),
    "softplus": (_PROMISE.unit, 0.0, _PROMISE.softplus),
}


@cache
def _kernel(name: str) -> Function:
    """The compiled function that says how much of a promise a block needs.

    `first` has the bits of the first float of each lane, as bytes; `largest`, (lane,), the parts of the
    promise, as bits of float64.
    """
    function = OPERATIONS[name]
    of_itself, for_each, absolutely = _PROMISES[name]

    def emit(build: Any, own: dict[str, Any]) -> None:
        v, wide = vectors(build, "float32"), vectors(build, "float64", 2)
        bits = v.variable(build.load(build.bitcast(own["first"], v.integers.as_pointer())))
        largest = wide.variable(wide.constant(0.0))
        with v.loop(integer(0), integer(_BLOCK // _LANES)):
            x = build.bitcast(build.load(bits), v.vector)
            build.store(build.add(build.load(bits), v.whole(1)), bits)
            wide_x = build.fpext(x, wide.vector)
            value, exact = build.fpext(function(v, x), wide.vector), function(wide, wide_x)
            error = wide.intrinsic("fabs", build.fsub(value, exact))
            share = wide.fma(
                wide.intrinsic("fabs", wide_x), wide.constant(for_each), wide.constant(of_itself)
            )
            allowed = wide.fma(wide.intrinsic("fabs", exact), share, wide.constant(absolutely))
            before, needed = build.load(largest), build.fdiv(error, allowed)
            more = build.select(wide.less(before, needed), needed, before)
            none = build.and_(  # the logarithm of 0 is no number
                build.fcmp_unordered("uno", error, error),
                build.fcmp_ordered("!=", wide_x, wide.constant(0.0)),
            )
            build.store(build.select(none, wide.constant(np.inf), more), largest)
        wide.store(own["largest"], integer(0), build.load(largest))

    return by_hand("block", "float32", {"first": BYTES, "largest": INTEGERS}, emit)


def through(function: str, blocks: Sequence[tuple[int, int]]) -> float:
    """The largest part of its promise that a function needs on some blocks; computed on two threads."""

    kernel = _kernel(function)

    def needed(block: tuple[int, int]) -> float:
        bits, largest = aligned((_LANES,), np.uint32), aligned((_LANES,), np.float64)
        bits[:] = sum(block) + _BLOCK // _LANES * np.arange(_LANES)
        kernel(first=bits.view(np.uint8), largest=largest.view(np.int64))
        return float(largest.max())

    with ThreadPoolExecutor(2) as threads:
        return max(threads.map(needed, blocks))


def main() -> None:
    """Print what was found; with the word `generic`, without fused multiply-adds."""
    if sys.argv[1:] == ["generic"]:
        use_generic_processor()
    print(f"processor: {processor()[0]}")
    for function, blocks in BLOCKS.items():
        found = through(function, blocks)
        print(f"{function}: {len(blocks) * _BLOCK:,} floats, {found:.2f} of what is promised")


if __name__ == "__main__":
    main()
