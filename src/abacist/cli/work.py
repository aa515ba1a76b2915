"""Computing what is missing in a store, as `reproduce`, `run`, `train` and `teach` do."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from abacist.cli.dry_run import say_what_would_run
from abacist.cli.logs import Reporting
from abacist.cli.options import check_counts
from abacist.cli.screen import say, warn
from abacist.cli.stores import read_results, seeds_as_text, settings_of, store_to_fill
from abacist.errors import BadFile, BadInput
from abacist.experiments import (
    MOST_RUNS,
    BlocksFailed,
    Results,
    Run,
    Shard,
    Store,
    Task,
    WorkersLost,
    check_cluster,
    jobs_for,
    open_cluster,
    run,
    run_key,
)
from abacist.on_demand import on_demand
from abacist.specs import Spec
from abacist.specs.files import is_folder_of_networks
from abacist.specs.networks import LARGEST_WEIGHT
from abacist.targets import PROCESSOR
from abacist.wording import several

_cuda = on_demand("abacist.targets.cuda.driver")
_nvrtc = on_demand("abacist.targets.cuda.nvrtc")

DEVICES = ("cpu", "cuda", "auto")

DeviceOption = Annotated[
    str,
    typer.Option(
        help="Where to train and judge: cpu; cuda, an NVIDIA device; or auto, the device if there is one.",
    ),
]


def target_of_device(name: str, cluster: str | None = None) -> str:
    """The target that `--device` asks for; says what `auto` chooses, and never chooses in silence."""
    if name not in DEVICES:
        raise BadInput(f"--device must be {', '.join(DEVICES[:-1])} or {DEVICES[-1]}, got {name!r}")
    if name == "cpu":
        return PROCESSOR
    if cluster is not None:
        raise BadInput("--device is for this machine: the workers of --cluster train on their processors")
    try:
        found = f"{_cuda.device().name}, compiled by NVRTC {_nvrtc.compiler_version()}"
    except BadInput as error:
        if name == "cuda":
            raise
        say(f"--device auto: the processor ({error})")
        return PROCESSOR
    say(f"--device {name}: {found}")
    return "cuda"


def work(
    tasks: Sequence[Task],
    store: Store | None,
    *,
    jobs: int | None,
    force: bool,
    dry_run: bool,
    cluster: str | None,
    reporting: Reporting,
    keep_moments: bool = False,
    target: str = PROCESSOR,
) -> Results | None:
    """Compute what is missing, and give all there is; with `dry_run` only say what it is.

    Ctrl-C keeps the blocks that are finished, and says so; so does the end of a cluster. Blocks that fail
    are named.
    """
    if dry_run:
        there = None if store is None else read_results(store)
        say_what_would_run(tasks, jobs_for(tasks, there, force=force, target=target), there, jobs)
        return None
    assert store is not None
    kept = ""
    try:
        with (
            nullcontext() if cluster is None else open_cluster(cluster, warn) as workers,
            reporting.of(tasks, store.path, jobs or os.cpu_count() or 1) as progress,
        ):
            try:
                found = run(
                    tasks,
                    store,
                    jobs=jobs,
                    force=force,
                    keep_moments=keep_moments,
                    executor=workers,
                    progress=progress,
                    warn=warn,
                    target=target,
                )
            except (KeyboardInterrupt, WorkersLost):
                kept = _what_is_kept(tasks, store)
                progress.stopped(kept)
                raise
            except BlocksFailed as error:
                progress.ended(failed=len(error.failed))
                raise
            progress.ended()
    except BlocksFailed as error:
        _say_what_failed(tasks, error)
        raise
    finally:
        if kept:  # once there are no bars any more
            say(kept)
    _say_what_diverged(tasks, found)
    return found


def sharded(tasks: Sequence[Task], shard: str | None) -> list[Task]:
    """The tasks of a shard, by default all."""
    if shard is None:
        return list(tasks)
    mine = Shard.parse(shard).of(tasks)
    if not mine:
        say(f"shard {shard} has no runs: the plan is too small for so many shards")
    return mine


def check_one_task(runs: int, jobs: int | None, results: Path) -> None:
    """Refuse what a command that trains the networks of one spec cannot do."""
    check_counts(runs=runs, jobs=jobs)
    if runs > MOST_RUNS:
        raise BadInput(f"runs must be at most {MOST_RUNS:,}, got {runs:,}")
    if is_folder_of_networks(results):
        raise BadFile(f"{results}: is already a folder of networks; choose another folder for the results")


def work_on_one(
    name: str,
    spec: Spec,
    seeds: range,
    results: Path,
    *,
    jobs: int | None,
    force: bool,
    dry_run: bool,
    cluster: str | None,
    shard: str | None,
    reporting: Reporting,
    keep_moments: bool = False,
    target: str = PROCESSOR,
) -> tuple[Task, list[Run]] | None:
    """The runs of one spec, those that are missing computed; None after a dry run, or for an empty shard."""
    check_cluster(cluster)
    spec.recipe(seeds[0])  # refuses the impossible before anything is made
    tasks = sharded([Task(name, spec, tuple(seeds))], shard)
    with store_to_fill(results, dry_run) as store:
        found = work(
            tasks,
            store,
            jobs=jobs,
            force=force,
            keep_moments=keep_moments,
            dry_run=dry_run,
            cluster=cluster,
            reporting=reporting,
            target=target,
        )
    return None if found is None or not tasks else (tasks[0], found.complete(tasks[0]))


def _what_is_kept(tasks: Sequence[Task], store: Store) -> str:
    keys = {run_key(task.spec, seed) for task in tasks for seed in task.seeds}
    kept = len(keys & Results.of(store).by_key.keys())
    return (
        f"{kept:,} of {several(len(keys), 'run')} kept in {store.path}; the same command continues from there"
    )


def _say_what_failed(tasks: Sequence[Task], error: BlocksFailed) -> None:
    """A sentence for every block that failed twice."""
    settings = settings_of(task.spec for task in tasks)
    for failure in error.failed:
        for part in failure.job.parts:
            named = ", ".join(f"{name} {value}" for name, value in settings[part.spec].items())
            seeds = f"{'seed' if len(part.seeds) == 1 else 'seeds'} {seeds_as_text(part.seeds)}"
            warn(f"{named}, {seeds}: failed twice, {failure.error}")


def _say_what_diverged(tasks: Sequence[Task], results: Results) -> None:
    """Name the runs that diverged, a line for every spec."""
    for spec, setting in settings_of(task.spec for task in tasks).items():
        seeds = {seed for task in tasks if task.spec == spec for seed in task.seeds}
        runs = (run for run in results.by_spec.get(spec, ()) if run.seed in seeds)
        diverged = [run.seed for run in runs if run.outcome.diverged is not None]
        if diverged:
            named = ", ".join(f"{name} {value}" for name, value in setting.items())
            share = f"{len(diverged)} of {several(len(seeds), 'run')}"
            seed = "seed" if len(diverged) == 1 else "seeds"
            say(
                f"{named}: {share} diverged (a weight is not finite or beyond {LARGEST_WEIGHT:,.0f}), "
                f"{seed} {seeds_as_text(diverged)}",
            )
