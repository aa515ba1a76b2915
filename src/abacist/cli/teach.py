"""`abacist teach`: networks trained in rounds, each on the words that they got wrong in the one before."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.cells import cell_named
from abacist.cli.field_options import NOTHING, Given, OptionsOf
from abacist.cli.logs import LogOption, QuietOption, Reporting, VerboseOption
from abacist.cli.options import (
    CELL_NAMES,
    ClusterOption,
    DryRunOption,
    ForceOption,
    JobsOption,
    ResultsOption,
    ShardOption,
)
from abacist.cli.saying import say
from abacist.cli.screen import show_json
from abacist.cli.source import LanguageArgument
from abacist.cli.tables import show_table
from abacist.cli.work import check_one_task, work_on_one
from abacist.corpora import PAPER
from abacist.experiments import Run, Task
from abacist.languages import language_asked_for
from abacist.report.experiment_tables import proved_to, quartiles, share_interval, wrong_at
from abacist.specs import Lesson, Spec
from abacist.wording import plural

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
        show_json(_record(task, trained))
    else:
        _show(task, own, trained)
    say(f"kept in {results}")


def _record(task: Task, runs: list[Run]) -> dict[str, Any]:
    logs = [run.outcome.taught for run in runs]
    return {
        "language": task.spec.language.name,
        "spec": task.spec.as_dict(),
        "seeds": list(task.seeds),
        "accuracy": {name: [run.accuracy(name) for run in runs] for name in task.sets},
        "taught": [None if log is None else log.as_dict() for log in logs],
        "seconds": [run.outcome.seconds for run in runs],
    }


def _show(task: Task, lesson: Lesson, runs: list[Run]) -> None:
    """Quartiles of the shortest failing word, round by round, and what is proved."""
    spec = task.spec
    title = (
        f"{spec.language.name}, {spec.cell.name} with {spec.units}, "
        f"{plural(len(runs), 'run')}: the shortest word found that a network gets wrong"
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
        f"proved right on every word of up to {plural(lesson.to, 'symbol')}: {proved} of "
        f"{plural(len(logs), 'run')}{end} (95 % interval {100 * low:.0f} to {100 * high:.0f} %)"
    )
    show_table(columns, rows, title=title, footer=footer)
