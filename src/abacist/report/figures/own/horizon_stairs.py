"""Horizons of runs of one's own: a bar for every network, from the shortest to the longest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from abacist.analysis import Horizon
from abacist.experiments import Results
from abacist.report.figures.horizon_bars import ARROW, end_of
from abacist.report.figures.house_style import style
from abacist.report.figures.own.arrangement import Arrangement, Look
from abacist.report.figures.own.quantile_lines import add_legend, length_axis, panels
from abacist.report.figures.own.survival import NO_HORIZON, horizons_of, said_of_outside
from abacist.report.figures.picture import Picture
from abacist.report.figures.runs_for_figures import MissingRuns, command
from abacist.report.own_runs import OwnRuns
from abacist.wording import several

#: Bars of one line in a panel; of more networks, so many are taken that stand evenly in their order.
MOST_BARS = 25


def picked(found: Sequence[Horizon]) -> list[Horizon]:
    """Networks in the order of their horizons, thinned evenly where they are too many."""
    ordered = sorted(found, key=lambda h: (h.proved, end_of(h)))
    places = np.unique(np.linspace(0, len(ordered) - 1, min(MOST_BARS, len(ordered))).round().astype(int))
    return [ordered[place] for place in places]


def draw_stairs(axes: Axes, found: Sequence[Horizon], bottom: int, look: Look) -> int:
    """A bar for every network, from where the proof ends to a wrong word, above `bottom`; the next place."""
    colour, marker, _ = look
    for height, horizon in enumerate(picked(found), bottom):
        start, end, wrong = max(horizon.proved, 1), end_of(horizon), horizon.wrong
        axes.plot([start, end], [height, height], color=colour, linewidth=1, label="_bracket")
        axes.plot([start], [height], "|", color=colour, markersize=4, label="_proved")
        axes.plot(
            [end], [height], marker=ARROW if wrong is None else marker, color=colour, label="_wrong",
            markersize=5 if wrong is None else 3, markeredgewidth=0.4, clip_on=False,
        )  # fmt: skip
    return bottom + len(picked(found)) + 1


def horizons_picture(results: Results, own: OwnRuns) -> Picture:
    """Every network's horizon as a bar, by what varies."""
    name, known = "own-horizons", horizons_of(own.runs)
    if not known:
        raise MissingRuns(f"{name}: {NO_HORIZON}")
    arranged = Arrangement.of(own)
    return Picture(
        name,
        "The counting horizons of the networks",
        "Each bar is a network. It begins where the proof ends: on every word of at most so many symbols "
        "every prediction is right. It ends at the shortest word found that the network gets wrong, or in an "
        f"arrow where none was found up to there. {several(len(known), 'network')}; of more than {MOST_BARS} "
        f"of one kind, {MOST_BARS} are shown, evenly in the order of their horizons."
        f"{said_of_outside(own)}{arranged.said()}",
        command(results, name),
        style()(lambda: _figure(arranged)),
    )


def _figure(arranged: Arrangement) -> Figure:
    by_row: dict[Any, dict[Any, list[Horizon]]] = {
        row: {line: horizons_of(arranged.all_runs(row, line)) for line in arranged.lines}
        for row in arranged.rows
    }
    bars = max(sum(min(len(found), MOST_BARS) + 1 for found in own.values()) for own in by_row.values())
    figure, grid = panels(1, len(by_row), height=0.7 + 0.06 * max(bars, 20), legend=0.6)
    furthest = max(end_of(h) for own in by_row.values() for found in own.values() for h in found)
    for axes, (row, own) in zip(grid[0], by_row.items(), strict=True):
        place = 0
        for line, found in own.items():
            if found:
                place = draw_stairs(axes, found, place, arranged.looks()[line])
        length_axis(axes, max(furthest, 10), len(by_row))
        axes.set_xlim(0.9, 1.25 * max(furthest, 10))
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.set_title(arranged.title(row))
    grid[0, 0].set_ylabel("networks")
    marks = {"proved to": "|", "no wrong word found": ARROW}
    black = {t: Line2D([], [], color="black", marker=m, linestyle="", markersize=6) for t, m in marks.items()}
    add_legend(figure, arranged, black)
    return figure
