"""What of a table is shown: columns by name, rows in an order, of an experiment the networks with runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby
from typing import Any

from abacist.errors import UnknownName
from abacist.experiments import Experiment, Results
from abacist.experiments.run_values import FORMER
from abacist.experiments.statistics import in_order
from abacist.fields import checked
from abacist.report.run_table import NAMED
from abacist.report.tables import Column, Table
from abacist.wording import unknown

#: What stands in the column of figures where a row is about our own runs.
_OURS = "ours"


@checked
def chosen_columns(table: Table, names: Sequence[str]) -> Table:
    """A table with some columns: by their names, or groups of them by that of the group, such as `long`.

    A setting that its columns leave out, since all rows share it, can be chosen, too.
    """
    columns = dict.fromkeys(chain.from_iterable(_columns_named(table, name) for name in names))
    return replace(table, columns=tuple(columns), further=())


@checked
def in_order_of(table: Table, names: Sequence[str]) -> Table:
    """A table with its rows in the order of some columns, `-` before one from the highest down.

    Rows that are equal there stay in their order, those without a value come last. What stands beside our
    own figures of a network, such as the paper's, stays beside them. Of a group of columns the median counts.
    """
    blocks = [list(rows) for _, rows in groupby(table.rows, key=_whose(table))]
    shown = {id(block): next(filter(_is_ours, block), block[0]) for block in blocks}
    for name in reversed(names):
        columns = _columns_named(table, name.removeprefix("-"))
        column = next((one for one in columns if one.key.endswith("median")), columns[0])
        sort_by(blocks, lambda block: shown[id(block)].get(column.key), down=name.startswith("-"))  # noqa: B023
    return replace(table, rows=tuple(chain.from_iterable(blocks)))


def sort_by(things: list[Any], value: Callable[[Any], Any], *, down: bool) -> None:
    """Sort a list by values of any kind, or from the highest down; equal ones stay, unknown ones are last."""
    things.sort(key=lambda thing: in_order(value(thing)), reverse=down)
    things.sort(key=lambda thing: in_order(value(thing))[0] == 2)


@checked
def with_runs(experiment: Experiment, results: Results) -> Experiment:
    """An experiment without the tasks of which there is no run."""
    return replace(experiment, tasks=tuple(task for task in experiment.tasks if results.complete(task)))


def _whose(table: Table) -> Callable[[Mapping[str, Any]], Any]:
    """What rows that belong together have in common; a row by itself where none stands beside another."""
    keys = [column.key for column in table.columns]
    if "figures" not in keys:
        return id
    settings = keys[: keys.index("figures")]
    return lambda row: tuple(row.get(key) for key in (*NAMED, *settings))


def _is_ours(row: Mapping[str, Any]) -> bool:
    return str(row.get("figures", _OURS)).startswith(_OURS)


def _columns_named(table: Table, name: str) -> list[Column]:
    """The columns of a name: its key's, as the screen has it, or its group's."""
    asked = _plain(name)
    for names in (_names, _group):
        if asked and (columns := [column for column in table.columns if asked in names(column)]):
            return columns
    shared = dict.fromkeys(key for row in table.rows for key in row)
    for key in shared:
        if _plain(key) in (asked, FORMER.get(asked)):
            return [Column(key, key)]
    known = dict.fromkeys(column.key for column in table.columns)
    groups = (column.group.removesuffix(" set") for column in table.columns)
    raise UnknownName(unknown("column", name, filter(None, dict.fromkeys((*known, *groups, *shared)))))


def _names(column: Column) -> Iterable[str]:
    return map(_plain, (column.key, column.name))


def _group(column: Column) -> Iterable[str]:
    return map(_plain, (column.group, column.group.removesuffix(" set")))


def _plain(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.strip().lower())
