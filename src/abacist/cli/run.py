"""`abacist run`: run an experiment from a TOML file, and show its table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from abacist.cli.devices import DeviceOption, target_of_device
from abacist.cli.logs import LogOption, QuietOption, Reporting, VerboseOption
from abacist.cli.options import (
    ClusterOption,
    DryRunOption,
    ForceOption,
    JobsOption,
    KeepMomentsOption,
    ResultsOption,
    RunsOption,
    ShardOption,
    check_counts,
)
from abacist.cli.stores import store_to_fill
from abacist.cli.tables import show
from abacist.cli.work import sharded, work
from abacist.experiments import check_cluster, experiment_named, load_experiment
from abacist.report import table_of


def run(
    file: Annotated[Path, typer.Argument(help="A TOML file, or the name of one that comes with Abacist.")],
    results: ResultsOption = Path("results"),
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    device: DeviceOption = "cpu",
    shard: ShardOption = None,
    runs: RunsOption = None,
    force: ForceOption = False,
    keep_moments: KeepMomentsOption = False,
    dry_run: DryRunOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
    log: LogOption = None,
) -> None:
    """Run an experiment: what the store has is not computed again.

    Fields are those of a spec; every combination of the values in lists is a task. Interrupt it
    when you like: at most the blocks in flight are lost, and the same command continues.

    Example: abacist run sweep.toml --jobs 2
    """
    check_counts(jobs=jobs, runs=runs)
    reporting = Reporting(quiet, verbose, log)
    check_cluster(cluster)
    target = target_of_device(device, cluster)
    named = not file.suffix and not file.exists()
    experiment = experiment_named(str(file), runs=runs) if named else load_experiment(file, runs=runs)
    tasks = sharded(experiment.tasks, shard)
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
    if found is not None:
        show(table_of(experiment, found))
