"""`abacist reproduce`: the paper, all of it, and a verdict on each claim."""

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
    ResultsOption,
    RunsOption,
    ShardOption,
    check_counts,
    separated,
)
from abacist.cli.saying import say, warn
from abacist.cli.stores import store_to_fill
from abacist.cli.tables import show, write_tables
from abacist.cli.work import sharded, work
from abacist.experiments import FAILS, catalogue, check_claims, check_cluster, experiment_named
from abacist.files import make_folder
from abacist.report import claims_table, table_of
from abacist.wording import plural


def reproduce(
    results: ResultsOption = Path("results"),
    tables: Annotated[
        Path | None, typer.Option(help="Where to write the tables.", show_default="RESULTS/tables")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(help="Only these experiments, with commas between them.", show_default="all"),
    ] = None,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    device: DeviceOption = "cpu",
    shard: ShardOption = None,
    runs: RunsOption = None,
    force: ForceOption = False,
    dry_run: DryRunOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
    log: LogOption = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with status 3 if a claim fails.")] = False,
) -> None:
    """Run the paper's experiments and ours, show the tables beside the paper's, and judge its claims.

    What the store has is not computed again. Tables are written as Markdown, LaTeX, CSV and JSON.

    Example: abacist reproduce --runs 10
    """
    check_counts(jobs=jobs, runs=runs)
    reporting = Reporting(quiet, verbose, log)
    check_cluster(cluster)
    target = target_of_device(device, cluster)
    experiments = [experiment_named(name, runs=runs) for name in separated(only) or catalogue()]
    tasks = sharded([task for experiment in experiments for task in experiment.tasks], shard)
    folder = tables or results / "tables"
    if not dry_run:
        make_folder(folder)
    with store_to_fill(results, dry_run) as store:
        found = work(
            tasks,
            store,
            jobs=jobs,
            force=force,
            dry_run=dry_run,
            cluster=cluster,
            reporting=reporting,
            target=target,
        )
    if found is None:
        return
    made = [table_of(experiment, found) for experiment in experiments]
    verdicts = check_claims(found)
    made.append(claims_table(verdicts))
    write_tables(made, folder)
    for table in made[:-1]:
        show(table)
    for verdict in verdicts:
        which = f"; {verdict.which}" if verdict.which else ""
        print(f"{verdict.verdict:>13}: “{verdict.claim}” ({verdict.place}: {verdict.rule}{which})")
    if found.mixture:
        warn(f"{found.path}: {found.mixture}")
    say(f"{plural(len(found.runs), 'run')} in {found.path}, tables in {folder}")
    if strict and any(verdict.verdict == FAILS for verdict in verdicts):
        raise typer.Exit(3)
