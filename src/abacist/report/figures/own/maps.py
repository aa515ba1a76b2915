"""Heat maps: the median accuracy for every pair of values of two numbers that were swept."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from abacist.report.figures.house_style import TEXT_WIDTH, panels, style
from abacist.report.figures.own.arrangement import Arrangement
from abacist.report.figures.picture import Content, MissingRuns
from abacist.report.own_runs import Group, OwnRuns, accuracies
from abacist.wording import several

#: From dark to light, so that it reads the same in grey.
_COLOURS = "cividis"

#: Values of either number that there is space for, and those beside whose colours there is space for figures.
_MOST_VALUES, _MOST_FIGURES = 24, 10

#: Panels of a map.
_MOST_PANELS = 6

#: Median accuracies, (value of one number, value of the other), nan where there are no runs.
Medians = NDArray[np.float64]


def accuracy_map(runs: OwnRuns, across: str, up: str) -> Content:
    """Two swept numbers against each other, a panel for every value of what tells lines apart elsewhere."""
    arranged, judged_on = Arrangement.of(runs, [across, up]), runs.headline_set
    if judged_on is None:
        raise MissingRuns("no run was judged on any set")
    x, y = runs.values(across), runs.values(up)
    if max(len(x), len(y)) > _MOST_VALUES:
        raise MissingRuns(f"a map has room for {_MOST_VALUES} values of either field")

    def medians(groups: list[Group]) -> Medians:
        known = accuracies(groups, judged_on, lambda settings: (settings[up], settings[across]))
        return np.array([[np.median(known[b, a]) if (b, a) in known else np.nan for a in x] for b in y])

    there = np.isfinite(medians(list(runs.groups)))
    if min(there.any(axis=0).sum(), there.any(axis=1).sum()) < 2 or there.sum() < 4:
        raise MissingRuns(f"{across} and {up} were not both swept")
    maps = []
    for row in arranged.rows:
        for line in arranged.lines:
            groups = arranged.groups(row, line)
            values = medians([g for g in groups if arranged.row is None or g.settings[arranged.row] == row])
            if np.isfinite(values).any():
                title = (*([] if arranged.line is None else [arranged.label(line)]), arranged.title(row))
                maps.append((", ".join(filter(None, title)), values))
    cut = len(maps) - _MOST_PANELS
    left_out = f" {several(cut, 'further panel')} left out for want of room." if cut > 0 else ""
    return (
        f"Accuracy on the {judged_on} set by {up} and {across}",
        f"Each field is the median accuracy, in percent on the {judged_on} set, of the runs with these two "
        f"values; grey where there are none. {several(len(runs.runs), 'run')}.{arranged.said()}{left_out}",
        lambda: _figure(maps[:_MOST_PANELS], (across, x), (up, y)),
    )


def draw_map(axes: Axes, values: Medians, across: tuple[Any, ...], up: tuple[Any, ...]) -> Any:
    """A field of colour for every pair, with its figure where there is space; grey without runs."""
    drawn = axes.pcolormesh(np.ma.masked_invalid(values), cmap=_COLOURS, vmin=0, vmax=100, edgecolors="white")
    axes.set_facecolor("#eeeeee")
    axes.grid(visible=False)
    for axis, known in ((axes.xaxis, across), (axes.yaxis, up)):
        step = 1 + (len(known) - 1) // _MOST_FIGURES
        axis.set_ticks([n + 0.5 for n in range(0, len(known), step)], [f"{v:g}" for v in known[::step]])
        axis.set_tick_params(length=0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    if max(len(across), len(up)) <= _MOST_FIGURES:
        for (y, x), value in np.ndenumerate(values):
            text = "—" if np.isnan(value) else f"{value:.0f}"
            colour = "white" if value < 50 else "black"
            axes.text(x + 0.5, y + 0.5, text, ha="center", va="center", color=colour, fontsize=7.5)
    return drawn


@style()
def _figure(
    maps: list[tuple[str, Medians]], across: tuple[str, tuple[Any, ...]], up: tuple[str, tuple[Any, ...]]
) -> Figure:
    columns = min(len(maps), 2 if len(maps) in (2, 4) else 3)
    tall = 0.9 + 0.24 * max(4, min(len(up[1]), _MOST_FIGURES))
    figure, grid = panels(len(maps), columns, TEXT_WIDTH if columns > 1 else 4.6, 0, tall, sharex=True)
    for axes, (title, values) in zip(grid.flat, maps, strict=False):
        drawn = draw_map(axes, values, across[1], up[1])
        axes.set_title(title)
    for axes in grid[-1]:
        axes.set_xlabel(across[0])
    for axes in grid[:, 0]:
        axes.set_ylabel(up[0])
    bar = figure.colorbar(drawn, ax=grid, label="median, %", fraction=0.05, aspect=12)
    bar.outline.set_visible(False)
    return figure
