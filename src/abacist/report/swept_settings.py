"""The settings of an experiment's tasks: what tells its rows apart."""

from __future__ import annotations

from typing import Any

from abacist.experiments import Experiment, Task
from abacist.experiments.run_values import readable
from abacist.report.tables import Column

#: The settings that every table has.
NAMED = ("language", "cell", "hidden")

#: What a file calls a task, in place of its settings.
LABEL = Column("label", "setting")


def setting_of(task: Task) -> dict[str, Any]:
    """All fields of a task's spec, as people read them, and its label."""
    spec = {name: readable(value) for name, value in task.spec.as_dict().items()}
    return spec | {LABEL.key: task.label}


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
    names = [
        name
        for name in settings[0]
        if name not in (*NAMED, LABEL.key)
        and any(len({str(own[name]) for own in group}) > 1 for group in alike.values())
    ]
    return (*((LABEL,) if any(labels) else ()), *(Column(name, name) for name in names))
