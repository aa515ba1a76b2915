"""Workers that compute blocks: threads of this process, or those of any executor; `cluster` has others.

Other processes report a job's progress through a channel, and learn through it whether the job is still
wanted. A machine that cannot reach this one computes its job without reports.
"""

from __future__ import annotations

import os
import secrets
import struct
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Listener
from threading import Event, Thread
from typing import Any

from abacist.experiments.failures import BlockFailed
from abacist.experiments.job import AnyJob
from abacist.experiments.outcome import Run
from abacist.progress import Progress
from abacist.wording import in_a_sentence

#: What computes a job, and tells a progress of it.
Compute = Callable[..., list[Run]]

#: Blocks that an executor is given at a time when it does not say how many workers it has.
_ROOM_UNKNOWN = 1_000

#: Seconds between two messages about a job.
_EVERY = 0.25

#: A message: the number of a job, and its share.
_MESSAGE = struct.Struct("!qd")


class Workers(ABC):
    """Workers that compute blocks."""

    @abstractmethod
    def room(self) -> int:
        """How many blocks they can hold now, including those that they have."""

    @abstractmethod
    def submit(
        self, compute: Compute, job: AnyJob, progress: Progress, *, away_from: str
    ) -> Future[list[Run]]:
        """Give them a block, if possible not to the worker at a place; it may fail with `BlockFailed`."""

    def excuse(self, fault: BlockFailed) -> bool:
        """Whether a block that a worker refused, or that was cancelled, is given out again without counting
        as failed; a worker that refused gets no more blocks. Where all workers are alike it fails."""
        return False

    def check_alive(self) -> None:  # noqa: B027 - the blocks of most tell what is the matter
        """See that they are still there; raises `WorkersLost` where they are not."""

    @abstractmethod
    def stop(self) -> None:
        """End their work: nobody waits for it."""


class Pool(Workers):
    """The workers of an executor, which is left open for its owner."""

    def __init__(self, executor: Executor, jobs: int | None = None) -> None:
        self._executor = executor
        known = getattr(executor, "_max_workers", None)
        self._room = jobs or (known if isinstance(known, int) else _ROOM_UNKNOWN)
        self._channel = None if isinstance(executor, ThreadPoolExecutor) else _ProgressChannel()

    def room(self) -> int:
        return self._room + 1  # one waits, so that no worker does

    def submit(
        self, compute: Compute, job: AnyJob, progress: Progress, *, away_from: str
    ) -> Future[list[Run]]:
        if (channel := self._channel) is None:
            return self._executor.submit(compute, job, progress)
        number = channel.number_of(progress)
        return self._executor.submit(_computed_by_process, compute, job, channel.address, channel.key, number)

    def stop(self) -> None:
        if self._channel is not None:
            self._channel.close()


class Threads(Pool):
    """Threads of this process, as many as it has cores unless it is said."""

    def __init__(self, jobs: int | None = None) -> None:
        self._threads = ThreadPoolExecutor(jobs or os.cpu_count() or 1)
        super().__init__(self._threads, jobs)

    def stop(self) -> None:
        super().stop()
        self._threads.shutdown(wait=False, cancel_futures=True)


class _ProgressChannel:
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


class NotWanted(Exception):
    """Nobody waits for a job any more."""


def computed_elsewhere(
    compute: Compute, job: AnyJob, tell: Callable[[float], None], place: str = ""
) -> list[Run]:
    """Compute a job, and report its share several times a second; `tell` may raise `NotWanted`."""
    next_message = time.monotonic() + _EVERY

    def watch(progress: Progress) -> None:
        nonlocal next_message
        if time.monotonic() >= next_message:
            next_message = time.monotonic() + _EVERY
            tell(progress.share)

    try:
        return compute(job, Progress(watch))
    except Exception as error:  # not every error can be sent
        raise BlockFailed(in_a_sentence(error), place) from None


def _computed_by_process(compute: Compute, job: AnyJob, address: Any, key: bytes, number: int) -> list[Run]:
    """Compute a job in a process of an executor."""
    try:
        connection = Client(address, authkey=key)
    except (OSError, EOFError):
        return compute(job)

    def tell(share: float) -> None:
        try:
            connection.send_bytes(_MESSAGE.pack(number, share))
        except OSError:
            raise NotWanted from None

    with connection:
        return computed_elsewhere(compute, job, tell)
