"""Single runs as points against the paper's minimum, median and maximum."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from numpy.typing import NDArray

from abacist.experiments import PAPER_SETS, TABLE_3, Run, percents
from abacist.experiments.distributions import SetDistribution, distributions
from abacist.report.figures.house_style import CELL_LOOKS, TEXT_WIDTH, new_figure, style, title_of
from abacist.report.figures.runs_for_figures import task_of

#: Bands of a distribution: what is left out at either end, and how strongly the rest is painted.
_BANDS = {0.0: 0.10, 0.05: 0.13, 0.25: 0.22}

#: By language and cell, the runs to draw.
RunsByNetwork = Mapping[tuple[str, str], Sequence[Run]]


def draw_runs(axes: Axes, runs: RunsByNetwork, language: str, name: str) -> Axes:
    """A point for the accuracy of every run on a set, by model; the paper's figures to their left.

    Behind them is the distribution that they come from, where it is known.
    """
    cells = [cell for own, cell in runs if own == language]
    for place, cell in enumerate(cells):
        points = percents(runs[language, cell], name)
        colour, marker, _ = CELL_LOOKS[cell]
        known = distributions().of(task_of("table-3", language, cell).spec)
        if known is not None:
            _draw_distribution(axes, known.of(name), place, colour)
        across = place - 0.1 + 0.4 * _spread(len(points))
        axes.plot(
            across, points, marker, color=colour, markersize=4, markeredgewidth=0.4,
            markeredgecolor="white", label=cell, clip_on=False,
        )  # fmt: skip
        if not len(points):
            axes.text(place + 0.1, 50, "no runs", ha="center", va="center", rotation=90, color="#767676")
        if (language, cell) in TABLE_3:
            paper = TABLE_3[language, cell][name]
            x = place - 0.28
            axes.plot([x, x], [paper.minimum, paper.maximum], "-_", color="black", linewidth=1.1,
                      markersize=6, label="_paper", clip_on=False)  # fmt: skip
            axes.plot([x], [paper.median], "D", color="white", markeredgecolor="black",
                      markersize=4, label="_paper median", clip_on=False)  # fmt: skip
    axes.set_xticks(range(len(cells)), [title_of(cell) for cell in cells])
    axes.tick_params(axis="x", length=0)
    axes.grid(visible=False, axis="x")
    axes.set_xlim(-0.5, len(cells) - 0.5)
    axes.set_ylim(-3, 103)
    axes.set_yticks(range(0, 101, 25))
    return axes


def _draw_distribution(axes: Axes, known: SetDistribution, place: float, colour: str) -> None:
    """Bands that all, nine of ten and half of the runs are in, and their median."""
    across = place - 0.4, place + 0.4
    for outside, strength in _BANDS.items():
        low, high = known.quantile(outside), known.quantile(1 - outside)
        axes.fill_between(across, low, high, color=colour, alpha=strength, linewidth=0, label="_band")
    axes.plot(across, [known.quantile(0.5)] * 2, color=colour, linewidth=1.0, alpha=0.7, label="_middle")


def _spread(count: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Places from 0 to 1 beside each other, so that equal runs do not hide each other."""
    return np.linspace(0, 1, count) if count > 1 else np.full(count, 0.5)


def small_multiples(
    runs: RunsByNetwork, draw: Callable[[Axes, RunsByNetwork, str, str], Axes], legend: float
) -> tuple[Figure, NDArray[Any]]:
    """A figure with a row for every task and a column for every set, and `legend` inches above; its axes."""
    languages = list(dict.fromkeys(language for language, _ in runs))
    figure = new_figure(TEXT_WIDTH, legend + 1.75 * len(languages))
    grid = figure.subplots(len(languages), len(PAPER_SETS), sharey=True, squeeze=False)
    for row, language in enumerate(languages):
        for column, name in enumerate(PAPER_SETS):
            draw(grid[row, column], runs, language, name).set_title(f"{title_of(language)}, {name} set")
        grid[row, 0].set_ylabel("accuracy, %")
    return figure, grid


@style()
def runs_figure(runs: RunsByNetwork) -> Figure:
    """Every run as a point, by task and set."""
    figure, _ = small_multiples(runs, draw_runs, 0.7)
    paper = Line2D([], [], color="black", marker="D", markerfacecolor="white", markersize=4)
    cells = dict.fromkeys(cell for _, cell in runs)
    points = [Line2D([], [], color=CELL_LOOKS[c][0], marker=CELL_LOOKS[c][1], linestyle="") for c in cells]
    labels = ["the paper: minimum, median, maximum", *(f"our runs, {title_of(c)}" for c in cells)]
    bands = [Patch(color="#767676", alpha=strength, linewidth=0) for strength in (0.10, 0.22, 0.40)]
    said = ("10,000 runs: all", "nine in ten", "half")
    figure.legend(
        [paper, *points, *bands], [*labels, *said], loc="outside upper center", ncols=len(labels),
        columnspacing=1.2,
    )  # fmt: skip
    return figure
