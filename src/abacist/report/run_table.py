"""The table of single runs, and the columns that tell the tasks of an experiment apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from abacist.experiments import RECOGNITION_SETS, Experiment, Run, Task
from abacist.experiments.run_values import (
    LESSON,
    OTHERS,
    PERCENT,
    TAUGHT,
    differing,
    fields_of,
    readable,
    run_rows,
    set_column,
)
from abacist.fields import checked, records
from abacist.report.tables import Column, Table, headed
from abacist.specs import Spec

#: How many digits numbers are shown with that are not whole.
_DIGITS = {"proved": 0, "tried": 0, "wrong": 0, "loss": 8, "seconds": 2, "begun": 0}

#: Fields that are in words elsewhere, or too many for the screen, which has them where they are asked for.
_NOT_SHOWN = {*LESSON, *TAUGHT, "begun", *map(set_column, RECOGNITION_SETS)}

#: How much of a key people see: enough to name a run by.
SHORT_KEY = 8

#: The settings that every table of tasks has.
NAMED = ("language", "cell", "hidden")
SETTING = headed(*NAMED)

#: What a file calls a task, in place of its settings.
_LABEL = Column("label", "setting")


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


def setting_of(task: Task) -> dict[str, Any]:
    """All fields of a task's spec, as people read them, and its label."""
    return {name: readable(getattr(task.spec, name)) for name in records(Spec)} | {_LABEL.key: task.label}


def swept_columns(experiment: Experiment) -> tuple[Column, ...]:
    """Columns for what tells tasks of one language, cell and size apart.

    These are their labels, if there are any, and the other fields that differ from task to task; where all
    have a label, only those that differ among tasks of the same one.
    """
    settings = [setting_of(task) for task in experiment.tasks]
    labels = [task.label for task in experiment.tasks]
    alike: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for setting in settings:
        key = tuple(str(setting[name]) for name in (*NAMED, _LABEL.key)) if all(labels) else ()
        alike.setdefault(key, []).append(setting)
    swept = {name for group in alike.values() for name in differing(group)} - {*NAMED, _LABEL.key}
    names = [name for name in settings[0] if name in swept]
    return (*((_LABEL,) if any(labels) else ()), *(Column(name, name) for name in names))
