"""A channel from the processes of an executor to this one: how far a job is, and whether it is still wanted.

A job on another machine, which cannot reach this one, is computed without a word.
"""

from __future__ import annotations

import secrets
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Listener
from threading import Event, Thread
from typing import Any

from abacist.experiments.failures import BlockFailed
from abacist.experiments.outcome import Run
from abacist.progress import Progress
from abacist.wording import in_a_sentence

#: Seconds between two messages about a job.
_EVERY = 0.25

#: A message: the number of a job, and its share.
_MESSAGE = struct.Struct("!qd")


class ProgressChannel:
    """This end of the channel; only those who know the key, which jobs are sent with, can use it."""

    def __init__(self) -> None:
        self.key = secrets.token_bytes(32)
        self._listener = Listener(authkey=self.key)
        self.address: Any = self._listener.address
        self._progresses: list[Progress] = []
        self._closed = Event()
        Thread(target=self._accept, daemon=True).start()

    def number_of(self, progress: Progress) -> int:
        """The number of a further job, whose process tells its progress."""
        self._progresses.append(progress)
        return len(self._progresses) - 1

    def _accept(self) -> None:
        while not self._closed.is_set():
            with suppress(OSError, EOFError, AuthenticationError):  # closed, or someone without the key
                Thread(target=self._hear, args=(self._listener.accept(),), daemon=True).start()

    def _hear(self, connection: Any) -> None:
        """Pass on what a job says, until it is done or nobody wants it."""
        with connection, suppress(OSError, EOFError, KeyboardInterrupt):
            while not self._closed.is_set():
                if connection.poll(_EVERY):
                    number, share = _MESSAGE.unpack(connection.recv_bytes(_MESSAGE.size))
                    self._progresses[number](share)

    def close(self) -> None:
        """Close it: jobs that still tell of themselves end."""
        self._closed.set()
        with suppress(OSError, EOFError):
            Client(self.address, authkey=self.key).close()  # wakes up whoever waits for one
        self._listener.close()


class _NotWanted(Exception):
    """Nobody waits for a job any more."""


def computed_by_process(
    compute: Callable[..., list[Run]], job: Any, address: Any, key: bytes, number: int
) -> list[Run]:
    """Compute a job in a process of an executor."""
    try:
        connection = Client(address, authkey=key)
    except (OSError, EOFError):
        return compute(job)
    next_message = time.monotonic() + _EVERY

    def tell(progress: Progress) -> None:
        nonlocal next_message
        if time.monotonic() >= next_message:
            next_message = time.monotonic() + _EVERY
            try:
                connection.send_bytes(_MESSAGE.pack(number, progress.share))
            except OSError:
                raise _NotWanted from None

    with connection:
        try:
            return compute(job, Progress(tell))
        except Exception as error:  # not every error can be sent
            raise BlockFailed(in_a_sentence(error)) from None
