"""Accuracy as training goes on, with the paper's medians as lines."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from abacist.experiments import TABLE_3, percents
from abacist.report.figures.house_style import CELL_LOOKS, style, title_of
from abacist.report.figures.run_points import RunsByNetwork, small_multiples


def draw_epochs(axes: Axes, runs: RunsByNetwork, language: str, name: str) -> Axes:
    """The median accuracy on a set by epoch, with the span of all runs; the paper's median as a thin line."""
    ticks: set[int] = set()
    for own, cell in runs:
        if own != language:
            continue
        colour, marker, line = CELL_LOOKS[cell]
        known = sorted({epoch for run in runs[own, cell] for epoch in run.outcome.accuracy.get(name, ())})
        by_epoch = [percents(runs[own, cell], name, epoch) for epoch in known]
        if known:
            axes.fill_between(
                known, [p.min() for p in by_epoch], [p.max() for p in by_epoch],
                color=colour, alpha=0.15, linewidth=0,
            )  # fmt: skip
            axes.plot(
                known, [np.median(p) for p in by_epoch], color=colour, marker=marker, linestyle=line,
                label=cell, clip_on=False,
            )  # fmt: skip
            ticks |= set(known)
        if (language, cell) in TABLE_3:
            median = TABLE_3[language, cell][name].median
            axes.axhline(
                median, color=colour, linestyle=line, linewidth=0.8, zorder=1, label=f"_paper {cell}"
            )
    axes.set_xscale("log")
    axes.set_xticks(sorted(ticks), [str(epoch) for epoch in sorted(ticks)])
    axes.minorticks_off()
    axes.set_ylim(-3, 103)
    axes.set_yticks(range(0, 101, 25))
    return axes


@style()
def epochs_figure(runs: RunsByNetwork) -> Figure:
    """Accuracy by epoch, by task and set."""
    figure, grid = small_multiples(runs, draw_epochs, 0.8)
    for axes in grid[-1]:
        axes.set_xlabel("epochs")
    handles, labels = [], []
    for cell in dict.fromkeys(cell for _, cell in runs):
        colour, marker, line = CELL_LOOKS[cell]
        handles += [
            Line2D([], [], color=colour, marker=marker, linestyle=line),
            Line2D([], [], color=colour, linestyle=line, linewidth=0.8),
        ]
        labels += [f"{title_of(cell)}, our median and span", f"{title_of(cell)}, the paper's median"]
    figure.legend(handles, labels, loc="outside upper center", ncols=3, columnspacing=1.4, handlelength=2.6)
    return figure
