"""Horizons as bars: from the length that is proved to the length of a wrong word, against accuracy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullFormatter, ScalarFormatter

from abacist.analysis import Horizon
from abacist.experiments import KnownHorizon
from abacist.report.figures.house_style import CELL_LOOKS, TEXT_WIDTH, new_figure, style, title_of

#: What is known of a network: its accuracy on the long set in percent, and its horizon.
Known = tuple[float, Horizon]

#: By cell and number of units, the networks to draw.
KnownNetworks = Mapping[tuple[str, int], Sequence[Known]]

#: Where a bar ends without a wrong word; a triangle would be taken for an LSTM's mark.
ARROW = r"$\rightarrow$"

#: Networks of equal accuracy are moved apart by up to so many percent, so that none hides another.
_APART = 2.5


def draw_brackets(axes: Axes, networks: KnownNetworks) -> Axes:
    """A bar for every network: a tick where the proof ends, a mark at the wrong word, or an arrow."""
    fewest = min((units for _, units in networks), default=0)
    for (cell, units), known in networks.items():
        colour, marker, _ = CELL_LOOKS[cell]
        several_sizes = len({own for other, own in networks if other == cell}) > 1
        inside = "white" if several_sizes and units == fewest else colour
        ordered = sorted(known, key=lambda one: (one[0], one[1].proved))
        moved = _APART * np.linspace(-1, 1, len(known)) if len(known) > 1 else np.zeros(len(known))
        for (accuracy, horizon), aside in zip(ordered, moved, strict=True):
            height, start, wrong = accuracy + aside, max(horizon.proved, 1), horizon.wrong
            end = end_of(horizon)
            axes.plot([start, end], [height, height], color=colour, linewidth=1, label="_bracket")
            axes.plot([start], [height], "|", color=colour, markersize=4, label="_proved")
            axes.plot(
                [end], [height], marker=ARROW if wrong is None else marker, linestyle="", color=colour,
                markersize=6 if wrong is None else 4, markeredgewidth=0.4 if wrong is None else 0.8,
                markerfacecolor=colour if wrong is None else inside, label="_wrong", clip_on=False,
            )  # fmt: skip
    furthest = max((end_of(horizon) for known in networks.values() for _, horizon in known), default=1)
    axes.set_xscale("log")
    axes.set_xlim(1, 1.25 * max(200, furthest))
    axes.set_xticks(ticks(max(200, furthest)))
    axes.set_ylim(-4, 104)
    axes.set_yticks(range(0, 101, 25))
    axes.xaxis.set_major_formatter(ScalarFormatter())
    axes.xaxis.set_minor_formatter(NullFormatter())
    return axes


def end_of(horizon: Horizon) -> int:
    """Where a bar ends: at the wrong word, or where it was looked for in vain."""
    return max(horizon.looked, horizon.proved, 1) if horizon.wrong is None else len(horizon.wrong)


def ticks(most: int) -> list[int]:
    """1, 2, 5, 10 and so on."""
    return [n * 10**power for power in range(len(str(most))) for n in (1, 2, 5) if n * 10**power <= most]


@style()
def brackets_figure(networks: Mapping[str, KnownNetworks], long_set: tuple[int, int]) -> Figure:
    """Accuracy on the long set against the horizon's bracket, a panel for every language."""
    rows = -(-len(networks) // 2)
    figure = new_figure(TEXT_WIDTH, 0.5 + 2.3 * rows)
    grid = figure.subplots(rows, 2, sharey=True, squeeze=False)
    for axes, (language, own) in zip(grid.flat, networks.items(), strict=False):
        axes.axvspan(*long_set, color="#eeeeee", linewidth=0, zorder=0)
        draw_brackets(axes, own).set_title(title_of(language))
    for axes in grid.flat[len(networks) :]:
        axes.set_visible(False)
    for axes in grid[-1]:
        axes.set_xlabel("length of words, symbols")
    for row in grid:
        row[0].set_ylabel("accuracy on the long set, %")
    cells = dict.fromkeys(cell for own in networks.values() for cell, _ in own)
    marks = [Line2D([], [], color=CELL_LOOKS[c][0], marker=CELL_LOOKS[c][1], linewidth=1) for c in cells]
    marks += [Line2D([], [], color="black", marker=own, linestyle="", markersize=6) for own in ("|", ARROW)]
    labels = [*(f"{title_of(cell)}, wrong at" for cell in cells), "proved to", "no wrong word found"]
    figure.legend(marks, labels, loc="outside upper center", ncols=len(labels), columnspacing=1.2)
    return figure


def draw_saturation(axes: Axes, networks: Sequence[Sequence[KnownHorizon]]) -> Axes:
    """How far each network is proved, against what its gates' inputs are multiplied by.

    A mark is full where no wrong word is known, and open where one is.
    """
    colour, marker, _ = CELL_LOOKS["lstm"]
    moved = np.linspace(-0.2, 0.2, len(networks)) if len(networks) > 1 else np.zeros(len(networks))
    lengths = ticks(max([200, *(own.horizon.proved for known in networks for own in known)]))
    top = 2 * lengths[-1]  # above all lengths
    for known, aside in zip(networks, moved, strict=True):
        ordered = sorted(known, key=lambda own: own.factor)
        across = [own.factor * 2**aside for own in ordered]
        proved = [top if own.every_word else max(own.horizon.proved, 1) for own in ordered]
        axes.plot(across, proved, color=colour, linewidth=0.6, alpha=0.5, label="_network")
        for own, x, y in zip(ordered, across, proved, strict=True):
            inside = colour if own.horizon.wrong is None else "white"
            axes.plot([x], [y], marker, color=colour, markerfacecolor=inside, markersize=4, label="_proved")
    axes.set_xscale("log", base=2)
    axes.set_xticks(sorted({own.factor for known in networks for own in known}))
    axes.set_yscale("log")
    axes.set_yticks([*lengths, top], [*map(str, lengths), "every word"])
    axes.xaxis.set_major_formatter(ScalarFormatter())
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("gates' inputs multiplied by")
    return axes


@style()
def saturation_figure(networks: Mapping[str, Sequence[Sequence[KnownHorizon]]]) -> Figure:
    """How far networks are proved as their gates are sharpened, a panel for every task."""
    figure = new_figure(TEXT_WIDTH, 2.9)
    grid = figure.subplots(1, len(networks), sharey=True, squeeze=False)
    for axes, (title, own) in zip(grid[0], networks.items(), strict=True):
        draw_saturation(axes, own).set_title(title)
    grid[0, 0].set_ylabel("proved to, symbols")
    colour, marker, _ = CELL_LOOKS["lstm"]
    marks = [
        Line2D([], [], color=colour, marker=marker, linestyle="", markerfacecolor=inside)
        for inside in (colour, "white")
    ]
    labels = ["no wrong word was found", "a wrong word is known"]
    figure.legend(marks, labels, loc="outside upper center", ncols=2)
    return figure
