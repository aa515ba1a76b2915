"""Programs load wherever memory is free, also where a process has reserved most of its address space."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from abacist.targets.llvm import LANES
from abacist.targets.llvm.bounds import OPERATIONS
from abacist.targets.llvm.packing import aligned
from abacist.targets.llvm.vectors import integer
from tests.targets.llvm.compiled import by_hand, vectors

PAGE, RESERVED = 4096, 1 << 40
#: No access; private, anonymous, without swap space; at the address named, if it is free.
NO_ACCESS, ANYWHERE, THERE = 0, 0x2 | 0x20 | 0x4000, 0x100000


@contextmanager
def reserved() -> Iterator[None]:
    """Reserve all gaps between what a process has, and some terabytes below, as drivers of devices do.

    Each terabyte has a hole of one page near its end. The system gives a request the highest hole that it
    fits in: a page comes to lie terabytes away from everything that is larger.
    """
    system: Any = ctypes.CDLL(None, use_errno=True)
    system.mmap.restype = ctypes.c_void_p
    system.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    system.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    lines = Path("/proc/self/maps").read_text().splitlines()
    taken = [[int(end, 16) for end in line.split()[0].split("-")] for line in lines if "[v" not in line]
    gaps = [(end, begin - end) for (_, end), (begin, _) in pairwise(taken) if PAGE <= begin - end < 1 << 32]
    regions = [(system.mmap(begin, size, NO_ACCESS, ANYWHERE | THERE, -1, 0), size) for begin, size in gaps]
    for _ in range(20):
        begin = system.mmap(None, RESERVED, NO_ACCESS, ANYWHERE, -1, 0)
        system.munmap(begin + RESERVED - 2 * PAGE, PAGE)
        regions += [(begin, RESERVED - 2 * PAGE), (begin + RESERVED - PAGE, PAGE)]
    yield
    for begin, size in regions:
        system.munmap(begin, size)


@pytest.mark.skipif(sys.platform != "linux", reason="reserves memory by Linux's own numbers")
@pytest.mark.parametrize("precision", LANES)
def test_code_and_its_constants_may_lie_far_apart(precision: str) -> None:
    """A linker that maps each section alone ends the process here: code has 32 bits for a distance."""

    def emit(build: Any, arguments: dict[str, Any]) -> None:
        v = vectors(build, precision)
        value = v.load(arguments["results"], integer(0))
        for _ in range(100):  # many pages of code, one of constants
            value = OPERATIONS["sigmoid"](v, value)
        v.store(arguments["results"], integer(0), value)

    results = aligned((LANES[precision],), precision)
    by_hand(
        "far", precision, {"results": "numbers"}, emit
    )  # compiled and kept: compiling leaves gaps of its own
    with reserved():
        by_hand("far", precision, {"results": "numbers"}, emit)(results=results)
    assert results == pytest.approx(0.659046, abs=1e-6)  # where the sigmoid leaves a number as it is
