"""A store at a glance: all groups of runs below each other, and which settings make a difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from abacist.experiments.run_values import NUMBERS
from abacist.report.figures.house_style import TEXT_WIDTH, new_figure, set_rows
from abacist.report.figures.own.arrangement import by_weight, in_words, looks_of
from abacist.report.figures.own.curves import QUARTILES
from abacist.report.figures.picture import Content, MissingRuns
from abacist.report.own_runs import OwnRuns, accuracies, in_order
from abacist.wording import listed, plural

#: Rows that an overview takes in.
_MOST_ROWS = 40

#: The accuracies of runs in percent, (run), by the values of some settings.
Rows = Mapping[tuple[Any, ...], NDArray[np.float64]]


def store_overview(runs: OwnRuns) -> Content:
    """The whole store in one picture: all groups, or, where they are too many, those told apart by the
    settings that explain most."""
    judged_on = runs.headline_set
    if judged_on is None:
        raise MissingRuns("no run was judged on any set")
    kept = [name for name in runs.varying if name not in NUMBERS or len(runs.values(name)) <= _MOST_ROWS]
    if runs.varying and not kept:
        raise MissingRuns(f"{listed(runs.varying)} have too many values for a row each")
    while len(rows := _rows(runs, kept, judged_on)) > _MOST_ROWS and len(kept) > 1:
        kept.remove(min(kept, key=lambda name: runs.weights[name]))
    shown = dict(list(rows.items())[:_MOST_ROWS])
    notes = []
    if len(runs.varying) > 1:
        notes.append(
            "Below: the share of the variance of these accuracies that lies between the values of a setting; "
            "settings may share what they explain."
        )
    notes.append(f"{plural(len(runs.runs), 'run')}.")
    if together := [name for name in runs.varying if name not in kept]:
        notes.append(f"Runs that differ only in {listed(together)} share a row.")
    if len(rows) > len(shown):
        notes.append(f"{plural(len(rows) - len(shown), 'further row')} left out for want of room.")
    return (
        f"At a glance: accuracy on the {judged_on} set" + (f" by {listed(kept)}" if kept else ""),
        "Each row is a setting: a mark is a run, the pale bar spans the middle half of the runs, the black "
        f"stroke is their median. {' '.join(notes)}",
        lambda: _figure(runs, kept, shown, judged_on),
    )


def _rows(runs: OwnRuns, kept: Sequence[str], judged_on: str) -> Rows:
    """The rows in the order of the groups, which is that of their settings."""
    return accuracies(runs.groups, judged_on, lambda settings: tuple(settings[name] for name in kept))


def _figure(runs: OwnRuns, kept: Sequence[str], rows: Rows, judged_on: str) -> Figure:
    above, below = 0.75 + 0.19 * len(rows), 0.65 + 0.2 * len(runs.varying)
    if len(runs.varying) > 1:
        figure = new_figure(TEXT_WIDTH, above + below)
        upper, lower = figure.subplots(2, 1, height_ratios=[above, below])
        draw_weights(lower, runs.weights)
        lower.set_xlabel(f"share of the variance on the {judged_on} set explained, %")
    else:
        figure = new_figure(TEXT_WIDTH, above)
        upper = figure.subplots()
    draw_overview(upper, kept, rows, next((n for n in by_weight(runs) if n in kept), None))
    upper.set_xlabel(f"accuracy on the {judged_on} set, %")
    return figure


def draw_overview(axes: Axes, kept: Sequence[str], rows: Rows, coloured_by: str | None) -> Axes:
    """A row for every group: its runs as marks, the middle half as a bar, the median as a stroke."""
    if coloured_by is None:
        values, looks = [None] * len(rows), looks_of(None, (None,))
    else:
        values = [row[kept.index(coloured_by)] for row in rows]
        looks = looks_of(coloured_by, in_order(coloured_by, {*values} - {None}))
    for height, (value, percents) in enumerate(zip(values, rows.values(), strict=True)):
        colour, marker, _ = looks.get(value, ("black", "o", "-"))
        low, middle, high = np.quantile(percents, QUARTILES)
        axes.plot([low, high], [height, height], color=colour, linewidth=4, alpha=0.25, solid_capstyle="butt")
        axes.plot(
            percents, np.full(len(percents), height), marker, color=colour, markersize=3, alpha=0.6,
            markeredgewidth=0, clip_on=False, label="_runs",
        )  # fmt: skip
        axes.plot(
            [middle], [height], "|", color="black", markersize=7, markeredgewidth=1.4, clip_on=False,
            label="_median",
        )  # fmt: skip
    labels = [
        ", ".join(in_words(n, v) for n, v in zip(kept, row, strict=True) if v is not None) or "all runs"
        for row in rows
    ]
    set_rows(axes, labels)
    axes.set_xlim(-2, 102)
    axes.set_xticks(range(0, 101, 25))
    return axes


def draw_weights(axes: Axes, weights: Mapping[str, float]) -> Axes:
    """A bar for every setting that varies: the share of the variance that lies between its values."""
    names = sorted(weights, key=lambda name: -weights[name])
    shares = [100 * weights[name] for name in names]
    axes.barh(range(len(names)), shares, color="#767676", height=0.6)
    for height, share in enumerate(shares):
        axes.text(share + 2, height, f"{share:.0f} %", va="center", fontsize=7.5)
    set_rows(axes, names)
    axes.set_xlim(0, 109)
    axes.set_xticks([0, 50, 100])
    axes.grid(visible=False)
    return axes
