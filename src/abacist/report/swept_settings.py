"""The settings of an experiment's tasks: what tells its rows apart."""

from __future__ import annotations

from typing import Any

from abacist.experiments import Experiment, Task
from abacist.experiments.run_values import readable
from abacist.report.tables import Column

#: The settings that every table has.
NAMED = ("language", "cell", "hidden")


def setting_of(task: Task) -> dict[str, Any]:
    """All fields of a task's spec, as people read them."""
    return {name: readable(value) for name, value in task.spec.as_dict().items()}


def swept_columns(experiment: Experiment) -> tuple[Column, ...]:
    """Columns for the other fields that differ from task to task."""
    settings = [setting_of(task) for task in experiment.tasks]
    names = [n for n in settings[0] if n not in NAMED and len({str(s[n]) for s in settings}) > 1]
    return tuple(Column(name, name) for name in names)
