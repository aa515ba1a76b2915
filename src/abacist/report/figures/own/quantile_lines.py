"""Quantile lines: the median of runs against a number, the middle half of them as a band, runs as dots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

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


def quartiles(values: NDArray[np.float64]) -> tuple[float, float, float]:
    """The quartiles of some runs: a quarter, half and three quarters of them lie below."""
    low, middle, high = np.quantile(values, (0.25, 0.5, 0.75))
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


def _add_legend(figure: Figure, arranged: Arrangement) -> None:
    """What the lines are, above all panels."""
    marks = {
        arranged.label(line): Line2D([], [], color=colour, marker=marker, linestyle=kind)
        for line, (colour, marker, kind) in arranged.looks().items()
        if arranged.line is not None
    }
    if marks:
        figure.legend(
            list(marks.values()), list(marks), loc="outside upper center", ncols=_columns(list(marks)),
            columnspacing=1.4, handlelength=2.6,
        )  # fmt: skip


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
    figure = new_figure(TEXT_WIDTH, 0.45 + 1.85 * len(arranged.rows) + 0.25)  # with room for a legend above
    grid = figure.subplots(len(arranged.rows), len(sets), sharey=True, squeeze=False)
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
            axes.set_ylim(-3, 103)
            axes.set_yticks(range(0, 101, 25))
        grid[at, 0].set_ylabel("accuracy, %")
    _add_legend(figure, arranged)
    return figure
