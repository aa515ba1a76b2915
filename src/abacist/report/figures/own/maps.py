"""Heat maps: the median accuracy for every pair of values of two numbers that were swept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from abacist.experiments import Results
from abacist.report.figures.house_style import TEXT_WIDTH, new_figure, style
from abacist.report.figures.own.accuracy_pictures import NOT_JUDGED
from abacist.report.figures.own.arrangement import Arrangement, in_words
from abacist.report.figures.picture import Picture
from abacist.report.figures.runs_for_figures import MissingRuns, command
from abacist.report.own_runs import OwnRuns
from abacist.wording import plural

#: From dark to light, so that it reads the same in grey.
_COLOURS = "cividis"

#: Values of either number that there is room for, and those beside whose colours there is room for figures.
_MOST_VALUES, _MOST_FIGURES = 24, 10

#: Median accuracies, (value of one number, value of the other), nan where there are no runs.
Medians = NDArray[np.float64]

#: Panels of a map.
_MOST_PANELS = 6


def medians(own: OwnRuns, across: str, up: str, judged_on: str, where: Mapping[str, Any]) -> Medians:
    """The median accuracy in percent on a set, (value of `up`, value of `across`), nan without runs."""
    found: dict[tuple[Any, Any], list[float]] = {}
    for group in own.groups:
        if all(group.settings[name] == value for name, value in where.items()):
            known = [100 * s for run in group.runs if (s := run.accuracy(judged_on)) is not None]
            found.setdefault((group.settings[up], group.settings[across]), []).extend(known)
    pairs = [[found.get((y, x)) for x in own.values(across)] for y in own.values(up)]
    return np.array([[np.median(known) if known else np.nan for known in row] for row in pairs])


def draw_map(axes: Axes, values: Medians, across: tuple[Any, ...], up: tuple[Any, ...]) -> Any:
    """A field of colour for every pair, with its figure where there is room; grey where there are no runs."""
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


def map_picture(results: Results, own: OwnRuns, across: str, up: str) -> Picture:
    """Two swept numbers against each other, a panel for every value of what tells lines apart elsewhere."""
    name = f"own-map-{across}-{up}".replace(" ", "-")
    arranged, judged_on = Arrangement.of(own, [across, up]), own.telling_set
    if judged_on is None:
        raise MissingRuns(f"{name}: {NOT_JUDGED}")
    if max(len(own.values(across)), len(own.values(up))) > _MOST_VALUES:
        raise MissingRuns(f"{name}: a map has room for {_MOST_VALUES} values of either field")
    whole = medians(own, across, up, judged_on, {})
    if min(np.isfinite(whole).any(axis=0).sum(), np.isfinite(whole).any(axis=1).sum()) < 2 or (
        np.isfinite(whole).sum() < 4
    ):
        raise MissingRuns(f"{name}: {across} and {up} were not both swept")
    wanted = [
        {n: v for n, v in ((arranged.line, line), (arranged.row, row)) if n is not None}
        for row in arranged.rows
        for line in arranged.lines
    ]
    maps = [(where, medians(own, across, up, judged_on, where)) for where in wanted]
    there = [(where, values) for where, values in maps if np.isfinite(values).any()]
    cut = len(there) - _MOST_PANELS
    left_out = f" {plural(cut, 'further panel')} left out for want of room." if cut > 0 else ""

    def make() -> Figure:
        return _figure(there[:_MOST_PANELS], own, across, up)

    return Picture(
        name,
        f"Accuracy on the {judged_on} set by {up} and {across}",
        f"Each field is the median accuracy, in percent on the {judged_on} set, of the runs with these two "
        f"values; grey where there are none. {plural(len(own.runs), 'run')}.{arranged.said()}{left_out}",
        command(results, name),
        style()(make),
    )


def _figure(maps: list[tuple[dict[str, Any], Medians]], own: OwnRuns, across: str, up: str) -> Figure:
    columns = min(len(maps), 2 if len(maps) in (2, 4) else 3)
    rows = -(-len(maps) // columns)
    tall = 0.9 + 0.24 * max(4, min(len(own.values(up)), _MOST_FIGURES))
    figure = new_figure(TEXT_WIDTH if columns > 1 else 4.6, tall * rows)
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for axes, (where, values) in zip(grid.flat, maps, strict=False):
        drawn = draw_map(axes, values, own.values(across), own.values(up))
        axes.set_title(", ".join(in_words(name, value) for name, value in where.items()))
    for axes in grid.flat[len(maps) :]:
        axes.set_visible(False)
    for axes in grid[-1]:
        axes.set_xlabel(across)
    for row in grid:
        row[0].set_ylabel(up)
    bar = figure.colorbar(drawn, ax=grid, label="median, %", fraction=0.05, aspect=12)
    bar.outline.set_visible(False)
    return figure
