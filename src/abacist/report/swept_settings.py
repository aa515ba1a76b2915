"""The settings of an experiment's tasks: what tells its rows apart."""

from __future__ import annotations

from typing import Any

from abacist.experiments import Experiment, Task
from abacist.experiments.run_values import differing, readable
from abacist.fields import records
from abacist.report.tables import Column
from abacist.specs import Spec

#: The settings that every table has.
NAMED = ("language", "cell", "hidden")

#: What a file calls a task, in place of its settings.
LABEL = Column("label", "setting")


def setting_of(task: Task) -> dict[str, Any]:
    """All fields of a task's spec, as people read them, and its label."""
    return {name: readable(getattr(task.spec, name)) for name in records(Spec)} | {LABEL.key: task.label}


def swept_columns(experiment: Experiment) -> tuple[Column, ...]:
    """Columns for what tells tasks of one language, cell and size apart.

    These are their labels, if there are any, and the other fields that differ from task to task; where all
    have a label, only those that differ among tasks of the same one.
    """
    settings = [setting_of(task) for task in experiment.tasks]
    labels = [task.label for task in experiment.tasks]
    alike: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for own in settings:
        key = tuple(str(own[name]) for name in (*NAMED, LABEL.key)) if all(labels) else ()
        alike.setdefault(key, []).append(own)
    swept = {name for group in alike.values() for name in differing(group)} - {*NAMED, LABEL.key}
    names = [name for name in settings[0] if name in swept]
    return (*((LABEL,) if any(labels) else ()), *(Column(name, name) for name in names))
