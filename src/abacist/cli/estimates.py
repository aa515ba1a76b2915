"""What a command would compute, and about how long it takes: a dry run, and the first progress line."""

from __future__ import annotations

import os
from collections.abc import Sequence

from abacist.cli.options import settings_of
from abacist.cli.screen import say
from abacist.cli.tables import show_rows
from abacist.experiments import AnyJob, Job, Results, Run, Task, run_key
from abacist.specs import Spec
from abacist.targets import target_named
from abacist.wording import plural, spans

#: Usual costs on one core, measured: to begin with, for every shape of network that is compiled, for
#: every word that is drawn and judged, and for a unit of work in training.
_START_SECONDS, _SECONDS_PER_SHAPE = 1.0, 2.0
_SECONDS_PER_WORD, _USUAL_SECONDS_PER_WORK = 3e-6, 7e-8


def say_what_would_run(
    tasks: Sequence[Task], todo: Sequence[AnyJob], results: Results | None, jobs: int | None
) -> None:
    """List the blocks of runs that are missing, and estimate the time."""
    settings, rows = settings_of(task.spec for task in tasks), []
    for job in todo:
        for part in job.parts:  # one with fewer epochs costs hardly more than judging it
            on_the_way = part.spec.epochs < job.spec.epochs
            what = f"judge on the way to {job.spec.epochs:,} epochs" if on_the_way else part.what
            rows.append(settings[part.spec] | {"seeds": spans(part.seeds), "what": what})
    if rows:
        show_rows(list(rows[0]), [list(row.values()) for row in rows], left=("language", "cell", "what"))
    compiling, running = estimate(todo, results, jobs or os.cpu_count() or 1)
    work = f"{plural(sum(len(job.keys) for job in todo), 'run')} in {plural(len(todo), 'block')} would run"
    work += f", about {compiling + running:,.0f} s"
    if compiling:
        work += f"; about {compiling:,.0f} s of that is compiling, unless it has been done before"
    work += left_out(tasks, todo)
    say(work if todo else "nothing would run: the store has all of it", output=True)
    print(f"in the store: {plural(0 if results is None else len(results.runs), 'run')}")


def left_out(tasks: Sequence[Task], todo: Sequence[AnyJob]) -> str:
    """What `estimate` has not in its time, to stand behind it: searches, whose time nobody can foretell."""
    aimed = {run_key(task.spec, seed) for task in tasks if task.horizons for seed in task.seeds}
    searched = len(aimed and aimed.intersection(key for job in todo for key in job.keys))
    taught = sum(len(job.seeds) for job in todo if job.kind == "teaching")
    what = [f"the teaching of {plural(taught, 'run')} beyond their training"] if taught else []
    what += [f"the horizons of {plural(searched, 'run')}"] if searched else []
    return f"; not in that time: {' and '.join(what)}" if what else ""


def estimate(todo: Sequence[AnyJob], results: Results | None, jobs: int) -> tuple[float, float]:
    """About how many seconds blocks take: compiling their programs, and everything else but searches.

    Shapes of networks that the store has are taken to be compiled; compiling is not shared out.
    """
    compiled = {(spec.layout, spec.precision) for spec in _at_hand(results)}
    shapes = {(job.spec.layout, job.spec.precision) for job in todo} - compiled
    trained = [job for job in todo if isinstance(job, Job)]
    speeds = {target: _seconds_per_work(results, target) for target in {job.target for job in trained}}
    blocks = [job.size * speeds[job.target] + job.words * _SECONDS_PER_WORD for job in trained]
    shared = max(sum(blocks) / jobs, max(blocks, default=0.0))
    return len(shapes) * _SECONDS_PER_SHAPE, (_START_SECONDS if todo else 0.0) + shared


def _at_hand(results: Results | None) -> dict[Spec, tuple[Run, ...]]:
    """The runs of a store by spec, but for those whose cells' formulas are elsewhere."""
    by_spec = {} if results is None else results.by_spec
    return {spec: runs for spec, runs in by_spec.items() if spec.cell.absence is None}


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
