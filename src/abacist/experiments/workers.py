"""Workers that compute blocks: threads of this process, or those of any executor; `cluster` has others."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor

from abacist.errors import AbacistError
from abacist.experiments.job import AnyJob
from abacist.experiments.outcome import Run
from abacist.progress import Progress
from abacist.wording import in_a_sentence

#: What computes a job, and tells a progress of it.
Compute = Callable[..., list[Run]]

#: Blocks that an executor is given at a time when it does not say how many workers it has.
_CAPACITY_UNKNOWN = 1_000

#: Seconds between two messages about a job.
_EVERY = 0.25


class BlockFailed(AbacistError):
    """A block could not be computed somewhere."""

    def __init__(self, sentence: str, place: str = "") -> None:
        super().__init__(sentence, place)  # both, so that it can be sent
        self.place = place

    def __str__(self) -> str:
        return str(self.args[0])


class Refused(BlockFailed):
    """Nobody has tried a block: a worker would not compute as this process does, or it was called off."""


class WorkersLost(AbacistError):
    """Those who were to compute cannot be reached any more."""


class Workers:
    """Threads of this process, as many as it has cores unless `jobs` says it, or the workers of an executor,
    which is left open for its owner. Only threads report progress within a block."""

    def __init__(self, executor: Executor | None = None, jobs: int | None = None) -> None:
        self._is_borrowed = executor is not None
        self._executor = executor or ThreadPoolExecutor(jobs or os.cpu_count() or 1)
        workers = getattr(self._executor, "_max_workers", None)
        self._workers = jobs or (workers if isinstance(workers, int) else _CAPACITY_UNKNOWN)

    def capacity(self) -> int:
        """How many blocks they can hold now, including those that they have: one waits, so that no worker
        does."""
        return self._workers + 1

    def submit(
        self, compute: Compute, job: AnyJob, progress: Progress, *, away_from: str
    ) -> Future[list[Run]]:
        """Give them a block, if possible not to the worker at a place; it may fail with `BlockFailed`."""
        if isinstance(self._executor, ThreadPoolExecutor):
            return self._executor.submit(compute, job, progress)
        return self._executor.submit(computed_elsewhere, compute, job)

    def excuse(self, fault: BlockFailed) -> bool:
        """Whether a block that a worker refused, or that was cancelled, is given out again without counting
        as failed; a worker that refused gets no more blocks. Where all workers are alike it fails."""
        return False

    def check_alive(self) -> None:
        """Raise `WorkersLost` where they are no longer there; the blocks of an executor fail then."""

    def stop(self) -> None:
        """End their work: nobody waits for it."""
        if not self._is_borrowed:
            self._executor.shutdown(wait=False, cancel_futures=True)


class NotWanted(Exception):
    """Nobody waits for a job any more."""


def computed_elsewhere(
    compute: Compute, job: AnyJob, report: Callable[[float], None] | None = None, place: str = ""
) -> list[Run]:
    """Compute a job in another process, and report its share several times a second; `report` may raise
    `NotWanted`."""
    next_message = time.monotonic() + _EVERY

    def watch(progress: Progress) -> None:
        nonlocal next_message
        if report is not None and time.monotonic() >= next_message:
            next_message = time.monotonic() + _EVERY
            report(progress.share)

    try:
        return compute(job, Progress(watch))
    except Exception as error:  # not every error can be sent
        raise BlockFailed(in_a_sentence(error), place) from None
