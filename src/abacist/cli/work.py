"""Computing what is missing in a store, as `reproduce`, `run` and `train` do."""

from __future__ import annotations

from collections.abc import Sequence

from abacist.cli.bars import experiment_bars
from abacist.cli.dry_run import say_what_would_run
from abacist.cli.saying import say, warn
from abacist.cli.settings import seeds_as_text, settings_of
from abacist.cli.stores import read_results
from abacist.experiments import Results, Store, Task, jobs_for, run, run_key
from abacist.wording import several


def work(
    tasks: Sequence[Task], store: Store | None, *, jobs: int | None, force: bool, dry_run: bool
) -> Results | None:
    """Compute what is missing, with bars, and give all there is; with `dry_run` only say what it is.

    Ctrl-C keeps the blocks that are finished, and says so.
    """
    if dry_run:
        there = None if store is None else read_results(store)
        say_what_would_run(tasks, jobs_for(tasks, there, force=force), there, jobs)
        return None
    assert store is not None
    try:
        with experiment_bars() as tell:
            found = run(tasks, store, jobs=jobs, force=force, tell=tell, warn=warn)
    except KeyboardInterrupt:
        _say_what_is_kept(tasks, store)
        raise
    _say_what_diverged(tasks, found)
    return found


def _say_what_is_kept(tasks: Sequence[Task], store: Store) -> None:
    keys = {run_key(task.spec, seed) for task in tasks for seed in task.seeds}
    kept = len(keys & Results.of(store).by_key.keys())
    say(
        f"{kept:,} of {several(len(keys), 'run')} kept in {store.path}; "
        "the same command continues from there",
    )


def _say_what_diverged(tasks: Sequence[Task], results: Results) -> None:
    """Name the runs whose weights did not stay finite, a line for every spec."""
    for spec, setting in settings_of(task.spec for task in tasks).items():
        seeds = {seed for task in tasks if task.spec == spec for seed in task.seeds}
        runs = (run for run in results.by_spec.get(spec, ()) if run.seed in seeds)
        diverged = [run.seed for run in runs if run.outcome.diverged is not None]
        if diverged:
            named = ", ".join(f"{name} {value}" for name, value in setting.items())
            share = f"{len(diverged)} of {several(len(seeds), 'run')}"
            seed = "seed" if len(diverged) == 1 else "seeds"
            say(
                f"{named}: {share} diverged to weights that are not finite, {seed} {seeds_as_text(diverged)}",
            )
