"""What the units of many networks do, a network in every row and a mark for every unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from abacist.analysis import StateUnits
from abacist.report.figures.house_style import TEXT_WIDTH, new_figure, style

#: What belongs to a verdict: colour and marker.
_COUNTS, _FOLLOWS, _NEITHER = ("#0072B2", "o"), ("#D55E00", "s"), ("#767676", "D")

#: How far apart the marks of one place stand, if there is room, and the least that their figures need.
_APART, _LEAST = 0.44, 0.3

#: How wide the column of units that do neither is, which may be all of a network's.
_WIDE = 2.0


def draw_unit_verdicts(axes: Axes, states: Mapping[str, StateUnits], counters: Sequence[str]) -> Axes:
    """A row for every network, a column for every counter, one for the length and one for neither.

    A mark is a unit, with its number; it stands where it belongs, with its highest absolute correlation
    below it if there is room. A counter that no unit counts is shaded.
    """
    follows = float(len(counters))
    neither, end = follows + 0.5 + _WIDE / 2, follows + 0.5 + _WIDE
    for row, state in enumerate(states.values()):
        places: dict[float, list[int]] = {}
        for unit, verdict in enumerate(state.verdicts()):
            column = follows if verdict.follows_length else neither
            places.setdefault(column if verdict.counter is None else verdict.counter, []).append(unit)
        for column, units in places.items():
            look = {follows: _FOLLOWS, neither: _NEITHER}.get(column, _COUNTS)
            room = _WIDE if column == neither else 1
            apart = min(_APART, 0.9 * room / len(units))
            for place, unit in enumerate(units):
                x = column + apart * (place - (len(units) - 1) / 2)
                highest = _highest(state, unit) if apart >= _LEAST else ""
                _mark(axes, x, row, str(unit + 1), highest, look)
        for counter in range(len(counters)):
            if counter not in places:
                shade = Rectangle((counter - 0.5, row - 0.5), 1, 1, color="#e6e6e6", linewidth=0, zorder=0)
                axes.add_patch(shade)
    axes.set_xticks([*range(len(counters)), follows, neither], [*counters, "length", "neither"])
    axes.set_yticks(range(len(states)), list(states))
    axes.set_xlim(-0.5, end)
    axes.set_ylim(len(states) - 0.5, -0.5)
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    axes.grid(visible=False)
    axes.hlines([row + 0.5 for row in range(len(states) - 1)], -0.5, end, "#dddddd", linewidth=0.5)
    axes.vlines([follows - 0.5, follows + 0.5], -0.5, len(states) - 0.5, "#767676", linewidth=0.7)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return axes


def _mark(axes: Axes, x: float, row: int, number: str, highest: str, look: tuple[str, str]) -> None:
    colour, marker = look
    axes.plot([x], [row - 0.12], marker, color=colour, markersize=9.5, label=f"_unit {number}")
    axes.text(x, row - 0.11, number, color="white", ha="center", va="center", fontsize=6.5)
    axes.text(x, row + 0.34, highest, color=colour, ha="center", va="center", fontsize=6)


def _highest(state: StateUnits, unit: int) -> str:
    """The highest absolute correlation of a unit, with a counter or with the length."""
    return f"{max(np.abs(state.matching.correlations[unit]).max(), abs(state.with_length[unit])):.3f}"


@style()
def unit_verdicts_figure(states: Mapping[str, StateUnits], counters: Sequence[str]) -> Figure:
    """The verdicts on all units of some networks, by their names."""
    figure = new_figure(TEXT_WIDTH, 0.4 + 0.36 * len(states))
    draw_unit_verdicts(figure.subplots(), states, counters)
    return figure
