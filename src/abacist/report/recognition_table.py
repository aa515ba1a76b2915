"""The table of networks as recognisers: members taken, strings outside the language rejected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora import EDITS
from abacist.experiments import MEMBERS, RECOGNITION_SETS, Experiment, Results, Run, percents
from abacist.experiments.run_values import differing
from abacist.fields import checked, records
from abacist.report.swept_settings import NAMED, setting_of
from abacist.report.tables import Column, Table
from abacist.specs import Spec

#: What is said of each of these, over all runs; the sets that they are made of depend on the task.
_SUMMARIES = {
    "taken": ("taken", ("median",)),
    "rejected": ("rejected", ("min", "median")),
    "balanced": ("balanced", ("median",)),
}

#: The kinds of edits, in few letters: the table is wide.
_EDIT_HEADINGS = dict(zip(EDITS, ("insert", "delete", "replace", "swap", "cut", "extend"), strict=True))

_NOTE = (
    "In percent. Accepted: words of the set whose predictions are all right, which is the paper's accuracy. "
    "Taken: words whose every symbol was predicted and whose end was allowed. Rejected: strings outside the "
    "language, the mean of the kinds of edits, whose medians stand on the right (cut: truncated). Balanced "
    "accuracy: the mean of taken and rejected."
)


def asks_for_recognition(experiment: Experiment) -> bool:
    """Whether networks are judged as recognisers."""
    return any(name in RECOGNITION_SETS for task in experiment.tasks for name in task.sets)


@checked
def recognition_table(experiment: Experiment, results: Results) -> Table:
    """A row for every task and test set."""
    settings = [setting_of(task) for task in experiment.tasks]
    swept = dict.fromkeys((*NAMED, *differing(settings)))
    rows: list[dict[str, Any]] = []
    for task, setting in zip(experiment.tasks, settings, strict=True):
        runs = results.complete(task)
        asked = [name for name in task.sets if name in RECOGNITION_SETS]
        for test in dict.fromkeys(name.rpartition(" ")[2] for name in asked):
            row = {"set": test, "runs": _how_many(len(runs), len(task.seeds))}
            kinds = [name.rpartition(" ")[0] for name in asked if name.endswith(f" {test}")]
            rows.append(setting | row | _summary(runs, test, kinds))
    known = records(Spec)
    columns = (
        *(Column(name, known[name].heading if name in NAMED else name) for name in swept),
        Column("set", "set"),
        Column("runs", "runs"),
        Column("accepted median", "median", "accepted", 2),
        *(
            Column(f"{name} {statistic}", statistic, group, 2)
            for name, (group, statistics) in _SUMMARIES.items()
            for statistic in statistics
        ),
        *(
            Column(f"{kind} median", heading, "rejected, by edit", 2)
            for kind, heading in _EDIT_HEADINGS.items()
        ),
    )
    return Table(experiment.name, experiment.title, columns, tuple(rows), _NOTE)


def _how_many(found: int, wanted: int) -> str:
    return str(wanted) if found == wanted else f"{found} of {wanted}"


def _summary(runs: Sequence[Run], test: str, kinds: Sequence[str]) -> dict[str, Any]:
    """What is known of runs on one test set and the strings near its words."""
    if not runs:
        return {}
    accepted = percents(runs, test)
    found: dict[str, Any] = {"accepted median": float(np.median(accepted))} if len(accepted) else {}
    outside = [percents(runs, f"{kind} {test}") for kind in kinds if kind in EDITS]
    shares: dict[str, NDArray[Any]] = {}
    if MEMBERS in kinds:
        shares["taken"] = percents(runs, f"{MEMBERS} {test}")
    if outside:
        shares["rejected"] = np.mean(outside, axis=0)
    if len(shares) == 2:
        shares["balanced"] = (shares["taken"] + shares["rejected"]) / 2
    for name, values in shares.items():
        found |= {
            f"{name} {statistic}": float(getattr(np, statistic)(values)) for statistic in _SUMMARIES[name][1]
        }
    named = (kind for kind in kinds if kind in EDITS)
    return found | {f"{k} median": float(np.median(v)) for k, v in zip(named, outside, strict=True)}
