"""`abacist runs`, `table` and `distributions`: the runs of a store, one by one and together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.cli.options import FormOption, ResultsOption, RunsOption, check_counts, separated
from abacist.cli.screen import say, working
from abacist.cli.stores import WhereOption, chosen, open_results
from abacist.cli.tables import show_table
from abacist.errors import BadInput
from abacist.experiments import (
    PAPER_SETS,
    Experiment,
    Results,
    check_claims,
    experiment_named,
    load_experiment,
)
from abacist.experiments.conditions import known_field
from abacist.experiments.distributions import Distributions, written_distributions
from abacist.experiments.distributions import distributions as known_distributions
from abacist.experiments.grouping import STATISTICS, grouped, in_order, statistics_named
from abacist.experiments.paper import STATISTICS as PAPER_STATISTICS
from abacist.experiments.run_values import NUMBER, OTHERS, PERCENT, fields_of
from abacist.experiments.summarising import summarised
from abacist.files import write_whole
from abacist.report import (
    Column,
    Table,
    claims_table,
    run_columns,
    table_of,
    with_short_keys,
    without_shared_settings,
)
from abacist.report.distribution_table import agreement_table, distribution_table, horizon_distribution_table
from abacist.report.own_runs import all_runs, own_runs, runs_of
from abacist.report.own_table import own_table, spare_columns
from abacist.wording import one_of, several

#: Columns that a narrow terminal does without, the first of them first.
_SPARE = (
    "crossing short", "crossing long", "nested short", "nested long", "seconds", "loss", "diverged",
    "certified", "epochs", "training", "short", "processor", "wrong", "tried", "proved",
    *reversed(OTHERS), "language", "cell",
)  # fmt: skip

#: What groups show where nobody says: as the paper does.
_USUAL = ("min", "max", "median")


def runs(
    results: ResultsOption = Path("results"),
    where: WhereOption = None,
    sort: Annotated[
        str | None,
        typer.Option(
            help="Sort by columns, such as hidden,-long: by hidden, then by long from the highest down."
        ),
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            help="Show these columns, with commas between them, such as key,rate,long.",
            show_default="those that tell runs apart",
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Show only the first rows, this many.")] = None,
    group_by: Annotated[
        list[str] | None,
        typer.Option(
            help="A row for all runs that agree in these fields, such as hidden,rate; what is shown of them "
            "is that of --columns, by default the accuracies."
        ),
    ] = None,
    statistics: Annotated[
        list[str] | None,
        typer.Option(
            "--show", help=f"What groups show: {one_of(STATISTICS)}, or q90.", show_default=",".join(_USUAL)
        ),
    ] = None,
    form: FormOption = "text",
    checksum: Annotated[
        bool,
        typer.Option(
            "--checksum",
            help="Print only a checksum over the weights of all runs: the same for the same networks.",
        ),
    ] = False,
) -> None:
    """List every single run in the store.

    Or, with --group-by, what groups of them have in common. Keys are matched by their beginning.

    Example: abacist runs --where cell=gru,lstm --where 'long>90' --group-by cell,hidden --show mean,std
    """
    check_counts(limit=limit)
    if checksum:
        if any((where, sort is not None, columns, limit, group_by, statistics)):
            raise BadInput("--checksum is over all runs, so it goes with no other choice of them")
        _show_checksum(results)
        return
    if statistics and not group_by:
        raise BadInput("--show is about groups, so it goes with --group-by, such as --group-by hidden")
    with working("reading the store"):
        found = open_results(results).runs
        fields = fields_of(found)
        named = [known_field(name, fields) for name in separated(columns)]
        rows = [row for _, row in chosen(found, where or [], fields)]
    if where and found and not rows:
        raise BadInput("no runs to list: the store has none that fit")
    by = [known_field(name, fields) for name in separated(group_by)]
    if by:
        listed = _groups(rows, fields, by, named, statistics_named(separated(statistics) or _USUAL))
    else:
        listed = Table("runs", "Runs", run_columns(found), tuple(rows))
        if named:
            own = {column.key: column for column in listed.columns}
            listed = replace(listed, columns=tuple(own[name] for name in dict.fromkeys(named)))
        elif form == "text":
            listed = without_shared_settings(listed)
    if sort is not None:
        known = [column.key for column in listed.columns] if by else list(fields)
        listed = replace(listed, rows=tuple(_sorted(listed.rows, sort, known)))
    _show_listed(listed, limit, form, spare=() if named or by else _SPARE, kept=len(by) or 1)


def _show_listed(table: Table, limit: int | None, form: str, *, spare: Sequence[str], kept: int) -> None:
    total = len(table.rows)
    table = replace(table, rows=table.rows[:limit])
    if limit is not None and limit < total:
        table = replace(table, note=f"{table.note} The first {limit:,} of {total:,} rows.".strip())
    if form not in ("csv", "json") and any("key" in row for row in table.rows):
        table = with_short_keys(table)
    show_table(table, form, spare=spare, kept=kept)


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
    digits = {name: {PERCENT: 2}.get(fields[name], {"loss": 8}.get(name, 2)) for name in of}
    columns = [
        *(Column(name, name) for name in by),
        Column("runs", "runs", "", 0),
        *(
            Column(f"{n} {s}", s, n, 0 if s == "count" else digits[n], significant=n == "loss")
            for n in of
            for s in statistics
        ),
    ]
    lacking = {name: sum(row.get(name) is None for row in rows) for name in of}
    said = (f"{n:,} of {several(len(rows), 'run')} without {name}." for name, n in lacking.items() if n)
    made = grouped(rows, by, of, statistics)
    return Table("runs", f"Runs by {', '.join(by)}", tuple(columns), tuple(made), " ".join(said))


def _show_checksum(folder: Path) -> None:
    with working("reading the store"):
        results = open_results(folder)
        found = results.weights_checksum
    print(f"{found}  weights of {several(len(results.runs), 'run')}")


def _sorted(rows: Sequence[dict[str, Any]], sort: str, fields: list[str]) -> list[dict[str, Any]]:
    """Rows by some columns, those without a value last."""
    ordered = list(rows)
    for name in reversed(sort.split(",")):
        field, down = known_field(name.strip().removeprefix("-"), fields), name.strip().startswith("-")
        known = [row for row in ordered if in_order(row.get(field))[0] < 2]
        unknown = [row for row in ordered if in_order(row.get(field))[0] == 2]
        ordered = sorted(known, key=lambda row: in_order(row[field]), reverse=down) + unknown
    return ordered


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
    if experiment is None and runs is not None:
        experiment = "table-3"
    shown = statistics_named(separated(statistics)) or PAPER_STATISTICS
    if statistics and experiment == _CLAIMS:
        raise BadInput("--show is about accuracies, and claims have none")
    named = experiment not in (None, _CLAIMS, _OWN)
    asked = _experiment(str(experiment), runs) if named else None
    with working("making the table"):
        found = open_results(results)
        if asked is None:
            made = _without_experiment(experiment, found, shown, always=bool(statistics))
        else:
            made = _table_of_groups(asked, found, shown) if statistics else table_of(asked, found)
    show_table(made, form, spare=spare_columns(made) if made.name == _OWN else ())
    if experiment is None and made.name != _OWN and (own := own_runs(found).groups):
        many = several(sum(len(group.runs) for group in own), "run")
        say(f"there are also {many} of your own: `abacist table own` shows them")


def _experiment(name: str, runs: int | None) -> Experiment:
    if name.endswith(".toml"):
        return load_experiment(Path(name), runs=runs)
    return experiment_named(name, runs=runs)


def _table_of_groups(asked: Experiment, found: Results, shown: Sequence[str]) -> Table:
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
        return _table_of_groups(table_3, found, shown) if always else table_of(table_3, found)
    return own_table(own if own.groups else all_runs(found), shown)


def distributions(
    made_from: Annotated[
        Path | None,
        typer.Option("--from", help="Results of the experiment `distributions`, to be summarised anew."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The file for that summary.")] = None,
    runs: Annotated[int | None, typer.Option(help="Runs of each network, where it has fewer.")] = None,
    horizons: Annotated[
        bool, typer.Option("--horizons", help="Show counting horizons instead of accuracies.")
    ] = False,
    against: Annotated[
        Path | None,
        typer.Option(help="Results whose runs are compared with the distributions they should come from."),
    ] = None,
    form: FormOption = "text",
) -> None:
    """Show how accuracies are distributed over ten thousand runs of each of the paper's networks.

    The summary comes with Abacist. Whoever has a device makes it anew: `abacist run distributions --device
    cuda`, `abacist run distribution-horizons --device cuda`, and then this with --from and --out.

    Example: abacist distributions --format md
    """
    if made_from is None and (out is not None or runs is not None):
        raise BadInput("--out and --runs are for a summary that is made anew, with --from")
    if made_from is None:
        known = known_distributions()
    else:
        with working("summarising"):
            known = summarised(experiment_named("distributions", runs=runs).tasks, open_results(made_from))
    if against is not None:
        show_table(_agreement(known, against), form)
    else:
        show_table((horizon_distribution_table if horizons else distribution_table)(known), form)
    if out is not None:
        text = written_distributions(known)
        write_whole(out, text.encode())
        say(f"{len(text):,} bytes written to {out}")


def _agreement(known: Distributions, results: Path) -> Table:
    with working("comparing"):
        table = agreement_table(known, open_results(results))
    if not table.rows:
        raise BadInput(f"{results} has no runs of a network whose distribution is known")
    return table
