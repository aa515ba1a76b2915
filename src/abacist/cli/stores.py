"""Stores: opening them, choosing among their runs, and how the specs of runs are told apart."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.cli.screen import say, warn
from abacist.experiments import FILE_NAME, Conditions, Results, Run, Store, run_values
from abacist.experiments.conditions import Alternative, Condition
from abacist.experiments.grouping import in_order
from abacist.experiments.run_values import fields_of, rows_on_demand
from abacist.files import absence
from abacist.specs import Spec


def has_store(folder: Path) -> bool:
    """Whether there is a store in a folder."""
    return (folder / FILE_NAME).is_file()


def open_store(folder: Path, *, writing: bool = False) -> Store:
    """The store of a folder, by default only to read it; one sentence if there is none."""
    if not has_store(folder):
        raise absence(
            folder, "holds no results; run `abacist reproduce`, `abacist run` or `abacist train` first"
        )
    return Store(folder, reading=not writing)


def open_results(folder: Path) -> Results:
    """All that the store of a folder has; what cannot be read there is named on standard error."""
    with open_store(folder) as store:
        return read_results(store)


def read_results(store: Store) -> Results:
    """All that a store has; what cannot be read there is named on standard error."""
    results = Results.of(store)
    gc.freeze()  # none of it becomes garbage before the command ends (`app.py`): it is not looked through
    for sentence in results.left_out:
        warn(sentence)
    return results


def store_to_fill(folder: Path, dry_run: bool) -> AbstractContextManager[Store | None]:
    """The store of a folder, made if need be; a dry run only reads it, and makes none."""
    if not dry_run:
        return Store(folder)
    return Store(folder, reading=True) if has_store(folder) else nullcontext()


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


def settings_of(specs: Iterable[Spec]) -> dict[Spec, dict[str, Any]]:
    """For every spec the fields that are worth showing, as tables have them."""
    known = {spec: run_values.settings_of(spec) for spec in specs}
    layers = ["layers"] if any(spec.layers > 1 for spec in known) else []
    shown = dict.fromkeys((*run_values.FIRST, *layers, *run_values.differing(known.values())))
    return {spec: {name: values[name] for name in shown} for spec, values in known.items()}


def seeds_as_text(seeds: Sequence[int]) -> str:
    """Seeds as people write them: 0–9, or 0, 3, 7 where some between them are missing."""
    whole = len(seeds) > 2 and list(seeds) == list(range(seeds[0], seeds[-1] + 1))
    return f"{seeds[0]}–{seeds[-1]}" if whole else ", ".join(map(str, seeds))
