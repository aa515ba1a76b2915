"""Work divided among threads: for compiled code and NumPy, which let each other run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

#: Things that one thread is enough for: a block that fits a processor has a thread of its own already.
FEW = 64

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def each(call: Callable[[_Item], _Result], items: Iterable[_Item]) -> list[_Result]:
    """A call for each of some things, in their order; many of them are shared by as many threads as cores."""
    listed = list(items)
    if len(listed) <= FEW:
        return [call(item) for item in listed]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(call, listed))
