"""Accuracy by length and by depth, far past the training window."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from abacist.analysis import Curve
from abacist.report.figures.house_style import CELL_LOOKS, TEXT_WIDTH, new_figure, style, title_of
from abacist.wording import plural

#: Depths that are written at the axis.
_DEPTHS = (5, 10, 20, 50, 100, 200)


def draw_curves(axes: Axes, curves: Mapping[str, Curve], what: str, trained_to: int) -> Axes:
    """The median share of accepted words for every cell, with the span of all its networks.

    What lies in the training window, up to `trained_to`, is shaded.
    """
    axes.axvspan(0, trained_to, color="#eeeeee", linewidth=0, label="_training window", zorder=0)
    for cell, curve in curves.items():
        colour, marker, line = CELL_LOOKS[cell]
        percents = 100 * curve.shares
        axes.fill_between(
            curve.at, percents.min(axis=0), percents.max(axis=0), color=colour, alpha=0.15, linewidth=0
        )
        axes.plot(
            curve.at, np.median(percents, axis=0), color=colour, marker=marker, linestyle=line,
            label=f"{title_of(cell)}, {plural(len(percents), 'run')}", clip_on=False,
        )  # fmt: skip
    axes.set_xlim(left=0)
    axes.set_ylim(-3, 103)
    axes.set_xlabel(what)
    axes.set_ylabel("accepted words, %")
    return axes


@style()
def curves_figure(
    by_length: Mapping[str, Curve], by_depth: Mapping[str, Curve], longest: int, deepest: int
) -> Figure:
    """By length and by depth side by side; `longest` and `deepest` are those of training."""
    figure = new_figure(TEXT_WIDTH, 3.1)
    left, right = figure.subplots(1, 2, sharey=True)
    draw_curves(left, by_length, "length", longest)
    draw_curves(right, by_depth, "maximum depth", deepest)
    right.set_ylabel("")
    right.set_xscale("log")
    right.set_xlim(left=0.8 * min(curve.at.min() for curve in by_depth.values()))
    right.set_xticks(_DEPTHS, labels=[str(depth) for depth in _DEPTHS], minor=False)
    right.xaxis.set_minor_formatter(NullFormatter())
    for axes, what, most in ((left, "lengths", longest), (right, "depths", deepest)):
        axes.set_title(f"shaded: {what} of training words, to {most}", color="#555555", fontsize=7.5)
    figure.legend(*left.get_legend_handles_labels(), loc="outside upper center", ncols=3, handlelength=3)
    return figure
