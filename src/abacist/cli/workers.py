"""Pieces of work in several processes at once, where the system has a safe and quick way to begin them.

A worker is a copy of this process, so that it has all that it needs, and nothing is read or imported
twice. What a worker does not bring to an end is done here: an error is raised where it can be seen,
and a worker that was killed costs nothing but time.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

T = TypeVar("T")


def workers_for(works: int) -> int:
    """How many workers some pieces of work are worth: as many as there are cores, none off Linux.

    Elsewhere a process either cannot be copied, or the system's libraries may fail in the copy.
    """
    return min(works, len(os.sched_getaffinity(0))) if sys.platform == "linux" else 0


def each_done(works: Sequence[Callable[[], T]], workers: int) -> Iterator[T]:
    """The results of some pieces of work, in their order; fewer than two workers are none.

    >>> list(each_done([lambda: 1, lambda: 2], workers=0))
    [1, 2]
    """
    done: dict[int, T] = {}
    busy: dict[Connection, int] = {}
    waiting = iter(range(len(works)))
    with ExitStack() as stack:
        for _ in range(workers if workers > 1 else 0):  # all at once, before a progress bar has its thread
            try:
                connection, process = _begin(works)
            except OSError:  # the user may have no more processes, or there is no memory for one
                break
            stack.callback(_end, connection, process)
            _give(connection, waiting, busy)
        for number, work in enumerate(works):
            while number in busy.values():
                for ready in wait(list(busy)):
                    assert isinstance(ready, Connection)
                    finished = busy.pop(ready)
                    try:
                        done[finished] = ready.recv()
                    except (EOFError, OSError):
                        continue  # it has ended
                    _give(ready, waiting, busy)
            yield done.pop(number) if number in done else work()


def _give(connection: Connection, waiting: Iterator[int], busy: dict[Connection, int]) -> None:
    """Let a worker do what waits to be done, if anything does."""
    for number in waiting:
        try:
            connection.send(number)
            busy[connection] = number
        except OSError:  # it has ended
            pass
        return


def _begin(works: Sequence[Callable[[], Any]]) -> tuple[Connection, BaseProcess]:
    """A worker, and the connection to it."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    process = context.Process(target=_work, args=(works, here, there), daemon=True)
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # Ctrl-C is for this process alone,
    try:  # which then ends its workers
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # NumPy's threads survive being copied
            process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)
    there.close()
    return here, process


def _end(connection: Connection, process: BaseProcess) -> None:
    connection.close()
    process.terminate()
    process.join()


def _work(works: Sequence[Callable[[], Any]], here: Connection, there: Connection) -> None:
    """What a worker does: the pieces of work that it is sent the numbers of, until nobody sends more."""
    here.close()
    try:
        while True:
            there.send(works[there.recv()]())
    except Exception:  # whoever waits for the result sees that there is none
        return
