"""`abacist reproduce`, `run`, `train` and `teach`: the commands that fill a store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.cells import cell_named
from abacist.cli.logs import LogOption, QuietOption, Reporting, VerboseOption
from abacist.cli.options import (
    CELL_NAMES,
    ClusterOption,
    DryRunOption,
    ForceOption,
    JobsOption,
    KeepMomentsOption,
    LanguageArgument,
    ResultsOption,
    RunsOption,
    ShardOption,
    check_counts,
    separated,
)
from abacist.cli.parameters import NOTHING, Given, OptionsOf
from abacist.cli.screen import say, show_json, warn
from abacist.cli.stores import store_to_fill
from abacist.cli.tables import show_rows, show_table, write_tables
from abacist.cli.work import DeviceOption, check_one_task, sharded, target_of_device, work, work_on_one
from abacist.corpora import PAPER, SourceChoice
from abacist.experiments import (
    FAILS,
    Run,
    Task,
    catalogue,
    check_claims,
    check_cluster,
    experiment_named,
    load_experiment,
    percents,
    summarise,
)
from abacist.experiments.paper import STATISTICS
from abacist.files import make_folder
from abacist.languages import language_asked_for
from abacist.report import claims_table, table_of
from abacist.report.teaching_table import proved_to, quartiles, share_interval, wrong_at
from abacist.specs import Lesson, Spec, spec_asked_for
from abacist.wording import several


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
        show_table(table)
    for verdict in verdicts:
        which = f"; {verdict.which}" if verdict.which else ""
        print(f"{verdict.verdict:>13}: “{verdict.claim}” ({verdict.place}: {verdict.rule}{which})")
    if found.mixture:
        warn(f"{found.path}: {found.mixture}")
    say(f"{several(len(found.runs), 'run')} in {found.path}, tables in {folder}")
    if strict and any(verdict.verdict == FAILS for verdict in verdicts):
        raise typer.Exit(3)


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
        show_table(table_of(experiment, found))


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
        show_json(_record_trained(task, trained))
    else:
        _show_trained(task, trained)
    say(f"kept in {results}")


def _record_trained(task: Task, runs: list[Run]) -> dict[str, Any]:
    return {
        "language": task.spec.language.name,
        "spec": task.spec.as_dict(),
        "seeds": list(task.seeds),
        "accuracy": {name: [run.accuracy(name) for run in runs] for name in task.sets},
        "losses": [list(run.outcome.losses) for run in runs],
        "diverged": [run.outcome.diverged for run in runs],
    }


def _show_trained(task: Task, runs: list[Run]) -> None:
    """Minimum, maximum and median accuracy on every set."""
    spec, first, last = task.spec, task.seeds[0], task.seeds[-1]
    seeds = f"seeds {first} to {last}" if last > first else f"seed {first}"
    title = (
        f"{spec.language.name}, {spec.cell.name} with {spec.units}, "
        f"{several(len(runs), 'run')}, {several(spec.epochs, 'epoch')}, {seeds}"
    )
    rows = []
    for name in task.sets:
        figures = summarise(percents(runs, name))
        rows.append([name, *(f"{figure:.2f}" for figure in figures.values())])
    show_rows(["set", *STATISTICS], rows, title=title, left=("set",))


#: The fields of a spec that options set.
_SPEC = ("hidden", "epochs", "rate", "decay", "precision", "training")


def teach(
    language: LanguageArgument,
    cell: Annotated[str, typer.Argument(help=f"A cell: {CELL_NAMES}.")] = "lstm",
    spec: Annotated[Given, OptionsOf(Spec, _SPEC, (("hidden", 1),))] = NOTHING,
    lesson: Annotated[Given, OptionsOf(Lesson, usual=(("sharpen", 1.4),))] = NOTHING,
    runs: Annotated[int, typer.Option(help="How many networks; run r has seed SEED + r.")] = PAPER.runs,
    seed: Annotated[int, typer.Option(help="The seed of the first run, for its words and its weights.")] = 0,
    results: ResultsOption = Path("results"),
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    shard: ShardOption = None,
    force: ForceOption = False,
    dry_run: DryRunOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
    log: LogOption = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, with every single run.")] = False,
) -> None:
    """Teach networks to count: train, look for words they get wrong, train on these, and so on.

    Shows after each round the shortest word found that a network gets wrong, and at the end how many are
    proved right on every word up to the length asked for. A network is taught until that is proved. The
    networks are kept in a store like all others.

    Example: abacist teach dyck-1 lstm --hidden 1 --runs 16 --to 1000 --out taught
    """
    check_one_task(runs, jobs, results)
    reporting = Reporting(quiet, verbose, log)
    own = Lesson(**lesson)
    whole = Spec(language_asked_for(language), cell_named(cell), lesson=own, **spec)
    seeds = range(seed, seed + runs)
    found = work_on_one(
        "teach",
        whole,
        seeds,
        results,
        jobs=jobs,
        force=force,
        dry_run=dry_run,
        cluster=cluster,
        shard=shard,
        reporting=reporting,
    )
    if found is None:
        return
    task, trained = found
    if json:
        show_json(_record_taught(task, trained))
    else:
        _show_taught(task, own, trained)
    say(f"kept in {results}")


def _record_taught(task: Task, runs: list[Run]) -> dict[str, Any]:
    logs = [run.outcome.taught for run in runs]
    return {
        "language": task.spec.language.name,
        "spec": task.spec.as_dict(),
        "seeds": list(task.seeds),
        "accuracy": {name: [run.accuracy(name) for run in runs] for name in task.sets},
        "taught": [None if log is None else log.as_dict() for log in logs],
        "seconds": [run.outcome.seconds for run in runs],
    }


def _show_taught(task: Task, lesson: Lesson, runs: list[Run]) -> None:
    """Quartiles of the shortest failing word, round by round, and what is proved."""
    spec = task.spec
    title = (
        f"{spec.language.name}, {spec.cell.name} with {spec.units}, "
        f"{several(len(runs), 'run')}: the shortest word found that a network gets wrong"
    )
    logs = [run.outcome.taught for run in runs if run.outcome.taught is not None]
    rows = []
    for number, epochs in enumerate(lesson.ends(spec.epochs)):
        still = sum(len(log.rounds) > number for log in logs)
        if still:
            fed = sum(log.rounds[number].fed for log in logs if len(log.rounds) > number) / still
            figures = quartiles(wrong_at(runs, number), lesson.to)
            rows.append([number + 1, epochs, still, f"{fed:.0f}", *figures])
    columns = ["round", "epochs", "still taught", "words fed", "min", "¼", "median", "¾"]
    proved = proved_to(runs, lesson.to)
    low, high = share_interval(proved, len(logs))
    sharpened = sum(log.sharpened != 1 for log in logs)
    end = f", {sharpened} with gates sharpened at the end" if sharpened else ""
    footer = (
        f"proved right on every word of up to {several(lesson.to, 'symbol')}: {proved} of "
        f"{several(len(logs), 'run')}{end} (95 % interval {100 * low:.0f} to {100 * high:.0f} %)"
    )
    show_rows(columns, rows, title=title, footer=footer)
