"""Pieces of work in several processes at once, this one among them.

A worker is a fresh process: a copy of this one would have its locks, but not the threads that hold them. What
a worker does not bring to an end is done here: an error is raised where it can be seen, and a worker that was
killed costs nothing but time.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.resource_tracker import ensure_running
from threading import Thread
from typing import Any, TypeVar

from abacist.cli.streams import prepare

T = TypeVar("T")


def processes_for(works: int) -> int:
    """How many processes some pieces of work are worth, this one included: as many as there are cores.

    One that is to do less than two pieces would take longer to begin. Off Linux it is only this one.
    """
    return max(1, min(works // 2, len(os.sched_getaffinity(0)))) if sys.platform == "linux" else 1


def each_done(works: Sequence[Callable[[], T]], processes: int) -> Iterator[T]:
    """The results of some pieces of work, in their order; those that cannot be sent are done here.

    >>> list(each_done([lambda: 1, lambda: 2], processes=2))
    [1, 2]
    """
    futures: list[Future[T]] = [Future() for _ in works]
    waiting = deque(range(len(works)))
    with _workers(works, processes - 1, waiting, futures):
        for future, work in zip(futures, works, strict=True):
            while not future.done():
                try:
                    number = waiting.popleft()
                except IndexError:
                    wait([future])
                    continue
                try:
                    futures[number].set_result(works[number]())
                except Exception as error:
                    futures[number].set_exception(error)
            yield work() if future.exception() else future.result()  # an error is raised at its place


@contextmanager
def _workers(
    works: Sequence[Callable[[], T]], count: int, waiting: deque[int], futures: Sequence[Future[T]]
) -> Iterator[None]:
    """Some processes at work, each with a thread here that gives it what waits to be done."""
    begun: list[tuple[Connection, BaseProcess, Thread]] = []
    try:
        content = _sendable(works) if count > 0 else None
        for _ in range(count if content is not None else 0):
            try:
                connection, process = _begin()
            except OSError:  # the user may have no more processes, or there is no memory for one
                break
            thread = Thread(target=_serve, args=(connection, content, waiting, futures), daemon=True)
            begun.append((connection, process, thread))
            thread.start()
        yield
    finally:
        for _, process, _ in begun:
            process.terminate()
        for connection, process, thread in begun:
            process.join()
            thread.join()
            connection.close()


def _sendable(works: Sequence[Callable[[], Any]]) -> bytes | None:
    """Pieces of work as they are sent to another process; None where they cannot be."""
    try:
        return pickle.dumps(works)
    except Exception:  # a function within another, say; what it is depends on the version
        return None


def _serve(
    connection: Connection, content: bytes, waiting: deque[int], futures: Sequence[Future[Any]]
) -> None:
    """Let a worker do what waits to be done, a piece at a time, until nothing does or it has ended."""
    with suppress(OSError, IndexError):  # it has ended, or another took the last piece
        connection.send_bytes(content)
        while True:
            number = waiting.popleft()
            try:
                connection.send_bytes(str(number).encode())
                futures[number].set_result(connection.recv())
            except Exception as error:
                futures[number].set_exception(error)
                return


def _begin() -> tuple[Connection, BaseProcess]:
    """A worker, and the connection to it."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_work, args=(there,), daemon=True)
    ensure_running()  # else it would be begun meanwhile, and would let Ctrl-C through again
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # Ctrl-C is for this process alone,
    try:  # which then ends its workers
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)
    there.close()
    return here, process


def _work(there: Connection) -> None:
    """What a worker does: the pieces of work that it is sent the numbers of, until nobody sends more."""
    prepare()
    try:
        works = pickle.loads(there.recv_bytes())
        while True:
            there.send(works[int(there.recv_bytes())]())
    except Exception:  # whoever waits for the result sees that there is none
        return
