"""`abacist train`: an experiment of one task, its networks kept in a store like any other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.cells import cell_named
from abacist.cli.devices import DeviceOption, target_of_device
from abacist.cli.field_options import NOTHING, Given, OptionsOf
from abacist.cli.logs import LogOption, QuietOption, Reporting, VerboseOption
from abacist.cli.options import (
    CELL_NAMES,
    ClusterOption,
    DryRunOption,
    ForceOption,
    KeepMomentsOption,
    ResultsOption,
    ShardOption,
)
from abacist.cli.saying import say
from abacist.cli.screen import show_json
from abacist.cli.source import (
    LanguageArgument,
)
from abacist.cli.tables import show_table
from abacist.cli.work import check_one_task, work_on_one
from abacist.corpora import PAPER, SourceChoice
from abacist.experiments import Run, Task, percents, summarise
from abacist.experiments.paper import STATISTICS
from abacist.languages import language_asked_for
from abacist.specs import Spec, spec_asked_for
from abacist.wording import plural


def train(
    language: LanguageArgument,
    cell: Annotated[str, typer.Argument(help=f"A cell: {CELL_NAMES}.")],
    spec: Annotated[Given, OptionsOf(Spec)] = NOTHING,
    runs: Annotated[
        int, typer.Option(help="How many networks to train; run r has seed SEED + r.")
    ] = PAPER.runs,
    seed: Annotated[int, typer.Option(help="The seed of the first run, for its words and its weights.")] = 0,
    recipe: Annotated[
        str,
        typer.Option(
            help="paper, or published: --cut-off, --order fixed and --precision float64, as in the authors' "
            "later code."
        ),
    ] = "paper",
    words: Annotated[Given, OptionsOf(SourceChoice)] = NOTHING,
    results: ResultsOption = Path("results"),
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "--threads",
            help="How many blocks of runs to compute at once.",
            show_default="all cores",
        ),
    ] = None,
    cluster: ClusterOption = None,
    device: DeviceOption = "cpu",
    shard: ShardOption = None,
    force: ForceOption = False,
    keep_moments: KeepMomentsOption = False,
    dry_run: DryRunOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
    log: LogOption = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, with every single run.")] = False,
) -> None:
    """Train networks and judge them on their training, short and long sets.

    Prints minimum, maximum and median accuracy as the paper's table 3 does. The networks are kept in
    a store, and what it has is not computed again. Interrupt it when you like: the same command
    continues.

    Example: abacist train dyck-1 lstm --hidden 3 --runs 10 --epochs 20 --seed 0 --out dyck-1-lstm
    """
    check_one_task(runs, jobs, results)
    reporting = Reporting(quiet, verbose, log)
    target = target_of_device(device, cluster)
    asked = {"recipe": recipe, "language": language_asked_for(language), "cell": cell_named(cell)}
    whole = spec_asked_for({**asked, **spec, **words})
    seeds = range(seed, seed + runs)
    found = work_on_one(
        "train",
        whole,
        seeds,
        results,
        jobs=jobs,
        force=force,
        keep_moments=keep_moments,
        dry_run=dry_run,
        cluster=cluster,
        shard=shard,
        reporting=reporting,
        target=target,
    )
    if found is None:
        return
    task, trained = found
    if json:
        show_json(_record(task, trained))
    else:
        _show(task, trained)
    say(f"kept in {results}")


def _record(task: Task, runs: list[Run]) -> dict[str, Any]:
    return {
        "language": task.spec.language.name,
        "spec": task.spec.as_dict(),
        "seeds": list(task.seeds),
        "accuracy": {name: [run.accuracy(name) for run in runs] for name in task.sets},
        "losses": [list(run.outcome.losses) for run in runs],
        "diverged": [run.outcome.diverged for run in runs],
    }


def _show(task: Task, runs: list[Run]) -> None:
    """Minimum, maximum and median accuracy on every set."""
    spec, first, last = task.spec, task.seeds[0], task.seeds[-1]
    seeds = f"seeds {first} to {last}" if last > first else f"seed {first}"
    title = (
        f"{spec.language.name}, {spec.cell.name} with {spec.units}, "
        f"{plural(len(runs), 'run')}, {plural(spec.epochs, 'epoch')}, {seeds}"
    )
    rows = []
    for name in task.sets:
        figures = summarise(percents(runs, name))
        rows.append([name, *(f"{figure:.2f}" for figure in figures.values())])
    show_table(["set", *STATISTICS], rows, title=title, left=("set",))
