"""Running experiments: what is missing in the store is computed, block by block."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace

from abacist.errors import BadInput
from abacist.experiments.dispatcher import Dispatcher
from abacist.experiments.failures import BlocksFailed
from abacist.experiments.job import AnyJob, Job
from abacist.experiments.measuring import Measurement, measure
from abacist.experiments.missing import jobs_for
from abacist.experiments.outcome import Run
from abacist.experiments.plan import Task, run_key
from abacist.experiments.results import Results
from abacist.experiments.run_progress import RunProgress
from abacist.experiments.store import Store
from abacist.experiments.work import compute
from abacist.experiments.workers import Pool, Threads, Workers
from abacist.fields import checked
from abacist.progress import Progress
from abacist.targets import PROCESSOR

#: Seconds between two looks at what other processes have finished.
_WAIT = 0.5


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
    progress, workers = progress or RunProgress(), _workers(executor, jobs)
    dispatcher = Dispatcher(_done, workers, store, progress)
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
            todo = jobs_for(
                _without(tasks, given_up), results, force=forced, keep_moments=keep_moments, target=target
            )
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


def _done(job: AnyJob, progress: Progress | None = None) -> list[Run]:
    """What comes of a job."""
    if isinstance(job, Job):
        return compute(job, progress)
    assert isinstance(job, Measurement)
    return measure(job, progress)
