"""The table of single runs: all that tells one from another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from abacist.experiments import RECOGNITION_SETS, Run
from abacist.experiments.run_values import (
    LESSON,
    OTHERS,
    PERCENT,
    TAUGHT,
    fields_of,
    run_rows,
)
from abacist.fields import checked
from abacist.report.tables import Column, Table

#: How many digits numbers are shown with that are not whole.
_DIGITS = {"proved": 0, "tried": 0, "wrong": 0, "loss": 8, "seconds": 2, "begun": 0}

#: Fields that are in words elsewhere, or too many for the screen, which has them where they are asked for.
_NOT_SHOWN = {*LESSON, *TAUGHT, "begun", *RECOGNITION_SETS}

#: How much of a key people see: enough to name a run by.
SHORT_KEY = 8


@checked
def runs_table(runs: Sequence[Run]) -> Table:
    """A row for every run: its key and seed, its accuracies, and every field of its spec."""
    return Table("runs", "Runs", run_columns(runs), tuple(run_rows(runs)))


def run_columns(runs: Iterable[Run]) -> tuple[Column, ...]:
    """The columns of that table: one for every set that a run was judged on, and for horizons."""
    return tuple(
        Column(name, name, "", 2 if kind == PERCENT else _DIGITS.get(name), significant=name == "loss")
        for name, kind in fields_of(runs).items()
    )


@checked
def without_shared_settings(table: Table) -> Table:
    """A table of runs for the screen: without the columns of settings that all of its runs share.

    Also without the sets for recognition, which are too many for it and have a table of their own.
    """
    varying = (*OTHERS, "processor")
    left_out = {name for name in varying if len({row[name] for row in table.rows} - {None}) < 2} | _NOT_SHOWN
    return replace(table, columns=tuple(column for column in table.columns if column.key not in left_out))


def with_short_keys(table: Table) -> Table:
    """A table of runs as people read it, with only the beginnings of keys."""
    return replace(table, rows=tuple(row | {"key": row["key"][:SHORT_KEY]} for row in table.rows))
