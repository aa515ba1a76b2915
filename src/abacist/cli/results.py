"""`abacist runs`, `table` and `distributions`: the runs of a store, one by one and together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.cli.options import (
    FormOption,
    ResultsOption,
    RunsOption,
    WhereOption,
    chosen,
    experiment_asked_for,
    open_results,
    separated,
)
from abacist.cli.screen import say, working
from abacist.cli.tables import show_table
from abacist.errors import BadInput
from abacist.experiments import PAPER_SETS, Experiment, Results, check_claims, experiment_named
from abacist.experiments.conditions import known_field
from abacist.experiments.distributions import distributions as published_distributions
from abacist.experiments.distributions import summarised, written_distributions
from abacist.experiments.paper_table import STATISTICS
from abacist.experiments.run_values import NUMBER, OTHERS, PERCENT, fields_of
from abacist.experiments.statistics import GROUP_STATISTICS, grouped, statistics_named
from abacist.fields import Field, Range
from abacist.files import write_whole
from abacist.report import Column, Table, claims_table, table_of
from abacist.report.distributions import agreement_table, distribution_table, horizon_distribution_table
from abacist.report.own_runs import all_runs, own_runs, runs_of
from abacist.report.own_table import first_rows, own_table
from abacist.report.run_table import run_columns, with_short_keys, without_shared_settings
from abacist.report.selection import chosen_columns, in_order_of, sort_by, with_runs
from abacist.report.tables import headed
from abacist.wording import one_of, plural

#: Columns that a list of runs begins with: a narrow terminal shows these, and names the others.
_FIRST = ("key", "language", "cell", "hidden", "seed", "long", *OTHERS)

#: What is no experiment, but has a table; and the experiment that is shown where none is named.
_CLAIMS, _OWN, _TABLE_3 = "claims", "own", "table-3"

_StatisticsOption = Annotated[
    list[str] | None,
    Field(
        f"What is said of runs that are alike: {one_of(GROUP_STATISTICS)}, or q90.",
        option="show",
        usual=",".join(STATISTICS),
    ),
]


def runs(
    results: ResultsOption = Path("results"),
    where: WhereOption = None,
    sort: Annotated[
        str | None, "Sort by columns, such as hidden,-long: by hidden, then by long from the highest down."
    ] = None,
    columns: Annotated[
        list[str] | None,
        "Show these columns, with commas between them, such as key,rate,long.",
        "those that tell runs apart",
    ] = None,
    limit: Annotated[int | None, "Show only the first rows, this many.", Range(1)] = None,
    group_by: Annotated[
        list[str] | None,
        "A row for all runs that agree in these fields, such as hidden,rate; what is shown of them "
        "is that of --columns, by default the accuracies.",
    ] = None,
    statistics: _StatisticsOption = None,
    form: FormOption = "text",
    checksum: Annotated[
        bool, "Print only a checksum over the weights of all runs: the same for the same networks."
    ] = False,
) -> None:
    """List every single run in the store.

    Or, with --group-by, what groups of them have in common. Keys are matched by their beginning.

    Example: abacist runs --where cell=gru,lstm --where 'long>90' --group-by cell,hidden --show mean,std
    """
    if checksum:
        if any((where, sort is not None, columns, limit, group_by, statistics)):
            raise BadInput("--checksum is over all runs, so it goes with no other choice of them")
        with working("reading the store"):
            store = open_results(results)
            print(f"{store.weights_checksum}  weights of {plural(len(store.runs), 'run')}")
        return
    if statistics and not group_by:
        raise BadInput("--show is about groups, so it goes with --group-by, such as --group-by hidden")
    with working("reading the store"):
        every = open_results(results).runs
        fields = fields_of(every)
        named = [known_field(name, fields) for name in separated(columns)]
        rows = [row for _, row in chosen(every, where or [], fields)]
    if where and every and not rows:
        raise BadInput("no runs to list: the store has none that fit")
    by = [known_field(name, fields) for name in separated(group_by)]
    if by:
        usual = separated(statistics) or STATISTICS
        listed = _groups(rows, fields, by, named, statistics_named(usual))
    else:
        listed = Table("runs", "Runs", run_columns(every), tuple(rows))
        if form == "text" and not named:
            listed = without_shared_settings(listed)
        by_key = {column.key: column for column in listed.columns}
        order = dict.fromkeys(named or (*(_FIRST if form == "text" else ()), *by_key))
        listed = replace(listed, columns=tuple(by_key[name] for name in order if name in by_key))
    if sort is not None:
        sortable = [column.key for column in listed.columns] if by else list(fields)
        listed = replace(listed, rows=tuple(_sorted(listed.rows, sort, sortable)))
    if limit is not None:
        listed = first_rows(listed, limit)
    if form not in ("csv", "json") and any("key" in row for row in listed.rows):
        listed = with_short_keys(listed)
    show_table(listed, form, kept=len(by) or 1, whole=bool(named or by))


def _groups(
    rows: Sequence[dict[str, Any]],
    fields: dict[str, str],
    by: list[str],
    named: list[str],
    statistics: Sequence[str],
) -> Table:
    """A table of groups of runs."""
    for name in named:
        if fields[name] not in (NUMBER, PERCENT):
            raise BadInput(f"--columns with --group-by are numbers, such as long, got {name}")
    of = named or [name for name in fields if name in PAPER_SETS] or ["loss"]
    digits = {name: 8 if name == "loss" else 2 for name in of}
    columns = [
        *headed(*by),
        *headed("runs", digits=0),
        *(
            Column(f"{n} {s}", s, n, 0 if s == "count" else digits[n], significant=n == "loss")
            for n in of
            for s in statistics
        ),
    ]
    lacking = {name: sum(row.get(name) is None for row in rows) for name in of}
    sentences = (f"{n:,} of {plural(len(rows), 'run')} without {name}." for name, n in lacking.items() if n)
    groups = tuple(grouped(rows, by, of, statistics))
    return Table("runs", f"Runs by {', '.join(by)}", tuple(columns), groups, " ".join(sentences))


def _sorted(rows: Sequence[dict[str, Any]], sort: str, fields: list[str]) -> list[dict[str, Any]]:
    """Rows by some columns, those without a value last."""
    ordered = list(rows)
    for name in reversed([part.strip() for part in sort.split(",")]):
        field = known_field(name.removeprefix("-"), fields)
        sort_by(ordered, lambda row: row.get(field), down=name.startswith("-"))  # noqa: B023
    return ordered


def table(
    experiment: Annotated[
        str | None,
        typer.Argument(
            help="Its name, a TOML file, claims, or own for the runs of your own.",
            show_default="table-3 where the store has several of its networks, else all that it has",
        ),
    ] = None,
    results: ResultsOption = Path("results"),
    where: WhereOption = None,
    columns: Annotated[
        list[str] | None,
        "Show these columns, or groups of them, with commas between them, such as cell,rate,long.",
        "all but settings that are the same in all rows",
    ] = None,
    sort: Annotated[
        str | None,
        "Sort by columns, such as hidden,-long: by hidden, then by median long from the highest down.",
    ] = None,
    form: FormOption = "text",
    runs: RunsOption = None,
    statistics: _StatisticsOption = None,
) -> None:
    """Show the table of an experiment, or of what a store has.

    Runs of your own are grouped by what varies among them; what is the same in all is said once, above.

    A named experiment is shown whole, networks without runs included; with --where, only networks with runs
    that fit. With --show, its runs are grouped as your own are, without the paper's figures beside them.

    Example: abacist table --where 'hidden<=4' --columns cell,hidden,long --sort=-long --format latex
    """
    if experiment is None and runs is not None:
        experiment = _TABLE_3
    if experiment == _CLAIMS and (statistics or where):
        raise BadInput("claims are decided by all runs, and have no accuracies: no --show, no --where")
    names = statistics_named(separated(statistics))
    plan = None if experiment in (None, _CLAIMS, _OWN) else experiment_asked_for(str(experiment), runs)
    with working("making the table"):
        every = open_results(results)
        store = every
        if where:
            store = replace(every, runs=tuple(run for run, _ in chosen(every.runs, where)))
            if every.runs and not store.runs:
                raise BadInput("no table: the store has no runs that fit")
        if experiment == _CLAIMS:
            listed, remark = claims_table(check_claims(store)), ""
        elif plan is None:
            listed, remark = _of_store(store, names, experiment == _OWN, "runs that fit" if where else "runs")
        elif where:
            listed, remark = _of_experiment(plan, store, names, "runs that fit")
        else:
            listed, remark = _of_experiment(plan, store, names)
    if where:
        fit = ", ".join(where)
        note = f"{len(store.runs):,} of {plural(len(every.runs), 'run')} fit {fit}. {listed.note}".strip()
        listed = replace(listed, note=note, about=listed.about and f"{listed.about}, only where {fit}")
    if sort is not None:
        listed = in_order_of(listed, separated([sort]))
    show_table(chosen_columns(listed, separated(columns)) if columns else listed, form)
    if remark:
        say(remark)


def _of_experiment(
    plan: Experiment, store: Results, statistics: Sequence[str], only_with: str = ""
) -> tuple[Table, str]:
    """The table of an experiment, or `only_with` such runs of its networks that have any, and what that
    leaves out.

    With statistics it is without the paper's figures.
    """
    there = with_runs(plan, store)
    if not there.tasks and (statistics or only_with):
        raise BadInput(f"{store.folder} has no runs of {plan.name}{only_with.removeprefix('runs')}")
    if statistics:
        return own_table(runs_of(plan.tasks, store), statistics), ""
    left_out = len(plan.tasks) - len(there.tasks)
    if not only_with or not left_out:
        return table_of(plan, store), ""
    which = f"{left_out} of {plural(len(plan.tasks), 'network')} of {plan.name} without {only_with}"
    return table_of(there, store), f"left out: {which}; `abacist table {plan.name}` shows all"


def _of_store(store: Results, statistics: Sequence[str], only_own: bool, only_with: str) -> tuple[Table, str]:
    """The table of a store, and what there is besides: table 3 if several of its networks have runs, else
    the user's own runs, else all."""
    own, paper = own_runs(store), experiment_named(_TABLE_3)
    if only_own and not own.groups:
        others = f", only those of {', '.join(own.experiments)}" if own.experiments else ""
        raise BadInput(f"{store.folder} has no runs of your own{others}")
    if only_own or (_TABLE_3 not in own.experiments and store.runs):
        return own_table(own if own.groups else all_runs(store), statistics or STATISTICS), ""
    if len(with_runs(paper, store).tasks) == 1:
        beside = f"`abacist table {_TABLE_3}` shows the paper's figures beside them"
        return own_table(all_runs(store), statistics or STATISTICS), beside
    table, remark = _of_experiment(paper, store, statistics, only_with if store.runs else "")
    if own.groups:
        also = f"there are also {plural(len(own.runs), 'run')} of your own: `abacist table own` shows them"
        remark = f"{remark}; {also}" if remark else also
    return table, remark


def distributions(
    made_from: Annotated[
        Path | None, Field("Results of the experiment `distributions`, to be summarised anew.", option="from")
    ] = None,
    out: Annotated[Path | None, "The file for that summary."] = None,
    runs: Annotated[int | None, "Runs of each network, where it has fewer."] = None,
    horizons: Annotated[bool, "Show counting horizons instead of accuracies."] = False,
    against: Annotated[
        Path | None, "Results whose runs are compared with the distributions they should come from."
    ] = None,
    form: FormOption = "text",
) -> None:
    """Show how accuracies are distributed over ten thousand runs of each of the paper's networks.

    The summary comes with Abacist. To regenerate it on a GPU: `abacist run distributions --device cuda`,
    `abacist run distribution-horizons --device cuda`, and then this with --from and --out.

    Example: abacist distributions --format md
    """
    if made_from is None and (out is not None or runs is not None):
        raise BadInput("--out and --runs are for a summary that is made anew, with --from")
    if made_from is None:
        summary = published_distributions()
    else:
        with working("summarising"):
            summary = summarised(experiment_named("distributions", runs=runs).tasks, open_results(made_from))
    if against is not None:
        with working("comparing"):
            result = agreement_table(summary, open_results(against))
        if not result.rows:
            raise BadInput(f"{against} has no runs of a network whose distribution is known")
    else:
        result = (horizon_distribution_table if horizons else distribution_table)(summary)
    show_table(result, form)
    if out is not None:
        text = written_distributions(summary)
        write_whole(out, text.encode())
        say(f"{len(text):,} bytes written to {out}")
