"""Those who compute blocks: threads of this process, the workers of any executor, or of a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from threading import Event
from typing import Protocol, runtime_checkable

from abacist.experiments.failures import BlockFailed
from abacist.experiments.job import Job
from abacist.experiments.line import Line, compute_on_line
from abacist.experiments.measuring import Measurement
from abacist.experiments.outcome import Run

#: What computes a block; it is told how much work has been done since, and may be ended by an exception.
Compute = Callable[..., list[Run]]

#: Is told how much of a block's work has been done in all.
Reached = Callable[[float], None]

#: Blocks that an executor is given at a time when it does not say how many workers it has.
_ROOM_UNKNOWN = 1_000


@runtime_checkable
class Workers(Protocol):
    """Those who compute blocks."""

    def room(self) -> int:
        """How many blocks they can be given now, those that they have included."""

    def submit(
        self, compute: Compute, job: Job | Measurement, reached: Reached, *, away_from: str
    ) -> Future[list[Run]]:
        """Give them a block, if possible not to the worker at a place; it may fail with `BlockFailed`."""

    def excuse(self, fault: BlockFailed) -> bool:
        """Whether a block that a worker refused, or that was cancelled, is given out again as if nothing had
        happened; a worker that refused is given no more."""

    def look_after(self) -> None:
        """See that they are still there; raises `WorkersLost` where they are not."""

    def stop(self) -> None:
        """End what they compute: nobody waits for it."""


class Pool:
    """The workers of an executor, which is left open for its owner."""

    def __init__(self, executor: Executor, jobs: int | None = None) -> None:
        self._executor, self._stop = executor, Event()
        known = getattr(executor, "_max_workers", None)
        self._room = jobs or (known if isinstance(known, int) else _ROOM_UNKNOWN)
        self._line = None if isinstance(executor, ThreadPoolExecutor) else Line()

    def room(self) -> int:
        return self._room + 1  # one waits, so that no worker does

    def submit(
        self, compute: Compute, job: Job | Measurement, reached: Reached, *, away_from: str
    ) -> Future[list[Run]]:
        if (line := self._line) is not None:
            number = line.number_of(reached)
            return self._executor.submit(compute_on_line, compute, job, line.address, line.key, number)
        done = 0.0

        def check(work: float) -> None:
            nonlocal done
            if self._stop.is_set():
                raise KeyboardInterrupt
            done += work
            reached(done)

        return self._executor.submit(compute, job, check)

    def excuse(self, fault: BlockFailed) -> bool:
        """Its workers are all alike, so the next would do the same."""
        return False

    def look_after(self) -> None:
        """What is the matter with them, the blocks will tell."""

    def stop(self) -> None:
        self._stop.set()
        if self._line is not None:
            self._line.close()


class Threads(Pool):
    """Threads of this process, as many as it has cores unless it is said."""

    def __init__(self, jobs: int | None = None) -> None:
        self._threads = ThreadPoolExecutor(jobs or os.cpu_count() or 1)
        super().__init__(self._threads, jobs)

    def stop(self) -> None:
        super().stop()
        self._threads.shutdown(wait=False, cancel_futures=True)
