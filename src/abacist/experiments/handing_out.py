"""Handing out blocks: as many as there is room for, each kept in the store as soon as it is done."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Future
from queue import Empty, SimpleQueue
from typing import Protocol

from abacist.experiments.failures import BlockFailed, Failure, Refused, WorkersLost, in_a_sentence
from abacist.experiments.job import Job
from abacist.experiments.measuring import Measurement, brought_up_to_date
from abacist.experiments.outcome import Run
from abacist.experiments.store import Store
from abacist.experiments.workers import Compute, Workers

#: Seconds between two looks at the workers while no block is finished, and between two renewals of claims.
_LOOK, _RENEW = 0.5, 5.0

_Future = Future[list[Run]]


class Watch(Protocol):
    """Who wants to know how it goes."""

    def reached(self, job: Job | Measurement, work: float) -> None:
        """So much of a block's work has been done."""

    def finish(self, job: Job | Measurement, runs: Sequence[Run]) -> None:
        """A block is in the store, or has been given up, with no runs."""


class HandingOut:
    """Blocks on their way to workers and back, and those that failed.

    One that fails is tried once more, elsewhere if that is possible; one that fails twice is given up.
    """

    def __init__(self, compute: Compute, workers: Workers, store: Store, watch: Watch) -> None:
        self._compute, self._workers, self._store, self._watch = compute, workers, store, watch
        self.failed: list[Failure] = []
        self._tried: dict[Job | Measurement, str] = {}  # where
        self._pending: dict[_Future, Job | Measurement] = {}
        self._ready: SimpleQueue[_Future] = SimpleQueue()
        self._renewed = time.monotonic()

    def work_off(self, todo: Iterable[Job | Measurement], *, force: bool) -> bool:
        """Have the blocks computed that nobody has claimed; whether there were any."""
        waiting, worked = deque(todo), False
        try:
            while waiting or self._pending:
                self._workers.look_after()
                room = self._workers.room()
                while waiting and len(self._pending) < room:
                    job = waiting.popleft()
                    if _claimed(job, self._store, force):
                        self._submit(job)
                        worked = True
                    elif len(job.parts) > 1:  # another process may have only some of its specs
                        waiting.extendleft(reversed(job.parts))
                for future in self._finished() if waiting or self._pending else ():
                    if (again := self._settle(future, force)) is not None:
                        waiting.appendleft(again)
        except BaseException:
            self._keep_finished(force)
            raise
        return worked

    def _submit(self, job: Job | Measurement) -> None:
        def reached(work: float) -> None:
            self._watch.reached(job, work)

        try:
            future = self._workers.submit(self._compute, job, reached, away_from=self._tried.get(job, ""))
        except RuntimeError as error:  # an executor that is broken or shut down
            raise WorkersLost(f"the executor takes no more work, {in_a_sentence(error)}") from None
        self._pending[future] = job
        future.add_done_callback(self._ready.put)

    def _finished(self) -> list[_Future]:
        """Blocks that came back, if need be after some time."""
        found: list[_Future] = []
        try:
            found.append(self._ready.get(timeout=_LOOK))
            while True:
                found.append(self._ready.get_nowait())
        except Empty:
            pass
        if time.monotonic() > self._renewed + _RENEW:
            self._store.renew()
            self._renewed = time.monotonic()
        return found

    def _settle(self, future: _Future, force: bool) -> Job | Measurement | None:
        """Keep what came back; gives the block where it is to be computed again."""
        job = self._pending[future]
        try:
            runs = future.result()
        except CancelledError:  # not by us: the workers were lost, and may be found again
            del self._pending[future]
            return job
        except Refused as refusal:
            del self._pending[future]
            self._workers.avoid(refusal.place, str(refusal))
            return job
        except BrokenExecutor as error:
            raise WorkersLost(f"the executor has lost its workers, {in_a_sentence(error)}") from None
        except Exception as error:
            del self._pending[future]
            if job not in self._tried:
                self._tried[job] = error.place if isinstance(error, BlockFailed) else ""
                return job
            self.failed.append(Failure(job, in_a_sentence(error)))
            self._store.release(job.keys)
            self._watch.finish(job, ())
            return None
        self._keep(future, job, runs, force)
        return None

    def _keep(self, future: _Future, job: Job | Measurement, runs: list[Run], force: bool) -> None:
        """Write a finished block to the store.

        What the store knows of the same weights is kept, unless all is worked out again.
        """
        del self._pending[future]
        store = self._store
        store.put(runs if force else [brought_up_to_date(run, store.get(run.key)) for run in runs])
        self._watch.finish(job, runs)

    def _keep_finished(self, force: bool) -> None:
        """At the end before its time: what has come back meanwhile is not lost; the rest is called off."""
        for future, job in list(self._pending.items()):
            if future.done() and not future.cancelled() and future.exception() is None:
                self._keep(future, job, future.result(), force)
        for future in self._pending:
            future.cancel()


def _claimed(job: Job | Measurement, store: Store, force: bool) -> bool:
    """Claim a block, unless another process works on some of it or has finished some meanwhile."""
    mine = store.claim(job.keys)
    if len(mine) == len(job.keys) and (force or job.lacks(store.get)):
        return True
    store.release(mine)
    return False
