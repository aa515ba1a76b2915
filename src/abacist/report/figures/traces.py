"""A trace as a figure: the depths of a string, and below them what a network makes of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from abacist.analysis import TraceReading
from abacist.report.figures.house_style import COLOURS, DASHED, MARKERS, TEXT_WIDTH, new_figure, style
from abacist.report.figures.states import draw_values, legend_beside
from abacist.report.figures.word_axis import show_word
from abacist.wording import escape_controls


def draw_depth_path(axes: Axes, reading: TraceReading) -> Axes:
    """A dashed line for every counter, up to where the string leaves its language."""
    inside = reading.inside
    steps, every = np.arange(1, inside + 1), max(1, len(reading) // 12)
    for counter, pair in enumerate(reading.language.counter_names):
        look = counter % len(COLOURS)
        axes.plot(
            steps, reading.depths[:inside, counter], linestyle=DASHED, color=COLOURS[look], linewidth=1.1,
            marker=MARKERS[look], markevery=(look * every // len(COLOURS), every), label=pair,
        )  # fmt: skip
    axes.set_ylim(bottom=-0.2, top=max(1, int(reading.depths.max(initial=0))) + 0.3)
    axes.yaxis.set_major_locator(MaxNLocator(3, integer=True))
    axes.set_ylabel("depth")
    return show_word(axes, reading.glyphs, reading.wrong)


def mark_outside(axes: Axes, reading: TraceReading) -> Axes:
    """Shade what comes after a string has left its language."""
    if reading.inside < len(reading):
        axes.axvspan(reading.inside + 0.5, len(reading) + 0.8, color="#767676", alpha=0.18, linewidth=0)
    return axes


@style()
def trace_figure(reading: TraceReading, names: Sequence[str], title: str = "") -> Figure:
    """The depths, and below them a row of axes for every value; below all, where the language is left.

    A language without counters has no depths.
    """
    counters = bool(reading.language.counter_names)
    figure = new_figure(TEXT_WIDTH, (1.3 if counters else 0.4) + 1.55 * len(names))
    ratios = (*([0.7] if counters else []), *(1 for _ in names))
    grid = figure.subplots(len(ratios), 1, height_ratios=ratios, squeeze=False)[:, 0]
    if counters:
        draw_depth_path(grid[0], reading)
    for axes, name in zip(grid[counters:], names, strict=True):
        draw_values(axes, reading, name)
    for axes in grid:
        legend_beside(mark_outside(axes, reading))
        if axes is not grid[-1]:
            axes.tick_params(labelbottom=False)
            axes.set_xlabel("")
    if title:
        figure.suptitle(escape_controls(title), x=0.01, ha="left", fontsize=9.5, parse_math=False)
    if reading.left_at is not None:
        shaded = "; shaded from there on" if reading.inside < len(reading) else ""
        text = f"{reading.membership()}{shaded}"
        figure.supxlabel(
            escape_controls(text), x=0.01, ha="left", fontsize=8, color="#555555", parse_math=False
        )
    return figure
