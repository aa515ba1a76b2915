"""`abacist runs`: every single run in the store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.cli.conditions import WhereOption, chosen, known_field
from abacist.cli.options import FormOption, ResultsOption
from abacist.cli.screen import busy
from abacist.cli.stores import open_results
from abacist.cli.tables import check_form, show
from abacist.errors import BadInput
from abacist.report import Table, run_columns, without_shared_settings
from abacist.wording import several

#: Columns that a narrow terminal does without, the first of them first.
_SPARE = ("crossing short", "crossing long", "seconds", "loss", "diverged", "certified")


def runs(
    results: ResultsOption = Path("results"),
    where: WhereOption = None,
    sort: Annotated[
        str | None, typer.Option(help="Sort by a column, such as long; -long sorts from the highest down.")
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

    Keys are matched by their beginning.

    Example: abacist runs --where cell=gru --where cell=lstm --where language=dyck-1 --sort long
    """
    check_form(form, "runs are listed")
    if checksum:
        if where or sort is not None:
            raise BadInput("--checksum is over all runs, so it goes with neither --where nor --sort")
        _show_checksum(results)
        return
    with busy("reading the store"):
        found = open_results(results).runs
        columns = run_columns(found)
        fields = [column.key for column in columns]
        rows = [row for _, row in chosen(found, where or [], fields)]
    if where and found and not rows:
        raise BadInput("no runs to list: the store has none that fit")
    if sort is not None:
        rows = _sorted(rows, sort, fields)
    listed = Table("runs", "Runs", columns, tuple(rows))
    show(without_shared_settings(listed) if form == "text" else listed, form, spare=_SPARE)


def _show_checksum(folder: Path) -> None:
    with busy("reading the store"):
        results = open_results(folder)
        found = results.weights_checksum
    print(f"{found}  weights of {several(len(results.runs), 'run')}")


def _sorted(rows: list[dict[str, Any]], sort: str, fields: list[str]) -> list[dict[str, Any]]:
    """Rows by a column, those without a value last."""
    field = known_field(sort.removeprefix("-"), fields)
    known = [row for row in rows if row.get(field) not in (None, "") and row[field] == row[field]]
    unknown = [row for row in rows if row.get(field) in (None, "") or row[field] != row[field]]
    return sorted(known, key=lambda row: row[field], reverse=sort.startswith("-")) + unknown
