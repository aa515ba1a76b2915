"""Work divided among threads: for compiled code and NumPy, which let each other run."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from types import TracebackType
from typing import Any, TypeVar

#: Things that one thread is enough for: a block that fits a processor has a thread of its own already.
SERIAL_BELOW = 64

#: Seconds between two looks for Ctrl-C, on systems where it does not end waiting by itself.
_LOOK = 0.2

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class ThreadPool(ThreadPoolExecutor):
    """Threads for a `with` statement that ends at once when it is interrupted or fails.

    A thread cannot be stopped from outside: it finishes its present call, and nobody waits for it.
    """

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown(wait=error is None, cancel_futures=True)


def interruptibly(call: Callable[..., _Result], *arguments: Any) -> _Result:
    """A call during which Ctrl-C interrupts the main thread, however long the call spends in other code.

    Python looks for Ctrl-C in the main thread only, and only between its own instructions. So another thread
    makes the call; if it is abandoned, it ends there, and what it has changed by then stays changed.
    """
    if threading.current_thread() is not threading.main_thread():
        return call(*arguments)
    with ThreadPool(1) as pool:
        future = pool.submit(call, *arguments)
        while not wait([future], _LOOK).done:
            pass
        return future.result()


def parallel_map(call: Callable[[_Item], _Result], items: Iterable[_Item]) -> list[_Result]:
    """A call for each of some things, in their order; many of them are shared by as many threads as cores."""
    listed = list(items)
    if len(listed) <= SERIAL_BELOW:
        return [call(item) for item in listed]
    with ThreadPool(os.cpu_count() or 1) as pool:
        return list(pool.map(call, listed))
