"""Conditions: which runs of a store a command is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from abacist.cli.saying import say
from abacist.experiments import Conditions, Run
from abacist.experiments.conditions import Alternative, Condition
from abacist.experiments.grouping import in_order
from abacist.experiments.run_values import fields_of, rows_on_demand

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
    fitting = [
        (run, row.whole()) for run, row in zip(runs, rows_on_demand(runs), strict=True) if conditions.fit(row)
    ]
    nobody_s = [(one, part) for one in conditions.listed for part in _nobody_s(one, runs)]
    for condition, part in nobody_s:
        say(f"no run has {_asked(condition, part)}{_there_are(condition.field, runs)}")
    if where and runs and not fitting and not nobody_s:
        say("no run fits all of these conditions")
    return fitting


def _nobody_s(condition: Condition, runs: Sequence[Run]) -> list[Alternative]:
    """What a condition asks for, of which a run that has it was to be expected, and none has."""
    left = [] if condition.sign == "!=" else list(condition.alternatives)
    for row in rows_on_demand(runs):
        value = row.get(condition.field)
        left = [] if condition.is_whole(value) else [part for part in left if not part.has(value)]
        if not left:
            break
    return left if runs else []


def _asked(condition: Condition, part: Alternative) -> str:
    """What is asked for, in words: `hidden 3`, `hidden >= 3`."""
    return f"{condition.field} {part.text if condition.sign == '=' else f'{condition.sign} {part.text}'}"


def _there_are(field: str, runs: Sequence[Run]) -> str:
    """The values that there are, where they are few, or the least and the most of many numbers."""
    values = {row.get(field) for row in rows_on_demand(runs)}
    there = sorted((value for value in values if in_order(value)[0] < 2), key=in_order)
    if field == "key":
        there = sorted({key[:8] for key in there})
    if len(there) <= _LISTED:
        return f"; there are {', '.join(map(str, there)) or 'none'}"
    return "" if isinstance(there[0], str) else f"; there are {there[0]} to {there[-1]}"
