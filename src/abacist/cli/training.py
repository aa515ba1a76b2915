"""`abacist reproduce`, `run`, `train` and `teach`: the commands that fill a store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.cells import cell_named
from abacist.cli.options import (
    CELL_NAMES,
    LanguageArgument,
    RunsOption,
    experiment_asked_for,
    seeds_named,
    separated,
)
from abacist.cli.parameters import NOTHING, Argument, Given, OptionsOf
from abacist.cli.screen import say, show_json, warn
from abacist.cli.tables import show_rows, show_table
from abacist.cli.work import DeviceWork, Work
from abacist.corpora import PAPER, SourceChoice
from abacist.experiments import (
    FAILS,
    MOST_RUNS,
    Run,
    Task,
    catalogue,
    check_claims,
    experiment_named,
    percents,
    summarise,
)
from abacist.experiments.paper_table import STATISTICS
from abacist.fields import Range
from abacist.files import make_folder, write_whole
from abacist.labels import label_of
from abacist.languages import language_asked_for
from abacist.report import TABLE_FORMS, claims_table, table_of
from abacist.report.experiment_tables import proved_to, share_interval, wrong_at
from abacist.report.horizon_tables import quartiles
from abacist.specs import Lesson, Spec, spec_asked_for
from abacist.wording import plural

_RUNS = Range(1, MOST_RUNS)
_SeedOption = Annotated[int, "The seed of the first run, for its words and its weights."]
_EveryRunOption = Annotated[bool, "Print JSON, with every single run."]

#: The fields of a spec that options of `teach` set.
_TAUGHT = ("hidden", "epochs", "rate", "objective", "decay", "precision", "training", "test", "distinct")


def reproduce(
    *,
    tables: Annotated[Path | None, "Where to write the tables.", "RESULTS/tables"] = None,
    only: Annotated[list[str] | None, "Only these experiments, with commas between them.", "all"] = None,
    runs: RunsOption = None,
    work: DeviceWork,
    strict: Annotated[bool, "Exit with status 3 if a claim fails."] = False,
) -> None:
    """Run the paper's experiments and ours, show the tables beside the paper's, and judge its claims.

    What the store has is not computed again. Tables are written as Markdown, LaTeX, CSV and JSON.

    Example: abacist reproduce --runs 10
    """
    experiments = [experiment_named(name, runs=runs) for name in separated(only) or catalogue()]
    folder = tables or work.results / "tables"
    if not work.dry_run:
        make_folder(folder)
    results = work.on([task for experiment in experiments for task in experiment.tasks])
    if results is None:
        return
    shown, verdicts = [table_of(experiment, results) for experiment in experiments], check_claims(results)
    for table in (*shown, claims_table(verdicts)):
        for ending, form in TABLE_FORMS.items():
            write_whole(folder / f"{table.name}.{ending}", form(table).encode())
    for table in shown:
        show_table(table)
    for verdict in verdicts:
        which = f"; {verdict.which}" if verdict.which else ""
        print(f"{verdict.verdict:>13}: “{verdict.claim}” ({verdict.place}: {verdict.rule}{which})")
    if results.mixture:
        warn(f"{results.path}: {results.mixture}")
    say(f"{plural(len(results.runs), 'run')} in {results.path}, tables in {folder}")
    if strict and any(verdict.verdict == FAILS for verdict in verdicts):
        raise typer.Exit(3)


def run(
    file: Annotated[Path, Argument("A TOML file, or the name of one that comes with Abacist.")],
    *,
    runs: RunsOption = None,
    work: DeviceWork,
) -> None:
    """Run an experiment: what the store has is not computed again.

    Fields are those of a spec; every combination of the values in lists is a task. Interrupt it
    when you like: at most the blocks in flight are lost, and the same command continues.

    Example: abacist run sweep.toml --jobs 2
    """
    experiment = experiment_asked_for(str(file), runs)
    results = work.on(experiment.tasks)
    if results is not None:
        show_table(table_of(experiment, results))


def train(
    language: LanguageArgument,
    cell: Annotated[str, Argument(f"A cell: {CELL_NAMES}.")],
    *,
    spec: Annotated[Given, OptionsOf(Spec)] = NOTHING,
    runs: Annotated[int, "How many networks to train; run r has seed SEED + r.", _RUNS] = PAPER.runs,
    seed: _SeedOption = 0,
    recipe: Annotated[
        str,
        "paper, or published: --cut-off, --order fixed and --precision float64, as in the authors' "
        "later code.",
    ] = "paper",
    words: Annotated[Given, OptionsOf(SourceChoice)] = NOTHING,
    work: DeviceWork,
    json: _EveryRunOption = False,
) -> None:
    """Train networks and judge them on their training, short and long sets.

    Prints minimum, maximum and median accuracy as the paper's table 3 does. The networks are kept in
    a store, and what it has is not computed again. Interrupt it when you like: the same command
    continues.

    Example: abacist train dyck-1 lstm --hidden 3 --runs 10 --epochs 20 --seed 0 --out dyck-1-lstm
    """
    first = {"recipe": recipe, "language": language_asked_for(language), "cell": cell_named(cell)}
    whole = spec_asked_for({**first, **spec, **words})
    result = work.on_one("train", whole, runs, seed)
    if result is None:
        return
    if json:
        outcomes = [run.outcome for run in result[1]]
        losses, diverged = [list(one.losses) for one in outcomes], [one.diverged for one in outcomes]
        show_json(_record(*result) | {"losses": losses, "diverged": diverged})
    else:
        _show_trained(*result)
    say(f"kept in {work.results}")


def teach(
    language: LanguageArgument,
    cell: Annotated[str, Argument(f"A cell: {CELL_NAMES}.")] = "lstm",
    *,
    spec: Annotated[Given, OptionsOf(Spec, _TAUGHT, (("hidden", 1),))] = NOTHING,
    lesson: Annotated[Given, OptionsOf(Lesson, usual=(("sharpen", 1.4),))] = NOTHING,
    runs: Annotated[int, "How many networks; run r has seed SEED + r.", _RUNS] = PAPER.runs,
    seed: _SeedOption = 0,
    work: Work,
    json: _EveryRunOption = False,
) -> None:
    """Teach networks to count: train, look for words they get wrong, train on these, and so on.

    Shows after each round the shortest word found that a network gets wrong, and at the end how many are
    proved right on every word up to the length asked for. A network is taught until that is proved. The
    networks are kept in a store like all others.

    Example: abacist teach dyck-1 lstm --hidden 1 --runs 16 --max-length 1000 --out taught
    """
    plan = Lesson(**lesson)
    whole = Spec(language_asked_for(language), cell_named(cell), lesson=plan, **spec)
    result = work.on_one("teach", whole, runs, seed)
    if result is None:
        return
    if json:
        outcomes = [run.outcome for run in result[1]]
        rounds = [None if one.taught is None else one.taught.as_dict() for one in outcomes]
        show_json(_record(*result) | {"taught": rounds, "seconds": [one.seconds for one in outcomes]})
    else:
        _show_taught(*result, plan)
    say(f"kept in {work.results}")


def _record(task: Task, runs: list[Run]) -> dict[str, Any]:
    return {
        "language": task.spec.language.name,
        "spec": task.spec.as_dict(),
        "seeds": list(task.seeds),
        "accuracy": {name: [run.accuracy(name) for run in runs] for name in task.sets},
    }


def _title(task: Task) -> str:
    spec = task.spec
    named = f"{label_of(spec.language.name)}, {label_of(spec.cell.name)} with {spec.units}"
    return f"{named}, {plural(len(task.seeds), 'run')}"


def _show_trained(task: Task, runs: list[Run]) -> None:
    """Minimum, maximum and median accuracy on every set."""
    figures = {name: summarise(percents(runs, name)).values() for name in task.sets}
    rows = [[name, *(f"{figure:.2f}" for figure in values)] for name, values in figures.items()]
    title = f"{_title(task)}, {plural(task.spec.epochs, 'epoch')}, {seeds_named(task.seeds)}"
    show_rows(["set", *STATISTICS], rows, title=title, left=("set",))


def _show_taught(task: Task, runs: list[Run], lesson: Lesson) -> None:
    """Quartiles of the shortest failing word, round by round, and what is proved."""
    logs = [run.outcome.taught for run in runs if run.outcome.taught is not None]
    rows = []
    for number, epochs in enumerate(lesson.ends(task.spec.epochs)):
        still = [log for log in logs if len(log.rounds) > number]
        if still:
            fed = sum(log.rounds[number].fed for log in still) / len(still)
            figures = quartiles(wrong_at(runs, number), lesson.to)
            rows.append([number + 1, epochs, len(still), f"{fed:.0f}", *figures])
    proved = proved_to(runs, lesson.to)
    low, high = share_interval(proved, len(logs))
    sharpened = sum(log.sharpened != 1 for log in logs)
    end = f", {sharpened} with gates sharpened at the end" if sharpened else ""
    show_rows(
        ["round", "epochs", "still taught", "words fed", "min", "¼", "median", "¾"],
        rows,
        title=f"{_title(task)}: the shortest word found that a network gets wrong",
        footer=f"proved right on every word of up to {plural(lesson.to, 'symbol')}: {proved} of "
        f"{plural(len(logs), 'run')}{end} (95 % interval {100 * low:.0f} to {100 * high:.0f} %)",
    )
