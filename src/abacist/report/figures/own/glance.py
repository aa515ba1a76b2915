"""A store at a glance: all groups of runs below each other, and which settings make a difference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from abacist.experiments import Results
from abacist.experiments.run_values import NUMBERS
from abacist.report.figures.house_style import TEXT_WIDTH, new_figure, style
from abacist.report.figures.own.accuracy_pictures import NOT_JUDGED
from abacist.report.figures.own.arrangement import by_weight, in_words, looks_of
from abacist.report.figures.own.quantile_lines import quartiles
from abacist.report.figures.picture import Picture
from abacist.report.figures.runs_for_figures import MissingRuns, command
from abacist.report.own_runs import OwnRuns, in_order
from abacist.report.own_table import listed
from abacist.wording import plural

#: Rows that a glance takes in, and runs of a row beyond which they are not drawn one by one.
MOST_ROWS, _MOST_DOTS = 40, 60


@dataclass(frozen=True, eq=False)
class Glance:
    """Rows of runs by the settings `kept`; runs that differ only in `together` share one, `cut` are left out.

    `rows` has the values of what is kept, and the accuracies of the runs in percent, (run).
    """

    kept: tuple[str, ...]
    together: tuple[str, ...]
    rows: Mapping[tuple[Any, ...], NDArray[np.float64]]
    cut: int


def glance_at(own: OwnRuns, judged_on: str) -> Glance:
    """All groups, or, where they are too many, those told apart by the settings that explain most."""
    kept = [name for name in own.varying if name not in NUMBERS or len(own.values(name)) <= MOST_ROWS]
    while len(kept) > 1 and len(_rows(own, kept, judged_on)) > MOST_ROWS:
        kept.remove(min(kept, key=lambda name: own.weights[name]))
    rows = _rows(own, kept, judged_on)
    shown = dict(list(rows.items())[:MOST_ROWS])
    together = tuple(name for name in own.varying if name not in kept)
    return Glance(tuple(kept), together, shown, len(rows) - len(shown))


def _rows(own: OwnRuns, kept: list[str], judged_on: str) -> dict[tuple[Any, ...], NDArray[np.float64]]:
    found: dict[tuple[Any, ...], list[float]] = {}
    for group in own.groups:
        known = [100 * s for run in group.runs if (s := run.accuracy(judged_on)) is not None]
        found.setdefault(tuple(group.settings[name] for name in kept), []).extend(known)
    ranks = {name: {v: n for n, v in enumerate(in_order(name, own.values(name)))} for name in kept}
    ordered = sorted(found, key=lambda row: [ranks[n].get(v, -1) for n, v in zip(kept, row, strict=True)])
    return {row: np.array(found[row]) for row in ordered if found[row]}


def draw_glance(axes: Axes, glance: Glance, coloured_by: str | None) -> Axes:
    """A row for every group: its runs as marks, the middle half as a bar, the median as a stroke."""
    place = glance.kept.index(coloured_by) if coloured_by in glance.kept else None
    values = (
        (None,) if place is None else in_order(str(coloured_by), {row[place] for row in glance.rows} - {None})
    )
    looks = looks_of(coloured_by, values)
    for height, (row, percents) in enumerate(glance.rows.items()):
        colour, marker, _ = looks.get(None if place is None else row[place], ("black", "o", "-"))
        low, middle, high = quartiles(percents)
        axes.plot([low, high], [height, height], color=colour, linewidth=4, alpha=0.25, solid_capstyle="butt")
        if len(percents) <= _MOST_DOTS:
            axes.plot(
                percents, np.full(len(percents), height), marker, color=colour, markersize=3, alpha=0.6,
                markeredgewidth=0, clip_on=False, label="_runs",
            )  # fmt: skip
        axes.plot(
            [middle],
            [height],
            "|",
            color="black",
            markersize=7,
            markeredgewidth=1.4,
            clip_on=False,
            label="_median",
        )
    labels = [
        ", ".join(in_words(n, v) for n, v in zip(glance.kept, row, strict=True) if v is not None)
        or "all runs"
        for row in glance.rows
    ]
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_xlim(-2, 102)
    axes.set_xticks(range(0, 101, 25))
    axes.tick_params(axis="y", length=0)
    return axes


def draw_weights(axes: Axes, weights: Mapping[str, float]) -> Axes:
    """A bar for every setting that varies: the share of the variance that lies between its values."""
    names = sorted(weights, key=lambda name: -weights[name])
    shares = [100 * weights[name] for name in names]
    axes.barh(range(len(names)), shares, color="#767676", height=0.6)
    for height, share in enumerate(shares):
        axes.text(share + 2, height, f"{share:.0f} %", va="center", fontsize=7.5)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlim(0, 109)
    axes.set_xticks([0, 50, 100])
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False)
    return axes


def glance_picture(results: Results, own: OwnRuns) -> Picture:
    """The whole store in one picture."""
    name, judged_on = "own-glance", own.telling_set
    if judged_on is None:
        raise MissingRuns(f"{name}: {NOT_JUDGED}")
    glance = glance_at(own, judged_on)
    if own.varying and not glance.kept:
        raise MissingRuns(f"{name}: {listed(own.varying)} have too many values for a row each")
    together = f" Runs that differ only in {listed(glance.together)} share a row." if glance.together else ""
    cut = f" {plural(glance.cut, 'further row')} left out for want of room." if glance.cut else ""
    shares = (
        " Below: the share of the variance of these accuracies that lies between the values of a setting; "
        "settings may share what they explain."
        if len(own.varying) > 1
        else ""
    )
    return Picture(
        name,
        f"At a glance: accuracy on the {judged_on} set"
        + (f" by {listed(glance.kept)}" if glance.kept else ""),
        "Each row is a setting: a mark is a run, the pale bar spans the middle half of the runs, the black "
        f"stroke is their median.{shares} {plural(len(own.runs), 'run')}.{together}{cut}",
        command(results, name),
        style()(lambda: _figure(own, glance, judged_on)),
    )


def _figure(own: OwnRuns, glance: Glance, judged_on: str) -> Figure:
    above, below = 0.75 + 0.19 * len(glance.rows), 0.65 + 0.2 * len(own.varying)
    several_vary = len(own.varying) > 1
    figure = new_figure(TEXT_WIDTH, above + below * several_vary)
    if several_vary:
        upper, lower = figure.subplots(2, 1, height_ratios=[above, below])
        draw_weights(lower, own.weights).set_xlabel(
            f"share of the variance on the {judged_on} set explained, %"
        )
    else:
        upper = figure.subplots()
    draw_glance(upper, glance, next((n for n in by_weight(own) if n in glance.kept), None))
    upper.set_xlabel(f"accuracy on the {judged_on} set, %")
    return figure
