"""Accuracy against a number that was swept, by epoch, and over two such numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from abacist.experiments import Results, Run
from abacist.report.figures.house_style import style
from abacist.report.figures.own.arrangement import Arrangement, shown_sets
from abacist.report.figures.own.quantile_lines import MOST_DOTS, Series, curves_figure
from abacist.report.figures.picture import Picture
from abacist.report.figures.runs_for_figures import MissingRuns, command
from abacist.report.own_runs import MOST_VALUES, OwnRuns
from abacist.wording import plural

#: Why there is no figure of accuracies.
NOT_JUDGED = "no run was judged on any set"

_READ = "A line joins the medians, its band spans the middle half of the runs"


def curve_picture(results: Results, own: OwnRuns, field: str) -> Picture:
    """Accuracy on every set against a number that was swept."""
    name = f"own-curve-{field.replace(' ', '-')}"
    arranged, sets = Arrangement.of(own, [field]), shown_sets(own)

    def series(row: Any, line: Any, judged_on: str) -> Series:
        found: dict[float, list[float]] = {}
        for settings, runs in arranged.runs(row, line):
            if settings[field] is not None:
                found.setdefault(settings[field], []).extend(_percents(runs, judged_on))
        return {x: np.array(values) for x, values in found.items() if values}

    if not sets:
        raise MissingRuns(f"{name}: {NOT_JUDGED}")
    every = [series(row, line, one) for row in arranged.rows for line in arranged.lines for one in sets]
    if not any(len(one) > 1 for one in every):
        raise MissingRuns(f"{name}: {field} does not vary among runs that could be compared")
    many, dots = max(map(len, every)) > MOST_VALUES, len(own.runs) <= MOST_DOTS
    return Picture(
        name,
        f"Accuracy by {field}",
        f"{_READ}{_on_dots(dots)}. {plural(len(own.runs), 'run')}.{_on_many(many)}{arranged.said()}",
        command(results, name),
        style()(lambda: curves_figure(arranged, sets, series, field, dots=dots)),
    )


def epochs_picture(results: Results, own: OwnRuns) -> Picture:
    """Accuracy on every set as training goes on."""
    name, own = "own-by-epoch", own.trained
    arranged, sets = Arrangement.of(own), shown_sets(own)

    def series(row: Any, line: Any, judged_on: str) -> Series:
        found: dict[float, list[float]] = {}
        for _, runs in arranged.runs(row, line):
            for run in runs:
                for epoch, share in run.outcome.accuracy.get(judged_on, {}).items():
                    found.setdefault(epoch, []).append(100 * share)
        return {epoch: np.array(values) for epoch, values in found.items()}

    if not any(len(shares) > 1 for run in own.runs for shares in run.outcome.accuracy.values()):
        raise MissingRuns(f"{name}: no run was judged after more than one epoch; `at_epochs` asks for that")
    dots = len(own.runs) <= MOST_DOTS

    def make() -> Figure:
        return curves_figure(arranged, sets, series, "epochs", dots=dots)

    return Picture(
        name,
        "Accuracy by epoch",
        f"{_READ}{_on_dots(dots)}, after each number of epochs at which runs were judged. "
        f"{plural(len(own.runs), 'run')}.{arranged.said()}",
        command(results, name),
        style()(make),
    )


def _percents(runs: Any, judged_on: str) -> list[float]:
    listed: list[Run] = list(runs)
    return [100 * share for run in listed if (share := run.accuracy(judged_on)) is not None]


def _on_dots(dots: bool) -> str:
    return ", and a dot is a run" if dots else ""


def _on_many(many: bool) -> str:
    return " Neighbouring values are gathered for the lines." if many else ""
