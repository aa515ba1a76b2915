"""Running experiments: what a store lacks is computed, block by block, and kept there."""

from __future__ import annotations

import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass

from abacist.errors import AbacistError, BadInput
from abacist.experiments.housekeeping import merge_known
from abacist.experiments.job import AnyJob
from abacist.experiments.missing import jobs_for
from abacist.experiments.outcome import Run
from abacist.experiments.plan import Task, run_key
from abacist.experiments.results import Results
from abacist.experiments.run_progress import RunProgress
from abacist.experiments.store import Store
from abacist.experiments.work import compute
from abacist.experiments.workers import BlockFailed, Refused, Workers, WorkersLost
from abacist.fields import checked, short_repr
from abacist.labels import keep_labels
from abacist.targets import PROCESSOR
from abacist.wording import in_a_sentence, plural

#: Seconds between two looks at the workers while no block is finished, at what other processes have
#: finished, and between two renewals of claims.
_LOOK, _WAIT, _RENEW = 0.5, 0.5, 5.0

_Future = Future[list[Run]]


@dataclass(frozen=True, eq=False)
class Failure:
    """A block that failed twice, and why it did the second time."""

    job: AnyJob
    error: str


class BlocksFailed(AbacistError):
    """Some blocks failed twice, and all others are done; `results` are what the store has."""

    def __init__(self, failed: Sequence[Failure], results: Results) -> None:
        self.failed, self.results = tuple(failed), results
        runs = len({key for failure in failed for key in failure.job.keys})
        super().__init__(
            f"{plural(len(self.failed), 'block')} with {plural(runs, 'run')} failed twice; all others are "
            f"done and kept in {results.path}, and the same command tries these again"
        )


@checked
def run(
    tasks: Sequence[Task],
    store: Store,
    *,
    jobs: int | None = None,
    force: bool = False,
    keep_moments: bool = False,
    executor: Executor | Workers | None = None,
    progress: RunProgress | None = None,
    warn: Callable[[str], None] | None = None,
    target: str = PROCESSOR,
) -> Results:
    """Compute what the tasks ask for and the store lacks; safe to kill at any moment.

    By default threads of this process compute, else the workers of an executor, or of a `Cluster`. Other
    processes on the same store take other blocks; this waits for theirs at the end. Gives what the store
    has then. A block that fails is tried once more; where one fails twice the rest goes on, and
    `BlocksFailed` is raised at the end. `warn` is told of every row of the store that cannot be
    read: a run that is damaged is recomputed. With `keep_moments` later tasks with more epochs go on
    from these runs. `target` is where networks are trained and judged.
    """
    if jobs is not None and jobs < 1:
        raise BadInput(f"run: jobs must be at least 1, got {jobs}")
    specs = [task.spec for task in tasks]
    for short, long in {(one.short, one.long) for one in specs if one.long.low <= one.short.high}:
        why = f"with {short} in training and {long} in the long set, accuracies on it are of short words, too"
        warnings.warn(f"lengths overlap: {why}", stacklevel=2)
    keep_labels(store.path.parent, (name for one in specs for name in (one.cell.name, one.language.name)))
    workers = executor if isinstance(executor, Workers) else Workers(executor, jobs)
    progress = progress or RunProgress()
    dispatcher = Dispatcher(workers, store, progress)
    try:
        first, warned = True, set[str]()
        while True:
            forced, first = force and first, False
            results = Results.of(store)
            for sentence in results.left_out:
                if warn is not None and sentence not in warned:
                    warn(sentence)
            warned |= set(results.left_out)
            given_up = {key for failure in dispatcher.failed for key in failure.job.keys}
            left = [_without(task, given_up) for task in tasks]
            todo = jobs_for(left, results, force=forced, keep_moments=keep_moments, target=target)
            progress.begin(todo, tasks)
            progress.begun_jobs(todo, results)
            if not todo:
                break
            if not dispatcher.work_off(todo, force=forced):
                time.sleep(_WAIT)  # all that is left is claimed by other processes
        if dispatcher.failed:
            raise BlocksFailed(dispatcher.failed, results)
        return results
    finally:
        workers.stop()
        store.release()


def _without(task: Task, keys: set[str]) -> Task:
    """A task without the runs that have some keys."""
    return task.only(lambda seed: run_key(task.spec, seed) not in keys) if keys else task


class Dispatcher:
    """Gives workers as many jobs as they have room for, and the store their results; knows those that failed.

    One that fails is tried once more, elsewhere if that is possible; one that fails twice is given up. One
    that comes back with anything but the runs that were asked for has failed.
    """

    def __init__(self, workers: Workers, store: Store, progress: RunProgress) -> None:
        self._workers, self._store, self._progress = workers, store, progress
        self.failed: list[Failure] = []
        self._tried: dict[AnyJob, str] = {}  # where
        self._pending: dict[_Future, AnyJob] = {}
        self._renewed = time.monotonic()

    def work_off(self, todo: Iterable[AnyJob], *, force: bool) -> bool:
        """Have the blocks computed that nobody has claimed; whether there were any."""
        waiting, worked = deque(todo), False
        try:
            while waiting or self._pending:
                self._workers.check_alive()
                for job in self._claimed(waiting, force):
                    self._submit(job)
                    worked = True
                if waiting or self._pending:  # without room for what waits, or with something to come back
                    waiting.extendleft(self._settle(self._finished(), force))
        except BaseException:
            self._keep(
                [future for future, job in self._pending.items() if _fault(future, job) is None], force
            )
            self._progress.cancel()
            for future in self._pending:
                future.cancel()
            raise
        return worked

    def _claimed(self, waiting: deque[AnyJob], force: bool) -> list[AnyJob]:
        """As many blocks as there is room for, claimed at a stroke.

        Those are left out that another process works on or has finished some of meanwhile; of one with
        several specs it may have only some.
        """
        claimed: list[AnyJob] = []
        while waiting and (free := self._workers.capacity() - len(self._pending) - len(claimed)) > 0:
            jobs = [waiting.popleft() for _ in range(min(free, len(waiting)))]
            mine = set(self._store.claim([key for job in jobs for key in job.keys]))
            others = []
            for job in jobs:
                open_ = (force or job.is_open(self._store.get(key)) for key in job.keys)
                if mine.issuperset(job.keys) and all(open_):
                    claimed.append(job)
                else:
                    others.append(job)
            if others:
                self._store.release([key for job in others for key in job.keys if key in mine])
                for job in reversed(others):
                    waiting.extendleft(reversed(job.parts if len(job.parts) > 1 else ()))
        return claimed

    def _submit(self, job: AnyJob) -> None:
        progress = self._progress.of_job(job)
        try:
            future = self._workers.submit(compute, job, progress, away_from=self._tried.get(job, ""))
        except RuntimeError as error:  # an executor that is broken or shut down
            raise WorkersLost(f"the executor takes no more work, {in_a_sentence(error)}") from None
        if not isinstance(future, Future):
            raise WorkersLost(f"the executor gave {short_repr(future)} instead of a future")
        self._pending[future] = job

    def _finished(self) -> list[_Future]:
        """Blocks that came back, if need be after some time."""
        if self._pending:
            wait(self._pending, _LOOK, FIRST_COMPLETED)
        else:
            time.sleep(_LOOK)
        if time.monotonic() > self._renewed + _RENEW:
            self._store.renew()
            self._renewed = time.monotonic()
        return [future for future in self._pending if future.done()]

    def _settle(self, ready: Sequence[_Future], force: bool) -> list[AnyJob]:
        """Keep what came back; gives the blocks that are to be computed again."""
        faults = {future: _fault(future, self._pending[future]) for future in ready}
        self._keep([future for future, fault in faults.items() if fault is None], force)
        again = []
        for future, fault in faults.items():
            if fault is not None:
                job = self._pending.pop(future)
                if self._is_to_be_tried_again(job, fault):
                    again.append(job)
        return again

    def _is_to_be_tried_again(self, job: AnyJob, fault: BaseException) -> bool:
        """Whether a block that has come to nothing deserves another try; else it is given up."""
        if isinstance(fault, BrokenExecutor):
            raise WorkersLost(f"the executor has lost its workers, {in_a_sentence(fault)}")
        if isinstance(fault, KeyboardInterrupt) or fault is self._progress.fault:
            raise fault
        if isinstance(fault, Refused) and self._workers.excuse(fault):
            return True
        if job not in self._tried:
            self._tried[job] = fault.place if isinstance(fault, BlockFailed) else ""
            return True
        self.failed.append(Failure(job, in_a_sentence(fault)))
        self._store.release(job.keys)
        self._progress.finish(job, ())
        return False

    def _keep(self, whole: Sequence[_Future], force: bool) -> None:
        """Write finished blocks to the store, those that came at the same time at a stroke.

        What the store knows of the same weights is kept, unless all is worked out again.
        """
        if not whole:
            return
        store, runs = self._store, [run for future in whole for run in future.result()]
        store.put(runs if force else [merge_known(run, store.get(run.key)) for run in runs])
        for future in whole:
            self._progress.finish(self._pending.pop(future), future.result())


def _fault(future: _Future, job: AnyJob) -> BaseException | None:
    """Why what came back is not to be kept; None where it is the block that was asked for."""
    if not future.done() or future.cancelled():
        return Refused("the executor cancelled it")
    return future.exception() or wrong_block(job, future.result())


def wrong_block(job: AnyJob, result: object) -> BlockFailed | None:
    """Why a result is not the block that was asked for, None if it is: workers need not be ours."""
    if not isinstance(result, list) or not all(isinstance(run, Run) for run in result):
        return BlockFailed(f"{short_repr(result)} came back instead of a list of runs")
    by_key = {run.key: run for run in result}
    if by_key.keys() != set(job.keys) or len(result) != len(job.keys):
        returned = len(by_key.keys() & set(job.keys))
        others = f", and {len(result) - returned:,} that nobody asked for" if len(result) > returned else ""
        return BlockFailed(f"{returned:,} of {plural(len(job.keys), 'run')} came back{others}")
    for run in result:
        right = (run.spec.layout.size, run.spec.precision)
        if not callable(run.kept) and (run.weights.size, run.weights.dtype) != right:
            return BlockFailed(f"run {run.key} came back without its weights")
    if any(job.is_open(run) for run in result):
        return BlockFailed("a run came back without all the results that were asked for")
    return None
