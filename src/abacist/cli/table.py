"""`abacist table`: the table of an experiment."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from abacist.cli.options import FormOption, ResultsOption, RunsOption, separated
from abacist.cli.saying import say
from abacist.cli.screen import busy
from abacist.cli.stores import open_results
from abacist.cli.tables import check_form, show
from abacist.errors import BadInput
from abacist.experiments import Experiment, Results, check_claims, experiment_named, load_experiment
from abacist.experiments.grouping import STATISTICS, statistics_named
from abacist.experiments.paper import STATISTICS as PAPER_STATISTICS
from abacist.report import Table, claims_table, table_of
from abacist.report.own_runs import all_runs, own_runs, runs_of
from abacist.report.own_table import own_table, spare_columns
from abacist.wording import one_of, plural

#: What is no experiment, but has a table; and the experiment that is shown where none is named.
_CLAIMS, _OWN, _TABLE_3 = "claims", "own", "table-3"


def table(
    experiment: Annotated[
        str | None,
        typer.Argument(
            help="Its name, a TOML file, claims, or own for the runs of your own.",
            show_default="table-3 where the store has it, else all that it has",
        ),
    ] = None,
    results: ResultsOption = Path("results"),
    form: FormOption = "text",
    runs: RunsOption = None,
    statistics: Annotated[
        list[str] | None,
        typer.Option(
            "--show",
            help=f"What is said of the accuracies of runs alike: {one_of(STATISTICS)}, or q90.",
            show_default="min,max,median",
        ),
    ] = None,
) -> None:
    """Show the table of an experiment, or of what a store has.

    Runs of your own are grouped by what varies among them; what is the same in all is said once, above.

    With --show, an experiment's runs are grouped so, too, without the paper's figures beside them.

    Example: abacist table table-3 --show mean,std,quantiles
    """
    check_form(form, "a table is shown")
    if experiment is None and runs is not None:
        experiment = "table-3"
    shown = statistics_named(separated(statistics)) or PAPER_STATISTICS
    if statistics and experiment == _CLAIMS:
        raise BadInput("--show is about accuracies, and claims have none")
    named = experiment not in (None, _CLAIMS, _OWN)
    asked = _experiment(str(experiment), runs) if named else None
    with busy("making the table"):
        found = open_results(results)
        if asked is None:
            made = _without_experiment(experiment, found, shown, always=bool(statistics))
        else:
            made = _grouped(asked, found, shown) if statistics else table_of(asked, found)
    show(made, form, spare=spare_columns(made) if made.name == _OWN else ())
    if experiment is None and made.name != _OWN and (own := own_runs(found).groups):
        many = plural(sum(len(group.runs) for group in own), "run")
        say(f"there are also {many} of your own: `abacist table own` shows them")


def _experiment(name: str, runs: int | None) -> Experiment:
    if name.endswith(".toml"):
        return load_experiment(Path(name), runs=runs)
    return experiment_named(name, runs=runs)


def _grouped(asked: Experiment, found: Results, shown: Sequence[str]) -> Table:
    runs = runs_of(asked.tasks, found)
    if not runs.groups:
        raise BadInput(f"{found.folder} has no runs of {asked.name}")
    return own_table(runs, shown)


def _without_experiment(asked: str | None, found: Results, shown: Sequence[str], *, always: bool) -> Table:
    """The claims, the runs of one's own, or, if nothing was asked for, table 3 or else all that there is.

    Table 3 has the paper's statistics: where others are asked for, `always`, its runs are grouped alike.
    """
    if asked == _CLAIMS:
        return claims_table(check_claims(found))
    own = own_runs(found)
    if asked == _OWN and not own.groups:
        there = f", only those of {', '.join(own.experiments)}" if own.experiments else ""
        raise BadInput(f"{found.folder} has no runs of your own{there}")
    if asked is None and (_TABLE_3 in own.experiments or not found.runs):
        table_3 = experiment_named(_TABLE_3)
        return _grouped(table_3, found, shown) if always else table_of(table_3, found)
    return own_table(own if own.groups else all_runs(found), shown)
