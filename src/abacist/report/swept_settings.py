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
    """Columns for the other fields that differ from task to task; where all tasks have labels, these."""
    if all(task.label for task in experiment.tasks):
        return (LABEL,)
    settings = [setting_of(task) for task in experiment.tasks]
    names = [
        n for n in settings[0] if n not in (*NAMED, LABEL.key) and len({str(s[n]) for s in settings}) > 1
    ]
    return tuple(Column(name, name) for name in names)
