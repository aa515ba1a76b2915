"""What would run, and about how long it would take."""

from __future__ import annotations

import os
from collections.abc import Sequence

from abacist.cells import AbsentCell, OutsideModel
from abacist.cli.screen import show_table
from abacist.cli.settings import seeds_as_text, settings_of
from abacist.experiments import Job, Measurement, Results, Run, Task, run_key
from abacist.specs import Spec
from abacist.targets import chosen_target
from abacist.wording import several

#: Usual costs on one core, measured: to begin with, for every shape of network that is compiled, for
#: every word that is drawn and judged, and for a unit of work in training.
_START_SECONDS, _SECONDS_PER_SHAPE = 1.0, 2.0
_SECONDS_PER_WORD, _USUAL_SECONDS_PER_WORK = 3e-6, 7e-8


def say_what_would_run(
    tasks: Sequence[Task], todo: Sequence[Job | Measurement], results: Results | None, jobs: int | None
) -> None:
    """List the blocks of runs that are missing, and estimate the time."""
    settings = settings_of(task.spec for task in tasks)
    rows = [
        settings[part.spec] | {"seeds": seeds_as_text(part.seeds), "what": _what(part, job)}
        for job in todo
        for part in job.parts
    ]
    if rows:
        show_table(list(rows[0]), [list(row.values()) for row in rows], left=("language", "cell", "what"))
    runs = sum(len(job.keys) for job in todo)
    compiling, running = estimate(todo, results, jobs or os.cpu_count() or 1)
    taught = sum(len(job.seeds) for job in todo if _unknown(job, results))
    about = f"{'training ' if taught else ''}about {compiling + running:,.0f} s"
    if compiling:
        about += f"; about {compiling:,.0f} s of that is compiling, unless it has been done before"
    work = f"{several(runs, 'run')} in {several(len(todo), 'block')} would run, {about}"
    if taught:
        work += (
            f"; how much longer the teaching of {several(taught, 'run')} takes than their training "
            "is known once the store has some"
        )
    if later := _horizons_later(tasks, todo):
        work += f"; then the horizons of {several(later, 'run')} are looked for, which is not in that time"
    print(work if todo else "nothing would run: the store has all of it")
    print(f"in the store: {several(0 if results is None else len(results.runs), 'run')}")


def _what(part: Job | Measurement, job: Job | Measurement) -> str:
    """What is done for a part of a job; one with fewer epochs costs hardly more than judging it."""
    on_the_way = part.spec.epochs < job.spec.epochs
    return f"judge on the way to {job.spec.epochs:,} epochs" if on_the_way else part.what


def _horizons_later(tasks: Sequence[Task], todo: Sequence[Job | Measurement]) -> int:
    """How many runs that are still to be trained or judged will have their horizons looked for."""
    missing = {key for job in todo if isinstance(job, Job) for key in job.keys}
    asked = {run_key(task.spec, seed) for task in tasks if task.horizons for seed in task.seeds}
    return len(missing & asked)


def estimate(todo: Sequence[Job | Measurement], results: Results | None, jobs: int) -> tuple[float, float]:
    """About how many seconds blocks take: compiling their programs, and everything else.

    Shapes of networks that the store has are taken to be compiled; compiling is not shared out.
    """
    there = {(spec.layout, spec.precision) for spec in _at_hand(results)}
    shapes = {(job.spec.layout, job.spec.precision) for job in todo} - there
    speed = _seconds_per_work(results)
    blocks = [_seconds(job, results, speed) for job in todo]
    shared = max(sum(blocks) / jobs, max(blocks, default=0.0))
    return len(shapes) * _SECONDS_PER_SHAPE, (_START_SECONDS if todo else 0.0) + shared


def _at_hand(results: Results | None) -> dict[Spec, tuple[Run, ...]]:
    """The runs of a store by spec, but for those whose cells' formulas are elsewhere."""
    by_spec = {} if results is None else results.by_spec
    return {
        spec: runs for spec, runs in by_spec.items() if not isinstance(spec.cell, AbsentCell | OutsideModel)
    }


def _teaches(job: Job | Measurement) -> bool:
    return isinstance(job, Job) and job.weights is None and job.spec.lesson is not None


def _unknown(job: Job | Measurement, results: Results | None) -> bool:
    """Whether a block is taught as no run in the store was."""
    return _teaches(job) and (results is None or job.spec not in results.by_spec)


def _seconds(job: Job | Measurement, results: Results | None, speed: float) -> float:
    """About how many seconds a block takes; of one that is taught as none before, its training."""
    if _teaches(job) and results is not None and (like := results.by_spec.get(job.spec)):
        return len(job.seeds) * sum(run.outcome.seconds for run in like) / len(like)
    return job.size * speed + job.words * _SECONDS_PER_WORD


def _seconds_per_work(results: Results | None) -> float:
    """Seconds of one core for a unit of work, from the runs in the store, or else a usual value."""
    work = seconds = 0.0
    for spec, runs in _at_hand(results).items():
        size = Job(spec, (0,), frozenset()).size
        # small runs are mostly fixed costs, those that are taught mostly searches: neither says anything
        if size > 1e7 and spec.lesson is None:
            work += size / chosen_target().block(spec) * len(runs)
            seconds += sum(run.outcome.seconds for run in runs)
    return seconds / work if work else _USUAL_SECONDS_PER_WORK
