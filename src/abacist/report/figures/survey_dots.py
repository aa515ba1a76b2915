"""A survey as a figure: a row for every cell, a panel for every language, lengths of wrong words along it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap, LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from abacist.report.figures.house_style import TEXT_WIDTH, new_figure, style, title_of
from abacist.report.survey_table import quantile

#: From white through the palest blue that shows on white to the darkest: accuracy on the long set.
_ACCURACY: Colormap = LinearSegmentedColormap.from_list(
    "accuracy", ["#ffffff", "#9ecae1", "#0072B2", "#00334f"]
)

#: Thin and thick lines: the shares of the networks that lie within them.
_SPANS = ((0.05, 0.95, 0.7), (0.25, 0.75, 2.2))


@dataclass(frozen=True)
class Reached:
    """Lengths of the wrong words of a cell's networks in order, infinite for none; the median accuracy."""

    lengths: Sequence[float]
    accuracy: float


@dataclass(frozen=True)
class Panel:
    """A language: how long the words were that networks were trained on, and how far was looked at most."""

    trained_on: int
    looked: int
    cells: Mapping[str, Reached]


def draw_panel(axes: Axes, panel: Panel, cells: Sequence[str]) -> Axes:
    """For every cell the span of its wrong words, and their median, as dark as it is accurate."""
    never = 3.0 * panel.looked  # where networks without a wrong word stand
    axes.axvspan(1, panel.trained_on, color="#eeeeee", linewidth=0, zorder=0)
    for place, cell in enumerate(cells):
        own = panel.cells.get(cell)
        if own is None:
            continue
        at = {share: _placed(quantile(own.lengths, share), never) for share in (0.05, 0.25, 0.5, 0.75, 0.95)}
        for low, high, width in _SPANS:
            axes.plot([at[low], at[high]], [place, place], color="#555555", linewidth=width, label="_span")
        axes.plot(
            [at[0.5]], [place], "o", markersize=5, markerfacecolor=_ACCURACY(own.accuracy / 100),
            markeredgecolor="black", markeredgewidth=0.6, clip_on=False, label=f"_{cell}",
        )  # fmt: skip
    axes.set_xscale("log")
    axes.set_xlim(1, 1.3 * never)
    numbers = [10**power for power in range(1 + int(np.log10(panel.looked / 2)))]
    axes.set_xticks([*numbers, never], [*map(str, numbers), "∞"])
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_ylim(len(cells) - 0.4, -0.6)
    axes.set_yticks(range(len(cells)), cells)
    axes.tick_params(axis="y", length=0)
    return axes


def _placed(length: float, never: float) -> float:
    return max(length, 1.0) if isfinite(length) else never


@style()
def survey_figure(panels: Mapping[str, Panel]) -> Figure:
    """All panels side by side."""
    cells = list(dict.fromkeys(cell for panel in panels.values() for cell in panel.cells))
    figure = new_figure(TEXT_WIDTH, 1.0 + 0.18 * len(cells))
    grid = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axes, (language, panel) in zip(grid, panels.items(), strict=True):
        draw_panel(axes, panel, cells).set_title(title_of(language))
    figure.supxlabel("length of the shortest word found that a network gets wrong, symbols", fontsize=8.5)
    scale = ScalarMappable(Normalize(0, 100), _ACCURACY)
    bar = figure.colorbar(scale, ax=list(grid), location="top", fraction=0.02, aspect=60, pad=0.01)
    bar.set_label("median accuracy on the long set, %")
    return figure
