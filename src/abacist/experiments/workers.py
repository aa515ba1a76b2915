"""Those who compute blocks: threads of this process, the workers of any executor, or of a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Protocol, runtime_checkable

from abacist.experiments.failures import BlockFailed
from abacist.experiments.job import AnyJob
from abacist.experiments.outcome import Run
from abacist.experiments.progress_channel import ProgressChannel, computed_by_process
from abacist.progress import Progress

#: What computes a job, and tells a progress of it.
Compute = Callable[..., list[Run]]

#: Blocks that an executor is given at a time when it does not say how many workers it has.
_ROOM_UNKNOWN = 1_000


@runtime_checkable
class Workers(Protocol):
    """Those who compute blocks."""

    def room(self) -> int:
        """How many blocks they can be given now, those that they have included."""

    def submit(
        self, compute: Compute, job: AnyJob, progress: Progress, *, away_from: str
    ) -> Future[list[Run]]:
        """Give them a block, if possible not to the worker at a place; it may fail with `BlockFailed`."""

    def excuse(self, fault: BlockFailed) -> bool:
        """Whether a block that a worker refused, or that was cancelled, is given out again as if nothing had
        happened; a worker that refused is given no more."""

    def check_alive(self) -> None:
        """See that they are still there; raises `WorkersLost` where they are not."""

    def stop(self) -> None:
        """End what they compute: nobody waits for it."""


class Pool:
    """The workers of an executor, which is left open for its owner."""

    def __init__(self, executor: Executor, jobs: int | None = None) -> None:
        self._executor = executor
        known = getattr(executor, "_max_workers", None)
        self._room = jobs or (known if isinstance(known, int) else _ROOM_UNKNOWN)
        self._channel = None if isinstance(executor, ThreadPoolExecutor) else ProgressChannel()

    def room(self) -> int:
        return self._room + 1  # one waits, so that no worker does

    def submit(
        self, compute: Compute, job: AnyJob, progress: Progress, *, away_from: str
    ) -> Future[list[Run]]:
        if (channel := self._channel) is None:
            return self._executor.submit(compute, job, progress)
        number = channel.number_of(progress)
        return self._executor.submit(computed_by_process, compute, job, channel.address, channel.key, number)

    def excuse(self, fault: BlockFailed) -> bool:
        """Its workers are all alike, so the next would do the same."""
        return False

    def check_alive(self) -> None:
        """What is the matter with them, the blocks will tell."""

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
