"""`abacist runs`: every single run in the store."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.cli.options import FormOption, ResultsOption
from abacist.cli.saying import say
from abacist.cli.screen import busy
from abacist.cli.stores import open_results
from abacist.cli.tables import check_form, show
from abacist.errors import BadInput, UnknownName
from abacist.experiments import Run
from abacist.report import Table, run_columns, run_rows, without_shared_settings

WhereOption = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="FIELD=VALUE",
        help="Only runs with this value; may be repeated: values of one field are alternatives, "
        "conditions on different fields must all hold.",
    ),
]

#: What the tables of experiments call the fields of a spec.
_HEADINGS = {"task": "language", "model": "cell", "units": "hidden"}


def runs(
    results: ResultsOption = Path("results"),
    where: WhereOption = None,
    sort: Annotated[
        str | None, typer.Option(help="Sort by a column, such as long; -long sorts from the highest down.")
    ] = None,
    form: FormOption = "text",
) -> None:
    """List every single run in the store.

    Keys are matched by their beginning.

    Example: abacist runs --where cell=gru --where cell=lstm --where language=dyck-1 --sort long
    """
    check_form(form, "runs are listed")
    with busy("reading the store"):
        found = open_results(results).runs
        columns = run_columns(found)
        fields = [column.key for column in columns]
        rows = [row for _, row in _chosen(found, _conditions(where or [], fields))]
    if sort is not None:
        rows = _sorted(rows, sort, fields)
    listed = Table("runs", "Runs", columns, tuple(rows))
    show(without_shared_settings(listed) if form == "text" else listed, form)


def runs_where(runs: Sequence[Run], where: list[str] | None) -> list[Run]:
    """The runs that fit all conditions; says which values no run has."""
    fields = [column.key for column in run_columns(runs)]
    return [run for run, _ in _chosen(runs, _conditions(where or [], fields))]


def _conditions(where: list[str], fields: list[str]) -> dict[str, list[str]]:
    """The values that are asked for, by field."""
    conditions: dict[str, list[str]] = {}
    for condition in where:
        field, equals, value = condition.partition("=")
        if not equals:
            raise BadInput(f"a condition must be FIELD=VALUE, such as cell=lstm, got {condition!r}")
        conditions.setdefault(_known(field, fields), []).append(value)
    return conditions


def _known(field: str, fields: list[str]) -> str:
    """A field, if there is one of that name."""
    if field in fields:
        return field
    close = [_HEADINGS[field]] if field in _HEADINGS else get_close_matches(field, fields, n=1)
    hint = f", did you mean {close[0]}?" if close else ""
    raise UnknownName(f"runs have no field {field!r}{hint}; fields are {', '.join(fields)}")


def _chosen(runs: Sequence[Run], conditions: dict[str, list[str]]) -> list[tuple[Run, dict[str, Any]]]:
    """The runs that have one of the values of every field, with their rows; says which values none has."""
    nobody_s = [(field, value) for field, values in conditions.items() for value in values]
    chosen = []
    for run, row in zip(runs, run_rows(runs), strict=True):
        if all(any(_is(field, row.get(field), v) for v in values) for field, values in conditions.items()):
            chosen.append((run, row))
        nobody_s = [(field, v) for field, v in nobody_s if not _is(field, row.get(field), v)]
    for field, value in nobody_s:
        there = dict.fromkeys(str(r[field]) for r in run_rows(runs) if r.get(field) not in (None, ""))
        known = f"; there are {', '.join(there) or 'none'}" if len(there) <= 20 else ""
        say(f"no run has {field} {value}{known}")
    if not chosen and runs and not nobody_s:
        say("no run fits all of these conditions")
    return chosen


def _is(field: str, value: Any, text: str) -> bool:
    """Whether a value is what was written: numbers as numbers, keys by their beginning."""
    if field == "key":
        return bool(text) and (value.startswith(text) or text.startswith(value))
    try:
        return str(value) == text or (value is not None and float(value) == float(text))
    except ValueError:
        return False


def _sorted(rows: list[dict[str, Any]], sort: str, fields: list[str]) -> list[dict[str, Any]]:
    """Rows by a column, those without a value last."""
    field = _known(sort.removeprefix("-"), fields)
    known = [row for row in rows if row.get(field) not in (None, "") and row[field] == row[field]]
    unknown = [row for row in rows if row.get(field) in (None, "") or row[field] != row[field]]
    return sorted(known, key=lambda row: row[field], reverse=sort.startswith("-")) + unknown
