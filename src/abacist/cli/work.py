"""Computing what is missing in a store, as `reproduce`, `run` and `train` do."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from abacist.cli.bars import experiment_bars
from abacist.cli.dry_run import say_what_would_run
from abacist.cli.settings import seeds_as_text, settings_of
from abacist.experiments import Store, Task, jobs_for, run, run_key
from abacist.wording import several


def work(tasks: Sequence[Task], store: Store | None, *, jobs: int | None, force: bool, dry_run: bool) -> bool:
    """Compute what is missing, with bars; with `dry_run` only say what it is. Whether it was done.

    Ctrl-C keeps the blocks that are finished, and says so.
    """
    if dry_run:
        say_what_would_run(tasks, jobs_for(tasks, store, force=force), store, jobs)
        return False
    assert store is not None
    try:
        with experiment_bars() as tell:
            run(tasks, store, jobs=jobs, force=force, tell=tell)
    except KeyboardInterrupt:
        _say_what_is_kept(tasks, store)
        raise
    _say_what_diverged(tasks, store)
    return True


def _say_what_is_kept(tasks: Sequence[Task], store: Store) -> None:
    keys = {run_key(task.spec, seed) for task in tasks for seed in task.seeds}
    kept = sum(store.get(key) is not None for key in keys)
    typer.echo(
        f"{kept:,} of {several(len(keys), 'run')} kept in {store.path}; the same command goes on from there",
        err=True,
    )


def _say_what_diverged(tasks: Sequence[Task], store: Store) -> None:
    """Name the runs whose weights did not stay finite, a line for every spec."""
    for spec, setting in settings_of(task.spec for task in tasks).items():
        seeds = sorted({seed for task in tasks if task.spec == spec for seed in task.seeds})
        found = (store.get(run_key(spec, seed)) for seed in seeds)
        diverged = [one.seed for one in found if one is not None and one.results["diverged"] is not None]
        if diverged:
            named = ", ".join(f"{name} {value}" for name, value in setting.items())
            share = f"{len(diverged)} of {several(len(seeds), 'run')}"
            seed = "seed" if len(diverged) == 1 else "seeds"
            typer.echo(
                f"{named}: {share} diverged to weights that are not finite, {seed} {seeds_as_text(diverged)}",
                err=True,
            )
