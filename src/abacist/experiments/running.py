"""Running experiments: what is missing in the store is computed, block by block."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from threading import Event, Lock

from abacist.errors import BadInput
from abacist.experiments.job import Job
from abacist.experiments.measuring import Measurement, brought_up_to_date, measure, work_of
from abacist.experiments.missing import jobs_for, merged
from abacist.experiments.outcome import Run
from abacist.experiments.plan import Task, run_key
from abacist.experiments.results import Results
from abacist.experiments.store import Store
from abacist.experiments.work import compute
from abacist.fields import checked

#: Seconds between two looks at what other processes have finished.
_WAIT = 0.5


@dataclass(frozen=True)
class State:
    """How far the work has come: its share, and for every experiment the runs done and in all."""

    share: float
    experiments: dict[str, tuple[int, int]]


class Listener:
    """Told what happens, by the thread that called `run`; a subclass takes up what it cares for."""

    def begun(self, jobs: Sequence[Job | Measurement], results: Results) -> None:
        """These blocks are set out on, and the store has these results so far; maybe several times."""

    def finished(self, job: Job | Measurement, runs: Sequence[Run], state: State) -> None:
        """A block is finished, and kept."""


class _Watch:
    """Adds up the work of all blocks, and passes on the wish to stop."""

    def __init__(self, tell: Callable[[State], None] | None, listener: Listener) -> None:
        self.stop = Event()
        self._tell, self._listener, self._lock = tell, listener, Lock()
        self._share = self._total = self._finished = 0.0
        self._begun: dict[int, float] = {}
        self._experiments: dict[str, tuple[int, int]] = {}

    def begin(self, jobs: Sequence[Job | Measurement], tasks: Sequence[Task]) -> None:
        """Set out on some blocks; the horizons of their runs are looked for after them."""
        blocks = {key for job in jobs if isinstance(job, Job) for key in job.keys}
        later = sum(
            work_of(task.spec, task.horizons) * sum(key in blocks for key in _keys(task))
            for task in merged(tasks)
            if task.horizons
        )
        self._total = self._finished + sum(job.size for job in jobs) + later
        missing = {key for job in jobs for key in job.keys}
        self._missing = {
            name: [k for t in tasks if t.experiment == name for k in _keys(t)]
            for name in dict.fromkeys(t.experiment for t in tasks)
        }
        for name, keys in self._missing.items():
            self._experiments[name] = (sum(key not in missing for key in keys), len(keys))

    def advance(self, job: Job | Measurement, work: float) -> None:
        """Told from inside a block; ends it where the whole is to stop."""
        if self.stop.is_set():
            raise KeyboardInterrupt
        with self._lock:
            self._begun[id(job)] = min(self._begun.get(id(job), 0.0) + work, job.size)
        self.show()

    def finish(self, job: Job | Measurement, runs: Sequence[Run]) -> None:
        """Count finished runs."""
        done = {run.key for run in runs}
        with self._lock:
            self._begun.pop(id(job), None)
            self._finished += job.size
            for name, keys in self._missing.items():
                before, total = self._experiments[name]
                self._experiments[name] = (min(before + sum(key in done for key in keys), total), total)
        self._listener.finished(job, runs, self.show())

    def show(self) -> State:
        with self._lock:  # so that progress never goes backwards
            work = self._finished + sum(self._begun.values())
            share = min(work / self._total, 1.0) if self._total else 1.0
            self._share = max(self._share, share)
            state = State(self._share, dict(self._experiments))
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
    executor: Executor | None = None,
    tell: Callable[[State], None] | None = None,
    warn: Callable[[str], None] | None = None,
    listener: Listener | None = None,
) -> Results:
    """Compute what the tasks ask for and the store lacks; safe to kill at any moment.

    Other processes on the same store take other blocks; this waits for theirs at the end. Gives
    what the store has then. `tell` is told from any thread how far the work has come, `listener` of
    blocks that are finished, and `warn` of every row that cannot be read: a run that is damaged is
    recomputed.
    """
    if jobs is not None and jobs < 1:
        raise BadInput(f"run: jobs must be at least 1, got {jobs}")
    listener = listener or Listener()
    watch = _Watch(tell, listener)
    pool = executor or ThreadPoolExecutor(jobs or os.cpu_count() or 1)
    room = jobs or getattr(pool, "_max_workers", None) or os.cpu_count() or 1

    def submit(job: Job | Measurement) -> Future[list[Run]]:
        if executor is not None:
            return pool.submit(_done, job)
        return pool.submit(_done, job, partial(watch.advance, job))

    try:
        first, warned = True, set[str]()
        while True:
            forced, first = force and first, False
            results = Results.of(store)
            for sentence in results.left_out:
                if warn is not None and sentence not in warned:
                    warn(sentence)
            warned |= set(results.left_out)
            todo = jobs_for(tasks, results, force=forced)
            watch.begin(todo, tasks)
            listener.begun(todo, results)
            watch.show()
            if not todo:
                return results
            if not _work_off(todo, store, submit, watch, room, forced):
                time.sleep(_WAIT)  # all that is left is claimed by other processes
    finally:
        watch.stop.set()
        if executor is None:
            pool.shutdown(wait=True, cancel_futures=True)
        store.release()


def _done(job: Job | Measurement, check: Callable[[float], None] | None = None) -> list[Run]:
    """What comes of a job."""
    work: Callable[..., list[Run]] = compute if isinstance(job, Job) else measure
    return work(job) if check is None else work(job, check=check)


def _work_off(
    todo: list[Job | Measurement],
    store: Store,
    submit: Callable[[Job | Measurement], Future[list[Run]]],
    watch: _Watch,
    room: int,
    force: bool,
) -> bool:
    """Hand out the blocks that nobody has claimed, a few at a time; whether there were any."""
    pending: dict[Future[list[Run]], Job | Measurement] = {}
    waiting, worked = list(todo), False
    try:
        while waiting or pending:
            while waiting and len(pending) < room + 1:
                job = waiting.pop(0)
                if _claimed(job, store, force):
                    pending[submit(job)] = job
                    worked = True
                elif len(job.parts) > 1:  # another process may have only some of its specs
                    waiting[:0] = job.parts
            if pending:
                ready, _ = wait(pending, timeout=5, return_when=FIRST_COMPLETED)
                store.renew()
                _keep(ready, pending, store, watch, force)
    except BaseException:
        finished = [f for f in pending if f.done() and not f.cancelled() and f.exception() is None]
        _keep(finished, pending, store, watch, force)
        raise
    return worked


def _claimed(job: Job | Measurement, store: Store, force: bool) -> bool:
    """Claim a block, unless another process works on some of it or has finished some meanwhile."""
    mine = store.claim(job.keys)
    if len(mine) == len(job.keys) and (force or job.lacks(store.get)):
        return True
    store.release(mine)
    return False


def _keep(
    ready: Iterable[Future[list[Run]]],
    pending: dict[Future[list[Run]], Job | Measurement],
    store: Store,
    watch: _Watch,
    force: bool,
) -> None:
    """Write finished blocks to the store; those that failed come last, so that none is lost.

    What the store knows of the same weights is kept, unless all is worked out again.
    """
    for future in sorted(ready, key=lambda f: f.exception() is not None):
        job, runs = pending.pop(future), future.result()
        store.put(runs if force else [brought_up_to_date(run, store.get(run.key)) for run in runs])
        watch.finish(job, runs)
