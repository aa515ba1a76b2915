"""Quantile lines: the median of runs against a number, the middle half of them as a band, runs as dots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator
from numpy.typing import NDArray

from abacist.report.figures.horizon_bars import ticks
from abacist.report.figures.house_style import TEXT_WIDTH, new_figure
from abacist.report.figures.own.arrangement import Arrangement, Look
from abacist.report.figures.own.scales import Scale
from abacist.report.own_runs import MOST_VALUES, neighbours

#: The runs at every value of a number, (run).
Series = Mapping[float, NDArray[np.float64]]

#: Runs beyond which they are not drawn one by one.
MOST_DOTS = 1_500

#: Letters that a line of a legend has room for.
_LINE = 105

#: What the band spans: the middle half of the runs.
BAND = (0.25, 0.5, 0.75)


def quartiles(values: NDArray[np.float64]) -> tuple[float, float, float]:
    """The quartiles of some runs: a quarter, half and three quarters of them lie below."""
    low, middle, high = np.quantile(values, BAND)
    return float(low), float(middle), float(high)


def gathered(series: Series) -> Series:
    """A series with few enough values for a line: where there are more, neighbours are taken together."""
    if len(series) <= MOST_VALUES:
        return series
    blocks = neighbours(series)
    return {float(np.median(block)): np.concatenate([series[x] for x in block]) for block in blocks}


def draw_quantiles(axes: Axes, series: Series, scale: Scale, look: Look, *, dots: bool = True) -> Axes:
    """A line through the medians, a band over the middle half, and a dot for every run."""
    colour, marker, kind = look
    line = gathered(series)
    at = scale if line is series else Scale(tuple(sorted({*scale.values, *line})), scale.kind)
    places = [at.place(x) for x in sorted(line)]
    low, middle, high = zip(*(quartiles(line[x]) for x in sorted(line)), strict=True)
    if dots:
        across = np.concatenate([np.full(len(series[x]), scale.place(x)) for x in sorted(series)])
        up = np.concatenate([series[x] for x in sorted(series)])
        axes.plot(
            across, up, marker, color=colour, markersize=2.8, markeredgewidth=0, alpha=0.5, label="_runs",
            clip_on=False,
        )  # fmt: skip
    axes.fill_between(places, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.plot(
        places, middle, color=colour, marker=marker, linestyle=kind, label="_median", clip_on=False,
        markeredgecolor="white", markeredgewidth=0.4, markersize=4.5,
    )  # fmt: skip
    return axes


def panels(
    rows: int, columns: int, legend: float = 0.45, height: float = 1.85
) -> tuple[Figure, NDArray[Any]]:
    """An empty figure with panels in rows and columns, and room for a legend above; its axes."""
    figure = new_figure(TEXT_WIDTH, legend + height * rows + 0.25)
    return figure, figure.subplots(rows, columns, sharey=True, squeeze=False)


def percent_axis(axes: Axes) -> None:
    axes.set_ylim(-3, 103)
    axes.set_yticks(range(0, 101, 25))


def add_legend(figure: Figure, arranged: Arrangement, further: Mapping[str, Line2D] | None = None) -> None:
    """What the lines are, above all panels, and what else there is to tell apart."""
    marks = {
        arranged.label(line): Line2D([], [], color=colour, marker=marker, linestyle=kind)
        for line, (colour, marker, kind) in arranged.looks().items()
        if arranged.line is not None
    } | dict(further or {})
    if marks:
        figure.legend(
            list(marks.values()), list(marks), loc="outside upper center", ncols=_columns(list(marks)),
            columnspacing=1.4, handlelength=2.6,
        )  # fmt: skip


def length_axis(axes: Axes, longest: int, panels: int) -> None:
    """Lengths of words along a logarithmic axis, with fewer ticks where panels are narrow."""
    axes.set_xscale("log")
    known = [tick for tick in ticks(longest) if panels < 3 or str(tick).rstrip("0") == "1"]
    axes.set_xticks(known, [str(tick) for tick in known])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel("length of words, symbols" if panels < 4 else "length, symbols")


def _columns(labels: Sequence[str]) -> int:
    """As many labels beside each other as a line has room for."""
    if sum(len(label) + 8 for label in labels) <= _LINE:
        return len(labels)
    return max(1, min(len(labels), _LINE // (max(map(len, labels)) + 8)))


def curves_figure(
    arranged: Arrangement,
    sets: Sequence[str],
    series_of: Callable[[Any, Any, str], Series],
    label: str,
    *,
    dots: bool = True,
) -> Figure:
    """A row of panels for every value of the arrangement's rows, a column for every set.

    `series_of` gives the runs of a line in a row on a set.
    """
    figure, grid = panels(len(arranged.rows), len(sets))
    for at, row in enumerate(arranged.rows):
        for place, name in enumerate(sets):
            axes = grid[at, place]
            found = {line: series_of(row, line, name) for line in arranged.lines}
            scale = Scale.of(x for series in found.values() for x in series)
            for line, series in found.items():
                if series:
                    draw_quantiles(axes, series, scale, arranged.looks()[line], dots=dots)
            if not scale.values:
                axes.text(0.5, 0.5, "no runs", transform=axes.transAxes, ha="center", color="#767676")
            scale.set_on(axes, label if at == len(arranged.rows) - 1 else "")
            axes.set_title(arranged.title(row, f"{name} set"))
            percent_axis(axes)
        grid[at, 0].set_ylabel("accuracy, %")
    add_legend(figure, arranged)
    return figure
