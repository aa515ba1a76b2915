"""Conditions: which runs of a store a command is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from abacist.cli.saying import say
from abacist.experiments import Conditions, Run
from abacist.experiments.conditions import Alternative, Condition
from abacist.experiments.grouping import in_order
from abacist.experiments.run_values import RowOnDemand, fields_of, rows_on_demand

WhereOption = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="CONDITION",
        help="Only runs that fit, such as cell=gru,lstm or seed=0..9 or 'hidden>=2' (quoted, for the shell); "
        "also !=, <, <= and >. Accuracies are in percent: 'long>90'. May be repeated: all must hold, "
        "only values of one field are alternatives.",
    ),
]

#: How many values that there are a sentence has room for.
_LISTED = 20

_Row = dict[str, Any]


def chosen(
    runs: Sequence[Run], where: Sequence[str], fields: Mapping[str, str] | None = None
) -> list[tuple[Run, _Row]]:
    """The runs that fit all conditions, with their rows; says which values no run has."""
    conditions = Conditions.parse(where, fields_of(runs) if fields is None else fields)
    rows = list(rows_on_demand(runs))
    fitting = [(run, row.whole()) for run, row in zip(runs, rows, strict=True) if conditions.fit(row)]
    if not where or not runs:
        return fitting
    nobody_s = [(one, part) for one in conditions.listed for part in _nobody_s(one, rows)]
    for condition, part in nobody_s:
        say(f"no run has {_asked(condition, part)}{_there_are(condition.field, rows)}")
    if not fitting and not nobody_s:
        say("no run fits all of these conditions")
    return fitting


def _nobody_s(condition: Condition, rows: Sequence[RowOnDemand]) -> list[Alternative]:
    """What a condition asks for, of which a run that has it was to be expected, and none has."""
    values = [row.get(condition.field) for row in rows]
    if condition.sign == "!=" or any(map(condition.is_whole, values)):
        return []
    return [part for part in condition.alternatives if not any(map(part.has, values))]


def _asked(condition: Condition, part: Alternative) -> str:
    """What is asked for, in words: `hidden 3`, `hidden >= 3`."""
    return f"{condition.field} {part.text if condition.sign == '=' else f'{condition.sign} {part.text}'}"


def _there_are(field: str, rows: Sequence[RowOnDemand]) -> str:
    """The values that there are, where they are few, or the least and the most of many numbers."""
    there = sorted({row.get(field) for row in rows} - {None}, key=in_order)
    if field == "key":
        there = sorted({key[:8] for key in there})
    if len(there) <= _LISTED:
        return f"; there are {', '.join(map(str, there)) or 'none'}"
    return "" if isinstance(there[0], str) else f"; there are {there[0]} to {there[-1]}"
