"""What would run, and about how long it would take."""

from __future__ import annotations

import os
from collections.abc import Sequence

from abacist.cli.screen import show_table
from abacist.cli.settings import seeds_as_text, settings_of
from abacist.experiments import Job, Results, Task
from abacist.targets import target_named
from abacist.wording import several

#: Usual costs on one core, measured: to begin with, for every shape of network that is compiled, for
#: every word that is drawn and judged, and for a unit of work in training.
_START_SECONDS, _SECONDS_PER_SHAPE = 1.0, 2.0
_SECONDS_PER_WORD, _USUAL_SECONDS_PER_WORK = 3e-6, 7e-8


def say_what_would_run(
    tasks: Sequence[Task], todo: Sequence[Job], results: Results | None, jobs: int | None
) -> None:
    """List the blocks of runs that are missing, and estimate the time."""
    settings = settings_of(task.spec for task in tasks)
    rows = [
        settings[job.spec]
        | {"seeds": seeds_as_text(job.seeds), "what": "train and judge" if job.weights is None else "judge"}
        for job in todo
    ]
    if rows:
        show_table(list(rows[0]), [list(row.values()) for row in rows], left=("language", "cell", "what"))
    runs = sum(len(job.seeds) for job in todo)
    compiling, running = estimate(todo, results, jobs or os.cpu_count() or 1)
    about = f"about {compiling + running:,.0f} s"
    if compiling:
        about += f"; about {compiling:,.0f} s of that is compiling, unless it has been done before"
    work = f"{several(runs, 'run')} in {several(len(todo), 'block')} would run, {about}"
    print(work if todo else "nothing would run: the store has all of it")
    print(f"in the store: {several(0 if results is None else len(results.runs), 'run')}")


def estimate(todo: Sequence[Job], results: Results | None, jobs: int) -> tuple[float, float]:
    """About how many seconds blocks take: compiling their programs, and everything else.

    Shapes of networks that the store has are taken to be compiled; compiling is not shared out.
    """
    there = {(spec.layout, spec.precision) for spec in ({} if results is None else results.by_spec)}
    shapes = {(job.spec.layout, job.spec.precision) for job in todo} - there
    speed = _seconds_per_work(results)
    blocks = [job.size * speed + _words(job) * _SECONDS_PER_WORD for job in todo]
    shared = max(sum(blocks) / jobs, max(blocks, default=0.0))
    return len(shapes) * _SECONDS_PER_SHAPE, (_START_SECONDS if todo else 0.0) + shared


def _words(job: Job) -> int:
    """How many words are drawn, labelled and judged for a block."""
    return len(job.seeds) * sum(split.count for split in job.spec.recipe(0).splits)


def _seconds_per_work(results: Results | None) -> float:
    """Seconds of one core for a unit of work, from the runs in the store, or else a usual value."""
    work = seconds = 0.0
    for spec, runs in {} if results is None else results.by_spec.items():
        size = Job(spec, (0,), frozenset()).size
        if size > 1e7:  # small runs are mostly fixed costs, and say nothing about large ones
            work += size / target_named().block(spec.precision) * len(runs)
            seconds += sum(run.outcome.seconds for run in runs)
    return seconds / work if work else _USUAL_SECONDS_PER_WORK
