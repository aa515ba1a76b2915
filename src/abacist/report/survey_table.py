"""A survey: many cells on several languages, a row for each cell, and how far each gets on each language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from abacist.analysis import Horizon
from abacist.experiments import Experiment, Results, Run, Task, percents
from abacist.fields import checked
from abacist.languages import Language
from abacist.report.tables import Column, Table

#: Fewer cells than this are told apart more easily row by row.
_FEWEST_CELLS = 4

#: What is said of lengths only to programs.
QUANTILES = {"5 %": 0.05, "25 %": 0.25, "median": 0.5, "75 %": 0.75, "95 %": 0.95}

_NOTE = (
    "Long: the median accuracy on the long set in percent. Wrong at: the median length of the shortest word "
    "found that a network gets wrong; > and a length, where most networks have none up to there. Proved: "
    "the share of networks in percent that are proved right on every word as long as those that they were "
    "trained on"
)


def is_survey(experiment: Experiment) -> bool:
    """Whether it looks for the horizons of several cells on several languages, as they are, or of some."""
    tasks = experiment.tasks
    cells, languages = ({getattr(task.spec, of) for task in tasks} for of in ("cell", "language"))
    one_each = len(tasks) == len(cells) * len(languages)
    asked = {tuple(aim.factor for aim in task.horizons) for task in tasks}
    return one_each and (1,) in asked <= {(), (1,)} and len(languages) > 1 and len(cells) >= _FEWEST_CELLS


@checked
def survey_table(experiment: Experiment, results: Results) -> Table:
    """A row for every cell, in the order of the experiment, and three columns for every language."""
    found = {(task.spec.cell.name, task.spec.language.name): task for task in experiment.tasks}
    cells, languages = (list(dict.fromkeys(key[place] for key in found)) for place in (0, 1))
    rows = []
    for cell in cells:
        row: dict[str, Any] = {"cell": cell}
        for language in languages:
            task = found[cell, language]
            values = reached(task, results.complete(task))
            row |= {f"{language} {name}": value for name, value in values.items()}
        rows.append(row)
    columns = [Column("cell", "cell")]
    for language in languages:
        columns += [
            Column(f"{language} long", "long", language, 1),
            Column(f"{language} wrong at", "wrong at", language),
            Column(f"{language} proved", "proved", language, 0),
        ]
    lengths = ", ".join(f"{task.spec.short.high} for {language}" for language, task in _one_each(found))
    runs = sorted({len(task.seeds) for task in experiment.tasks}, reverse=True)
    some = " or ".join(map(str, runs))
    note = f"{_NOTE}: of up to {lengths} symbols. {some} networks of each cell on each language."
    further = ("runs", *(f"{what} {name}" for what in ("proved to", "wrong at") for name in QUANTILES))
    keys = tuple(f"{language} {name}" for language in languages for name in further)
    return Table(experiment.name, experiment.title, tuple(columns), tuple(rows), note, keys)


def _one_each(found: Mapping[tuple[str, str], Task]) -> list[tuple[str, Task]]:
    return list({language: task for (_, language), task in found.items()}.items())


def reached(task: Task, runs: Sequence[Run]) -> dict[str, Any]:
    """What the networks of a task come to."""
    known = [own for run in runs if (own := run.outcome.horizon()) is not None]
    accuracy = percents(runs, "long")
    values: dict[str, Any] = {"runs": len(runs)}
    if len(accuracy):
        values["long"] = float(np.median(accuracy))
    if not known:
        return values
    trained_on = task.spec.short.high
    values["proved"] = 100 * sum(own.proved >= trained_on for own in known) / len(known)
    for what, lengths in (("proved to", proved_to(known, task.spec.language)), ("wrong at", wrong_at(known))):
        for name, share in QUANTILES.items():
            value = quantile(lengths, share)
            values[f"{what} {name}"] = value if np.isfinite(value) else None
    median = quantile(wrong_at(known), 0.5)
    looked = min(own.looked for own in known if own.wrong is None) if not np.isfinite(median) else 0
    values["wrong at"] = f"{median:.0f}" if np.isfinite(median) else f"> {looked}"
    return values


def proved_to(known: Sequence[Horizon], language: Language[Any]) -> list[float]:
    """How far each network is proved."""
    return sorted(float(own.proved_in(language)) for own in known)


def wrong_at(known: Sequence[Horizon]) -> list[float]:
    """The length of each network's wrong word, infinite where none is known."""
    return sorted(float("inf") if own.wrong is None else float(len(own.wrong)) for own in known)


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value that a share of all is not above: always that of some network."""
    return ordered[round(share * (len(ordered) - 1))]
