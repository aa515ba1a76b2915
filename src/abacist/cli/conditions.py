"""Conditions: which runs of a store a command is about."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Annotated, Any

import typer

from abacist.cli.saying import say
from abacist.errors import BadInput, UnknownName
from abacist.experiments import Run
from abacist.report import rows_on_demand, run_rows

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


def _conditions(where: Sequence[str], fields: Sequence[str]) -> dict[str, list[str]]:
    """The values that are asked for, by field."""
    conditions: dict[str, list[str]] = {}
    for condition in where:
        field, equals, value = condition.partition("=")
        if not equals:
            raise BadInput(f"a condition must be FIELD=VALUE, such as cell=lstm, got {condition!r}")
        conditions.setdefault(known_field(field, fields), []).append(value)
    return conditions


def known_field(field: str, fields: Sequence[str]) -> str:
    """A field, if there is one of that name."""
    if field in fields:
        return field
    close = [_HEADINGS[field]] if field in _HEADINGS else get_close_matches(field, fields, n=1)
    hint = f", did you mean {close[0]}?" if close else ""
    raise UnknownName(f"runs have no field {field!r}{hint}; fields are {', '.join(fields)}")


def chosen(
    runs: Sequence[Run], where: Sequence[str], fields: Sequence[str]
) -> list[tuple[Run, dict[str, Any]]]:
    """The runs that fit all conditions, with their rows; says which values no run has."""
    conditions = _conditions(where, fields)
    nobody_s = [(field, value) for field, values in conditions.items() for value in values]
    fitting = []
    for run, row in zip(runs, rows_on_demand(runs), strict=True):
        if all(any(_is(field, row.get(field), v) for v in values) for field, values in conditions.items()):
            fitting.append((run, row.whole()))
        if nobody_s:
            nobody_s = [(field, v) for field, v in nobody_s if not _is(field, row.get(field), v)]
    for field, value in nobody_s:
        there = {r[field] for r in run_rows(runs) if r.get(field) not in (None, "")}
        listed = [str(value) for value in sorted(there, key=lambda v: (isinstance(v, str), v))]
        known = f"; there are {', '.join(listed) or 'none'}" if len(there) <= 20 else ""
        say(f"no run has {field} {value}{known}")
    if not fitting and runs and not nobody_s:
        say("no run fits all of these conditions")
    return fitting


def _is(field: str, value: Any, text: str) -> bool:
    """Whether a value is what was written: numbers as numbers, keys by their beginning."""
    if field == "key":
        return bool(text) and (value.startswith(text) or text.startswith(value))
    try:
        return str(value) == text or (value is not None and float(value) == float(text))
    except ValueError:
        return False
