"""What would run, and about how long it would take."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from abacist.cli.screen import show_table
from abacist.experiments import Job, Store, Task
from abacist.specs import Spec
from abacist.wording import several

#: Fields of a spec that are shown always; the others where they differ from task to task.
_ALWAYS = {"language": "task", "cell": "model", "hidden": "units", "epochs": "epochs"}

#: Usual costs on one core, measured: to begin with, for every shape of network that is compiled, for
#: every word that is drawn and judged, and for a unit of work in training.
_START_SECONDS, _SECONDS_PER_SHAPE = 1.0, 2.0
_SECONDS_PER_WORD, _USUAL_SECONDS_PER_WORK = 3e-6, 7e-8


def say_what_would_run(
    tasks: Sequence[Task], todo: Sequence[Job], store: Store | None, jobs: int | None
) -> None:
    """List the blocks of runs that are missing, and estimate the time."""
    settings = {spec: _plain(spec) for spec in dict.fromkeys(task.spec for task in tasks)}
    fields = _shown(list(settings.values()))
    rows = [
        [
            *(settings[job.spec][field] for field in fields),
            f"{job.seeds[0]}–{job.seeds[-1]}",
            "train and judge" if job.weights is None else "judge",
        ]
        for job in todo
    ]
    if rows:
        headings = [*(_ALWAYS.get(field, field) for field in fields), "seeds", "what"]
        show_table(headings, rows, left=("task", "model", "what"))
    runs = sum(len(job.seeds) for job in todo)
    compiling, running = estimate(todo, store, jobs or os.cpu_count() or 1)
    about = f"about {compiling + running:,.0f} s"
    if compiling:
        about += f"; about {compiling:,.0f} s of that is compiling, unless it has been done before"
    print(f"{several(runs, 'run')} in {several(len(todo), 'block')} would run, {about}")
    print(f"in the store: {several(0 if store is None else len(store), 'run')}")


def estimate(todo: Sequence[Job], store: Store | None, jobs: int) -> tuple[float, float]:
    """About how many seconds blocks take: compiling their programs, and everything else.

    Shapes of networks that the store has are taken to be compiled; compiling is not shared out.
    """
    there = {(run.spec.layout, run.spec.precision) for run in store or ()}
    shapes = {(job.spec.layout, job.spec.precision) for job in todo} - there
    speed = _seconds_per_work(store)
    blocks = [job.size * speed + _words(job) * _SECONDS_PER_WORD for job in todo]
    shared = max(sum(blocks) / jobs, max(blocks, default=0.0))
    return len(shapes) * _SECONDS_PER_SHAPE, (_START_SECONDS if todo else 0.0) + shared


def _words(job: Job) -> int:
    """How many words are drawn, labelled and judged for a block."""
    return len(job.seeds) * sum(split.count for split in job.spec.recipe(0).splits)


def _seconds_per_work(store: Store | None) -> float:
    """Seconds of one core for a unit of work, from the runs in the store, or else a usual value."""
    work = seconds = 0.0
    for run in store or ():
        size = Job(run.spec, (run.seed,), frozenset()).size
        if size > 1e7:  # little runs are mostly fixed costs, and tell nothing of large ones
            work += size / 16
            seconds += run.results["seconds"]
    return seconds / work if work else _USUAL_SECONDS_PER_WORK


def _shown(settings: list[dict[str, Any]]) -> list[str]:
    """The fields to show: those that are shown always, and those that differ."""
    others = [name for name in settings[0] if name not in _ALWAYS]
    return [*_ALWAYS, *(name for name in others if len({one[name] for one in settings}) > 1)]


def _plain(spec: Spec) -> dict[str, Any]:
    """The fields of a spec as people read them; what is left out is as the recipe has it."""
    recipe = spec.recipe(0)
    return spec.as_dict() | {"training": recipe.splits[0].count, "source": str(recipe.source)}
