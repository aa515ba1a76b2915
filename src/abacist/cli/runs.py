"""`abacist runs`: every single run in the store, or what groups of them have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.cli.conditions import WhereOption, chosen
from abacist.cli.options import FormOption, ResultsOption, check_counts, separated
from abacist.cli.screen import busy
from abacist.cli.stores import open_results
from abacist.cli.tables import check_form, show
from abacist.errors import BadInput
from abacist.experiments import PAPER_SETS
from abacist.experiments.conditions import known_field
from abacist.experiments.grouping import STATISTICS, grouped, in_order, statistics_named
from abacist.experiments.run_values import NUMBER, OTHERS, PERCENT, fields_of
from abacist.report import Column, Table, run_columns, with_short_keys, without_shared_settings
from abacist.wording import one_of, plural

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
    check_form(form, "runs are listed")
    check_counts(limit=limit)
    if checksum:
        if any((where, sort is not None, columns, limit, group_by, statistics)):
            raise BadInput("--checksum is over all runs, so it goes with no other choice of them")
        _show_checksum(results)
        return
    if statistics and not group_by:
        raise BadInput("--show is about groups, so it goes with --group-by, such as --group-by hidden")
    with busy("reading the store"):
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
    _show(listed, limit, form, spare=() if named or by else _SPARE, kept=len(by) or 1)


def _show(table: Table, limit: int | None, form: str, *, spare: Sequence[str], kept: int) -> None:
    total = len(table.rows)
    table = replace(table, rows=table.rows[:limit])
    if limit is not None and limit < total:
        table = replace(table, note=f"{table.note} The first {limit:,} of {total:,} rows.".strip())
    if form not in ("csv", "json") and any("key" in row for row in table.rows):
        table = with_short_keys(table)
    show(table, form, spare=spare, kept=kept)


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
    said = (f"{n:,} of {plural(len(rows), 'run')} without {name}." for name, n in lacking.items() if n)
    made = grouped(rows, by, of, statistics)
    return Table("runs", f"Runs by {', '.join(by)}", tuple(columns), tuple(made), " ".join(said))


def _show_checksum(folder: Path) -> None:
    with busy("reading the store"):
        results = open_results(folder)
        found = results.weights_checksum
    print(f"{found}  weights of {plural(len(results.runs), 'run')}")


def _sorted(rows: Sequence[dict[str, Any]], sort: str, fields: list[str]) -> list[dict[str, Any]]:
    """Rows by some columns, those without a value last."""
    ordered = list(rows)
    for name in reversed(sort.split(",")):
        field, down = known_field(name.strip().removeprefix("-"), fields), name.strip().startswith("-")
        known = [row for row in ordered if in_order(row.get(field))[0] < 2]
        unknown = [row for row in ordered if in_order(row.get(field))[0] == 2]
        ordered = sorted(known, key=lambda row: in_order(row[field]), reverse=down) + unknown
    return ordered
