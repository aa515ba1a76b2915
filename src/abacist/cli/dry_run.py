"""What would run, and about how long it would take."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from abacist.cli.screen import say
from abacist.cli.stores import seeds_as_text, settings_of
from abacist.cli.tables import show_rows
from abacist.experiments import AnyJob, Job, Measurement, Results, Run, Task, run_key
from abacist.specs import Spec
from abacist.targets import target_named
from abacist.wording import several

#: Usual costs on one core, measured: to begin with, for every shape of network that is compiled, for
#: every word that is drawn and judged, and for a unit of work in training.
_START_SECONDS, _SECONDS_PER_SHAPE = 1.0, 2.0
_SECONDS_PER_WORD, _USUAL_SECONDS_PER_WORK = 3e-6, 7e-8


def say_what_would_run(
    tasks: Sequence[Task], todo: Sequence[AnyJob], results: Results | None, jobs: int | None
) -> None:
    """List the blocks of runs that are missing, and estimate the time."""
    settings = settings_of(task.spec for task in tasks)
    rows = []
    for job in todo:
        for part in job.parts:  # one with fewer epochs costs hardly more than judging it
            on_the_way = part.spec.epochs < job.spec.epochs
            what = f"judge on the way to {job.spec.epochs:,} epochs" if on_the_way else part.what
            rows.append(settings[part.spec] | {"seeds": seeds_as_text(part.seeds), "what": what})
    if rows:
        show_rows(list(rows[0]), [list(row.values()) for row in rows], left=("language", "cell", "what"))
    runs = sum(job.runs for job in todo)
    compiling, running = estimate(todo, results, jobs or os.cpu_count() or 1)
    work = f"{several(runs, 'run')} in {several(len(todo), 'block')} would run"
    work += f", about {compiling + running:,.0f} s"
    if compiling:
        work += f"; about {compiling:,.0f} s of that is compiling, unless it has been done before"
    work += left_out(tasks, todo, results)
    say(work if todo else "nothing would run: the store has all of it", output=True)
    print(f"in the store: {several(0 if results is None else len(results.runs), 'run')}")


def left_out(tasks: Sequence[Task], todo: Sequence[AnyJob], results: Results | None) -> str:
    """What `estimate` has not in its time, to stand behind it: what nobody can foretell, since the store has
    none of its kind; and horizons of runs that are still to be trained or judged."""
    searched = {run_key(task.spec, seed) for task in tasks if task.horizons for seed in task.seeds}
    if searched:
        searched &= {key for job in todo if isinstance(job, Job) for key in job.keys}
    for job in todo:
        if isinstance(job, Measurement) and _search_seconds(job, results) is None:
            searched |= {*job.keys}
    taught = sum(len(job.seeds) for job in todo if job.kind == "teaching" and not _alike(job, results))
    what = []
    if taught:
        what.append(f"the teaching of {several(taught, 'run')} beyond their training")
    if searched:
        what.append(f"the horizons of {several(len(searched), 'run')}")
    return f"; not in that time: {' and '.join(what)}" if what else ""


def estimate(todo: Sequence[AnyJob], results: Results | None, jobs: int) -> tuple[float, float]:
    """About how many seconds blocks take: compiling their programs, and everything else.

    Shapes of networks that the store has are taken to be compiled; compiling is not shared out.
    """
    there = {(spec.layout, spec.precision) for spec in _at_hand(results)}
    shapes = {(job.spec.layout, job.spec.precision) for job in todo} - there
    targets = {job.target for job in todo if isinstance(job, Job)}
    speeds = {target: _seconds_per_work(results, target) for target in targets}
    blocks = [_seconds(job, results, speeds) for job in todo]
    shared = max(sum(blocks) / jobs, max(blocks, default=0.0))
    return len(shapes) * _SECONDS_PER_SHAPE, (_START_SECONDS if todo else 0.0) + shared


def _at_hand(results: Results | None) -> dict[Spec, tuple[Run, ...]]:
    """The runs of a store by spec, but for those whose cells' formulas are elsewhere."""
    by_spec = {} if results is None else results.by_spec
    return {spec: runs for spec, runs in by_spec.items() if spec.cell.absence is None}


def _alike(job: AnyJob, results: Results | None) -> tuple[Run, ...]:
    """The runs of a store with the spec of a block."""
    return () if results is None else results.by_spec.get(job.spec, ())


def _seconds(job: AnyJob, results: Results | None, speeds: Mapping[str, float]) -> float:
    """About how many seconds a block takes; of one that is taught as none before, its training, and of
    horizons that are like none before, nothing."""
    if isinstance(job, Measurement):
        return _search_seconds(job, results) or 0.0
    assert isinstance(job, Job)
    if job.kind == "teaching" and (alike := _alike(job, results)):
        return len(job.seeds) * sum(run.outcome.seconds for run in alike) / len(alike)
    return job.size * speeds[job.target] + job.words * _SECONDS_PER_WORD


def _search_seconds(job: Measurement, results: Results | None) -> float | None:
    """About how many seconds the horizons of a run take, by those of its kind in the store; None without."""
    known = [horizon for run in _alike(job, results) for horizon in run.outcome.horizons]
    times = [[one.horizon.seconds for one in known if one.answers(aim)] for aim in job.aims]
    return sum(sum(own) / len(own) for own in times) if all(times) else None


def _seconds_per_work(results: Results | None, target: str) -> float:
    """A target's seconds for a unit of work, from the runs in the store, or else a usual value."""
    work = seconds = 0.0
    for spec, runs in _at_hand(results).items():
        size = Job(spec, (0,), frozenset()).size
        # small runs are mostly fixed costs, those that are taught mostly searches: neither says anything
        if size > 1e7 and spec.lesson is None:
            work += size / target_named(target).block(spec) * len(runs)
            seconds += sum(run.outcome.seconds for run in runs)
    return seconds / work if work else _USUAL_SECONDS_PER_WORK
