"""The table of a sweep of training settings: accuracies and quartiles of horizons, a row each."""

from __future__ import annotations

from typing import Any

import numpy as np

from abacist.experiments import Experiment, Results, Task, percents
from abacist.fields import records
from abacist.report.horizon_tables import horizons_of, quartiles, wrong_at
from abacist.report.run_table import NAMED, setting_of, swept_columns
from abacist.report.tables import Column, Table, headed
from abacist.specs import Spec

_QUARTILES = ("min", "quarter", "median", "three quarters")

#: For programs: the runs that there are, the counts behind the shares, and the length that they are about.
_FURTHER = ("runs there", "runs asked", "perfect runs", "none wrong runs", "proved runs", "trained to")

_NOTE = (
    "Long set: median accuracy in percent, and the share of networks with 100 %. Wrong at: minimum and "
    "quartiles of the length of the shortest word found that a network gets wrong; > and a length, where "
    "none was found up to there. None wrong, proved: the share of networks without a wrong word found among "
    "words as long as those of training, and of those proved right on all of them."
)


def sweeps_training(experiment: Experiment) -> bool:
    """Whether it asks for horizons, as trained, of networks that differ in how they were trained.

    A labelled setting is more than that: its table is that of horizons.
    """
    trains = {name for name, record in records(Spec).items() if record.trains}
    asked = all(tuple(aim.factor for aim in task.horizons) == (1,) for task in experiment.tasks)
    swept = {column.key for column in swept_columns(experiment)}
    return asked and "label" not in swept and bool(swept & trains)


def training_table(experiment: Experiment, results: Results) -> Table:
    """A row for every setting."""
    settings = (*headed(*NAMED), *(c for c in swept_columns(experiment) if c.key != "long"))  # the accuracy
    rows = []
    for task in experiment.tasks:
        setting = setting_of(task)
        rows.append({column.key: setting[column.key] for column in settings} | _reached(task, results))
    lengths = {task.spec.short.high for task in experiment.tasks}
    trained = f"to {lengths.pop()}, %" if len(lengths) == 1 else "to training length, %"
    columns = (
        *settings,
        Column("runs", "runs"),
        Column("long", "median", "long set", 2),
        Column("perfect", "100 %", "long set", 1),
        *(
            Column(f"wrong {at}", h, "wrong at")
            for at, h in zip(_QUARTILES, ("min", "¼", "median", "¾"), strict=True)
        ),
        Column("none wrong", "none wrong", trained, 1),
        Column("proved", "proved", trained, 1),
    )
    return Table(experiment.name, experiment.title, columns, tuple(rows), _NOTE, _FURTHER)


def _reached(task: Task, results: Results) -> dict[str, Any]:
    runs, wanted = results.complete(task), len(task.seeds)
    values: dict[str, Any] = {
        "runs": f"{len(runs)} of {wanted}",
        "runs there": len(runs),
        "runs asked": wanted,
    }
    accuracy, horizons, to = percents(runs, "long"), horizons_of(runs), task.spec.short.high
    if len(accuracy):
        perfect = int((accuracy == 100).sum())
        values |= {"long": float(np.median(accuracy)), "perfect runs": perfect}
        values["perfect"] = 100 * perfect / len(accuracy)
    if not horizons:
        return values
    wrong = wrong_at(horizons)
    looked = [one.looked for one in horizons if one.wrong is None]
    counts = {
        "none wrong": sum(length > to for length in wrong) - sum(length < to for length in looked),
        "proved": sum(horizon.proved >= to for horizon in horizons),
    }
    return (
        values
        | {
            f"wrong {at}": text
            for at, text in zip(_QUARTILES, quartiles(wrong, min(looked, default=0)), strict=True)
        }
        | {f"{name} runs": count for name, count in counts.items()}
        | {name: 100 * count / len(horizons) for name, count in counts.items()}
        | {"trained to": to}
    )
