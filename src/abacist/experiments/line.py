"""A line from the processes of an executor back to this one: how far a block is, and that nobody wants it.

A block on another machine, which cannot reach this one, is computed without a word.
"""

from __future__ import annotations

import secrets
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from threading import Event, Thread
from typing import Any

from abacist.experiments.failures import BlockFailed
from abacist.experiments.outcome import Run
from abacist.wording import in_a_sentence

#: Seconds between two messages about a block.
_EVERY = 0.25

#: A message: the number of a block, and how much of its work has been done.
_MESSAGE = struct.Struct("!qd")


class Line:
    """This end of the line; only those who know the key, which blocks are sent with, can use it."""

    def __init__(self) -> None:
        self.key = secrets.token_bytes(32)
        self._listener = Listener(authkey=self.key)
        self.address: Any = self._listener.address
        self._reached: list[Callable[[float], None]] = []
        self._closed = Event()
        Thread(target=self._accept, daemon=True).start()

    def number_of(self, reached: Callable[[float], None]) -> int:
        """The number of a further block, of which someone is to be told."""
        self._reached.append(reached)
        return len(self._reached) - 1

    def _accept(self) -> None:
        while not self._closed.is_set():
            with suppress(OSError, EOFError, AuthenticationError):  # closed, or someone without the key
                Thread(target=self._hear, args=(self._listener.accept(),), daemon=True).start()

    def _hear(self, connection: Any) -> None:
        """Pass on what a block says, until it is done or nobody wants to know."""
        with connection, suppress(OSError, EOFError):
            while not self._closed.is_set():
                if connection.poll(_EVERY):
                    number, work = _MESSAGE.unpack(connection.recv_bytes(_MESSAGE.size))
                    self._reached[number](work)

    def close(self) -> None:
        """Hang up: blocks that still talk end."""
        self._closed.set()
        with suppress(OSError, EOFError):
            Client(self.address, authkey=self.key).close()  # wakes up whoever waits for one
        self._listener.close()


class _NotWanted(Exception):
    """Nobody waits for a block any more."""


def compute_on_line(
    compute: Callable[..., list[Run]], job: Any, address: Any, key: bytes, number: int
) -> list[Run]:
    """Compute a block in a process of an executor."""
    try:
        line = Client(address, authkey=key)
    except (OSError, EOFError):
        return compute(job)
    with line:
        return _computed(compute, job, line, number)


def _computed(compute: Callable[..., list[Run]], job: Any, line: Connection, number: int) -> list[Run]:
    done, last = 0.0, time.monotonic()

    def check(work: float) -> None:
        nonlocal done, last
        done += work
        if time.monotonic() >= last + _EVERY:
            last = time.monotonic()
            try:
                line.send_bytes(_MESSAGE.pack(number, done))
            except OSError:
                raise _NotWanted from None

    try:
        return compute(job, check)
    except Exception as error:  # not every error can be sent
        raise BlockFailed(in_a_sentence(error)) from None
