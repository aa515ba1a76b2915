"""Accuracy against numbers that were swept: curves over one, heat maps over two."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from numpy.typing import NDArray

from abacist.experiments import PAPER_SETS
from abacist.report.figures.house_style import (
    TEXT_WIDTH,
    Look,
    draw_band,
    legend_above,
    panels,
    set_percents,
)
from abacist.report.figures.own.arrangement import Arrangement, in_words, looks_of, set_scale, titled
from abacist.report.figures.picture import Content, MissingRuns
from abacist.report.own_runs import MOST_VALUES, Group, OwnRuns, accuracies, neighbours
from abacist.wording import plural

#: The runs at every value of a number, (run).
Series = Mapping[float, NDArray[np.float64]]

#: Letters that a line of a legend has space for.
_LINE = 105

#: From dark to light, so that it reads the same in grey.
_COLOURS = "cividis"

#: Values of either number that there is space for, and those beside whose colours there is space for figures.
_MOST_VALUES, _MOST_FIGURES = 24, 10

#: Panels of a map.
_MOST_PANELS = 6

#: Median accuracies, (value of one number, value of the other), nan where there are no runs.
Medians = NDArray[np.float64]

#: What a band spans, and the line between its ends.
QUARTILES = (0.25, 0.5, 0.75)


def curve(runs: OwnRuns, field: str) -> Content:
    """Accuracy against a number that was swept: a row of panels for every value of the arrangement's rows.

    A column is a set: the paper's, or else the first of those that there are.
    """
    arranged = Arrangement.of(runs, [field])
    papers = tuple(name for name in PAPER_SETS if name in runs.judged_on)
    sets = papers or runs.judged_on[: len(PAPER_SETS)]
    if not sets:
        raise MissingRuns("no run was judged on any set")

    def series(row: Any, line: Any, judged_on: str) -> Series:
        groups = (group for group in arranged.groups(row, line) if group.settings[field] is not None)
        return accuracies(groups, judged_on, lambda settings: settings[field])

    lines = {
        (row, name): {line: series(row, line, name) for line in arranged.lines}
        for row in arranged.rows
        for name in sets
    }
    longest = max(len(series) for by_line in lines.values() for series in by_line.values())
    if longest < 2:
        raise MissingRuns(f"{field} does not vary among runs that could be compared")
    gathered = " Neighbouring values are gathered for the lines." if longest > MOST_VALUES else ""
    return (
        f"Accuracy by {field}",
        "A line joins the medians, its band spans the middle half of the runs, and a dot is a run. "
        f"{plural(len(runs.runs), 'run')}.{gathered}{arranged.note}",
        lambda: _curves_figure(arranged, lines, field),
    )


def draw_quantiles(axes: Axes, series: Series, look: Look) -> Axes:
    """A line through the medians, a band over the middle half, and a dot for every run.

    Where there are too many values for a line, neighbours are taken together.
    """
    line = series
    if len(series) > MOST_VALUES:
        blocks = neighbours(series)
        line = {float(np.median(block)): np.concatenate([series[x] for x in block]) for block in blocks}
    axes.plot(
        np.concatenate([np.full(len(series[x]), float(x)) for x in sorted(series)]),
        np.concatenate([series[x] for x in sorted(series)]),
        look.marker, color=look.colour, markersize=2.8, markeredgewidth=0, alpha=0.5, label="_runs",
        clip_on=False,
    )  # fmt: skip
    draw_band(
        axes, sorted(line), (np.quantile(line[x], QUARTILES) for x in sorted(line)), look, label="_median",
        markeredgecolor="white", markeredgewidth=0.4, markersize=4.5,
    )  # fmt: skip
    return axes


def _curves_figure(
    arranged: Arrangement, lines: Mapping[tuple[Any, str], Mapping[Any, Series]], label: str
) -> Figure:
    """The series of every line of a panel, by row and set."""
    looks = looks_of(arranged.line, arranged.lines)

    def draw(axes: Axes, by_line: Mapping[Any, Series]) -> None:
        drawn = {line: series for line, series in by_line.items() if series}
        for line, series in drawn.items():
            draw_quantiles(axes, series, looks[line])
        if not drawn:
            axes.text(0.5, 0.5, "no runs", transform=axes.transAxes, ha="center", color="#767676")
        set_scale(axes, (x for series in drawn.values() for x in series))
        set_percents(axes)

    contents = [
        (titled(in_words(arranged.row, row), f"{name} set"), by_line)
        for (row, name), by_line in lines.items()
    ]
    columns = len(lines) // len(arranged.rows)
    figure = panels(contents, draw, columns, 0.7, 1.85, (label, "accuracy, %"))
    if arranged.line is not None:
        entries = [look.entry() for look in looks.values()]
        texts = [in_words(arranged.line, line) for line in looks]
        widths = [len(text) + 8 for text in texts]
        columns = len(texts) if sum(widths) <= _LINE else max(1, min(len(texts), _LINE // max(widths)))
        legend_above(figure, entries, texts, columns, columnspacing=1.4, handlelength=2.6)
    return figure


def accuracy_map(runs: OwnRuns, across: str, up: str) -> Content:
    """Two swept numbers against each other, a panel for every value of what tells lines apart elsewhere."""
    arranged, judged_on = Arrangement.of(runs, [across, up]), runs.headline_set
    if judged_on is None:
        raise MissingRuns("no run was judged on any set")
    x, y = runs.values(across), runs.values(up)
    if max(len(x), len(y)) > _MOST_VALUES:
        raise MissingRuns(f"a map has room for {_MOST_VALUES} values of either field")

    def medians(groups: list[Group]) -> Medians:
        shares = accuracies(groups, judged_on, lambda settings: (settings[up], settings[across]))
        return np.array([[np.median(shares[b, a]) if (b, a) in shares else np.nan for a in x] for b in y])

    there = np.isfinite(medians(list(runs.groups)))
    if min(there.any(axis=0).sum(), there.any(axis=1).sum()) < 2 or there.sum() < 4:
        raise MissingRuns(f"{across} and {up} were not both swept")
    maps = []
    for row in arranged.rows:
        for line in arranged.lines:
            groups = arranged.groups(row, line)
            values = medians([g for g in groups if arranged.row is None or g.settings[arranged.row] == row])
            if np.isfinite(values).any():
                maps.append((titled(in_words(arranged.line, line), in_words(arranged.row, row)), values))
    cut = len(maps) - _MOST_PANELS
    left_out = f" {plural(cut, 'further panel')} left out for want of room." if cut > 0 else ""
    return (
        f"Accuracy on the {judged_on} set by {up} and {across}",
        f"Each field is the median accuracy, in percent on the {judged_on} set, of the runs with these two "
        f"values; grey where there are none. {plural(len(runs.runs), 'run')}.{arranged.note}{left_out}",
        lambda: _figure(maps[:_MOST_PANELS], (across, x), (up, y)),
    )


def draw_map(axes: Axes, values: Medians, across: tuple[Any, ...], up: tuple[Any, ...]) -> None:
    """A field of colour for every pair, with its figure where there is space; grey without runs."""
    axes.pcolormesh(np.ma.masked_invalid(values), cmap=_COLOURS, vmin=0, vmax=100, edgecolors="white")
    axes.set_facecolor("#eeeeee")
    axes.grid(visible=False)
    for axis, ticks in ((axes.xaxis, across), (axes.yaxis, up)):
        step = 1 + (len(ticks) - 1) // _MOST_FIGURES
        axis.set_ticks([n + 0.5 for n in range(0, len(ticks), step)], [f"{v:g}" for v in ticks[::step]])
        axis.set_tick_params(length=0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    if max(len(across), len(up)) <= _MOST_FIGURES:
        for (y, x), value in np.ndenumerate(values):
            text = "—" if np.isnan(value) else f"{value:.0f}"
            colour = "white" if value < 50 else "black"
            axes.text(x + 0.5, y + 0.5, text, ha="center", va="center", color=colour, fontsize=7.5)


def _figure(
    maps: list[tuple[str, Medians]], across: tuple[str, tuple[Any, ...]], up: tuple[str, tuple[Any, ...]]
) -> Figure:
    columns = min(len(maps), 2 if len(maps) in (2, 4) else 3)
    tall = 0.9 + 0.24 * max(4, min(len(up[1]), _MOST_FIGURES))
    width, labels = TEXT_WIDTH if columns > 1 else 4.6, (across[0], up[0])
    draw = partial(draw_map, across=across[1], up=up[1])
    figure = panels(maps, draw, columns, 0, tall, labels, width=width, sharex=True)
    scale = ScalarMappable(Normalize(0, 100), _COLOURS)
    bar = figure.colorbar(scale, ax=figure.axes, label="median, %", fraction=0.05, aspect=12)
    bar.outline.set_visible(False)
    return figure
