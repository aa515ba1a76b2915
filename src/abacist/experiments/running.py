"""Running experiments: what is missing in the store is computed, block by block."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from threading import Lock

from abacist.errors import BadInput
from abacist.experiments.failures import BlocksFailed
from abacist.experiments.handing_out import HandingOut
from abacist.experiments.job import Job
from abacist.experiments.measuring import Measurement, measure, work_of
from abacist.experiments.missing import jobs_for, merged
from abacist.experiments.outcome import Run
from abacist.experiments.pace import Pace
from abacist.experiments.plan import Task, run_key
from abacist.experiments.results import Results
from abacist.experiments.store import Store
from abacist.experiments.work import compute
from abacist.experiments.workers import Pool, Threads, Workers
from abacist.fields import checked
from abacist.targets import PROCESSOR

#: Seconds between two looks at what other processes have finished.
_WAIT = 0.5


@dataclass(frozen=True)
class State:
    """How far the work has come: its share, and for every experiment the runs done and in all.

    `left` is about how many seconds it still takes, None where nothing has been measured yet; the horizons
    of `unforeseen` runs come on top of that.
    """

    share: float
    experiments: dict[str, tuple[int, int]]
    left: float | None = None
    unforeseen: int = 0


class Listener:
    """Told what happens, by the thread that called `run`; a subclass takes up what it cares for."""

    def begun(self, jobs: Sequence[Job | Measurement], results: Results) -> None:
        """These blocks are set out on, and the store has these results so far; maybe several times."""

    def finished(self, job: Job | Measurement, runs: Sequence[Run], state: State) -> None:
        """A block is finished, and kept."""


class _Watch:
    """Adds up the work of all blocks, and tells of those that are finished."""

    def __init__(
        self,
        tell: Callable[[State], None] | None,
        listener: Listener,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tell, self._listener, self._lock = tell, listener, Lock()
        self._share = self._total = self._finished = 0.0
        self._begun: dict[int, float] = {}
        self._to_measure: set[str] = set()
        self._experiments: dict[str, tuple[int, int]] = {}
        self._pace = Pace(clock)

    def begin(self, jobs: Sequence[Job | Measurement], tasks: Sequence[Task]) -> None:
        """Set out on some blocks; the horizons of their runs are looked for after them."""
        blocks = {key for job in jobs if isinstance(job, Job) for key in job.keys}
        self._to_measure = {key for job in jobs if isinstance(job, Measurement) for key in job.keys}
        later = 0.0
        for task in merged(tasks):
            if task.horizons:
                keys = blocks.intersection(_keys(task))
                later += work_of(task.spec, task.horizons) * len(keys)
                self._to_measure |= keys
        self._total = self._finished + sum(job.size for job in jobs) + later
        self._pace.begin(jobs, later)
        missing = {key for job in jobs for key in job.keys}
        self._asked_by: dict[str, list[str]] = {}
        self._experiments = dict.fromkeys((task.experiment for task in tasks), (0, 0))
        for task in tasks:
            for key in _keys(task):
                self._asked_by.setdefault(key, []).append(task.experiment)
                self._count(task.experiment, key not in missing, 1)

    def _count(self, experiment: str, done: int, total: int = 0) -> None:
        before, of = self._experiments[experiment]
        self._experiments[experiment] = (min(before + done, of + total), of + total)

    def reached(self, job: Job | Measurement, work: float) -> None:
        """So much of a block's work has been done; told from any thread."""
        with self._lock:
            self._begun[id(job)] = min(work, job.size)
            self._pace.reached(job, work)
        self.show()

    def finish(self, job: Job | Measurement, runs: Sequence[Run]) -> None:
        """A block was written to the store, or given up, with no runs."""
        with self._lock:
            self._begun.pop(id(job), None)
            self._pace.finish(job)
            self._finished += job.size
            if isinstance(job, Measurement):
                self._to_measure.difference_update(job.keys)
            for run in runs:
                for experiment in self._asked_by.get(run.key, ()):
                    self._count(experiment, 1)
        state = self.show()
        if runs:
            self._listener.finished(job, runs, state)

    def show(self) -> State:
        with self._lock:  # so that progress never goes backwards
            work = self._finished + sum(self._begun.values())
            share = min(work / self._total, 1.0) if self._total else 1.0
            self._share = max(self._share, share)
            left, unforeseen = self._pace.left()
            measuring = len(self._to_measure) if unforeseen else 0
            state = State(self._share, dict(self._experiments), left, measuring)
            if self._tell is not None:
                self._tell(state)
        return state


def _keys(task: Task) -> list[str]:
    return [run_key(task.spec, seed) for seed in task.seeds]


@checked
def run(
    tasks: Sequence[Task],
    store: Store,
    *,
    jobs: int | None = None,
    force: bool = False,
    keep_moments: bool = False,
    executor: Executor | Workers | None = None,
    tell: Callable[[State], None] | None = None,
    warn: Callable[[str], None] | None = None,
    listener: Listener | None = None,
    target: str = PROCESSOR,
) -> Results:
    """Compute what the tasks ask for and the store lacks; safe to kill at any moment.

    By default threads of this process compute, else the workers of an executor, or of a `Cluster`. Other
    processes on the same store take other blocks; this waits for theirs at the end. Gives what the store
    has then. A block that fails is tried once more; where one fails twice the rest goes on, and
    `BlocksFailed` is raised at the end. `tell` is told from any thread how far the work has come,
    `listener` of blocks that were written to the store, `warn` of every row there that cannot be read: a
    run that is damaged is recomputed. With `keep_moments` later tasks with more epochs go on
    from these runs. `target` is where networks are trained and judged.
    """
    if jobs is not None and jobs < 1:
        raise BadInput(f"run: jobs must be at least 1, got {jobs}")
    listener = listener or Listener()
    watch, workers = _Watch(tell, listener), _workers(executor, jobs)
    handing_out = HandingOut(_done, workers, store, watch)
    try:
        first, warned = True, set[str]()
        while True:
            forced, first = force and first, False
            results = Results.of(store)
            for sentence in results.left_out:
                if warn is not None and sentence not in warned:
                    warn(sentence)
            warned |= set(results.left_out)
            given_up = {key for failure in handing_out.failed for key in failure.job.keys}
            todo = jobs_for(
                _without(tasks, given_up), results, force=forced, keep_moments=keep_moments, target=target
            )
            watch.begin(todo, tasks)
            listener.begun(todo, results)
            watch.show()
            if not todo:
                break
            if not handing_out.work_off(todo, force=forced):
                time.sleep(_WAIT)  # all that is left is claimed by other processes
        if handing_out.failed:
            raise BlocksFailed(handing_out.failed, results)
        return results
    finally:
        workers.stop()
        store.release()


def _workers(executor: Executor | Workers | None, jobs: int | None) -> Workers:
    if executor is None:
        return Threads(jobs)
    return Pool(executor, jobs) if isinstance(executor, Executor) else executor


def _without(tasks: Sequence[Task], keys: set[str]) -> list[Task]:
    """Tasks without the runs that have some keys."""
    if not keys:
        return list(tasks)
    return [
        replace(task, seeds=tuple(seed for seed in task.seeds if run_key(task.spec, seed) not in keys))
        for task in tasks
    ]


def _done(job: Job | Measurement, check: Callable[[float], None] | None = None) -> list[Run]:
    """What comes of a job."""
    work: Callable[..., list[Run]] = compute if isinstance(job, Job) else measure
    return work(job) if check is None else work(job, check=check)
