"""Running experiments: what is missing in the store is worked out, block by block."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from threading import Event
from typing import Any

import numpy as np

from abacist.engine.lanes import LANES
from abacist.experiments.plan import Task, run_key
from abacist.experiments.store import Run, Store
from abacist.experiments.work import Job, do

#: Seconds between two looks at what other processes have finished.
_WAIT = 0.5


@dataclass(frozen=True)
class State:
    """How far an experiment is: runs done and in all, and work done and in all, in the same unit."""

    done: int
    runs: int
    work_done: float
    work: float


def jobs_for(tasks: Iterable[Task], store: Store, *, force: bool = False) -> list[Job]:
    """The blocks of runs that are missing in the store, the longest first."""
    jobs: list[Job] = []
    for task in _merged(tasks):
        untrained: list[int] = []
        unjudged: list[Run] = []
        for seed in task.seeds:
            run = None if force else store.get(run_key(task.spec, seed))
            if run is None or any(epoch != task.spec.epochs for _, epoch in task.wanted() - run.known()):
                untrained.append(seed)
            elif task.wanted() - run.known():
                unjudged.append(run)
        lanes = LANES[task.spec.precision]
        wanted = frozenset(task.wanted())
        blocks = (tuple(untrained[n : n + lanes]) for n in range(0, len(untrained), lanes))
        jobs += [Job(task.spec, block, wanted) for block in blocks]
        for first in range(0, len(unjudged), lanes):
            block = unjudged[first : first + lanes]
            missing = frozenset(w for run in block for w in task.wanted() - run.known())
            weights = np.stack([run.weights for run in block])
            seeds = tuple(run.seed for run in block)
            jobs.append(Job(task.spec, seeds, missing, weights, tuple(run.results for run in block)))
    return sorted(jobs, key=lambda job: -job.size)


def _merged(tasks: Iterable[Task]) -> list[Task]:
    """Tasks with the same spec made one, so that no run is worked out twice."""
    merged: dict[str, Task] = {}
    for task in tasks:
        key = run_key(task.spec, 0)
        if key in merged:
            other = merged[key]
            task = replace(
                other,
                seeds=tuple(dict.fromkeys((*other.seeds, *task.seeds))),
                sets=tuple(dict.fromkeys((*other.sets, *task.sets))),
                at_epochs=tuple(sorted({*other.at_epochs, *task.at_epochs})),
            )
        merged[key] = task
    return list(merged.values())


def run(
    tasks: Sequence[Task],
    store: Store,
    *,
    jobs: int | None = None,
    force: bool = False,
    executor: Executor | None = None,
    tell: Callable[[State], None] | None = None,
) -> None:
    """Work out all that the tasks ask for and the store has not; safe to kill at any moment.

    Other processes on the same store take other blocks; this waits for theirs at the end.
    """
    stop = Event()
    pool = executor or ThreadPoolExecutor(jobs or os.cpu_count() or 1)
    submit = pool.submit if executor is not None else partial(pool.submit, check=partial(_go_on, stop))
    try:
        first = True
        while True:
            todo = jobs_for(tasks, store, force=force and first)
            first = False
            if not todo:
                return
            if not _work_off(todo, store, submit, tell):
                time.sleep(_WAIT)  # all that is left is claimed by other processes
    finally:
        stop.set()
        if executor is None:
            pool.shutdown(wait=True, cancel_futures=True)
        store.release()


def _go_on(stop: Event) -> None:
    """Asked now and then inside a block: end it where the whole is to stop."""
    if stop.is_set():
        raise KeyboardInterrupt


def _work_off(
    todo: list[Job], store: Store, submit: Callable[..., Any], tell: Callable[[State], None] | None
) -> bool:
    """Hand out the blocks that nobody has claimed; whether there were any."""
    pending: dict[Future[list[Run]], Job] = {}
    total, runs = sum(job.size for job in todo), sum(len(job.seeds) for job in todo)
    done = finished = 0.0
    for job in todo:
        keys = {run_key(job.spec, seed): seed for seed in job.seeds}
        if len(store.claim(keys)) == len(keys):
            pending[submit(do, job)] = job
    worked = bool(pending)
    try:
        while pending:
            ready, _ = wait(pending, timeout=5, return_when=FIRST_COMPLETED)
            store.renew()
            for future in ready:
                job = pending.pop(future)
                store.put(future.result())
                done, finished = done + len(job.seeds), finished + job.size
            if tell is not None:
                tell(State(int(done), runs, finished, total))
    except BaseException:
        for future in pending:
            future.cancel()
        raise
    return worked
