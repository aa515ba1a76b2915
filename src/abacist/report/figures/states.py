"""States, gates and outputs of a network along a word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from abacist.analysis import Matching, TraceReading
from abacist.report.figures.house_style import COLOURS, DASHED, MARKERS, ROUNDS, TEXT_WIDTH, new_figure, style
from abacist.report.figures.memory_maps import draw_memory
from abacist.report.figures.word_axis import show_word

#: What the letters of the cells' formulas stand for.
NAMES = {"h": "hidden state h", "c": "cell state c", "y": "output y", "i": "input gate i",
         "f": "forget gate f", "g": "candidate g", "o": "output gate o", "r": "reset gate r",
         "z": "update gate z", "n": "candidate n"}  # fmt: skip


def draw_values(
    axes: Axes, reading: TraceReading, name: str = "c", *, units: Sequence[int] | None = None
) -> Axes:
    """A line for every unit, or every output, over the symbols of the word; a memory as a map of its rows."""
    if name in reading.trace.widths:
        return draw_memory(axes, reading, name)
    values, names = reading.values(name), reading.value_names(name)
    steps = np.arange(1, len(reading) + 1)
    every = max(1, len(reading) // 12)
    for unit in range(values.shape[1]) if units is None else units:
        round_, look = divmod(unit, len(COLOURS))
        axes.plot(
            steps, values[:, unit], color=COLOURS[look], marker=MARKERS[look],
            linestyle=ROUNDS[round_ % len(ROUNDS)], markerfacecolor="white" if round_ % 2 else COLOURS[look],
            markevery=(look * every // len(COLOURS), every), label=names[unit],
        )  # fmt: skip
    if name == "y":
        axes.axhline(reading.trace.threshold or 0.5, color="#767676", linewidth=0.8, linestyle=DASHED)
    axes.set_ylabel(NAMES.get(name, name))
    return show_word(axes, reading.glyphs, reading.wrong)


def draw_counter(axes: Axes, reading: TraceReading, unit: int, counter: int, name: str = "c") -> Axes:
    """The state of one unit, solid, over the depth of the pair that it is matched to, dashed."""
    steps = np.arange(1, len(reading) + 1)
    pair = reading.language.counter_names[counter]
    colour = COLOURS[counter % len(COLOURS)]
    axes.plot(
        steps, reading.depths[:, counter], linestyle=DASHED, color="#555555", linewidth=1.1,
        label=f"depth of {pair}",
    )  # fmt: skip
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.plot(steps, reading.values(name)[:, unit], color=colour, label=NAMES.get(name, name))
    return show_word(axes, reading.glyphs, reading.wrong)


def legend_beside(axes: Axes) -> None:
    """A legend to the right of the axes, over no data."""
    if not (lines := len(axes.get_legend_handles_labels()[0])):
        return
    many = lines > 8
    axes.legend(
        loc="upper left", bbox_to_anchor=(1.005, 1.03), borderaxespad=0, handlelength=1.8,
        labelspacing=0.25, ncols=2 if many else 1,
    )  # fmt: skip


@style()
def values_figure(
    readings: Sequence[TraceReading], names: Sequence[str], titles: Sequence[str] = ()
) -> Figure:
    """A row of axes for every word and value: all that `draw_values` draws, one below the other."""
    rows = [(reading, name) for reading in readings for name in names]
    figure = new_figure(TEXT_WIDTH, 0.5 + 1.55 * len(rows))
    grid = figure.subplots(len(rows), 1, squeeze=False)[:, 0]
    for axes, (reading, name) in zip(grid, rows, strict=True):
        legend_beside(draw_values(axes, reading, name))
        if name != names[-1]:
            axes.tick_params(labelbottom=False)
            axes.set_xlabel("")
    for title, axes in zip(titles, grid[:: len(names)], strict=False):
        axes.set_title(title)
    return figure


@style()
def counters_figure(reading: TraceReading, matching: Matching, name: str = "c") -> Figure:
    """A row of axes for every counter: the unit that counts it, over its depth."""
    pairs = reading.language.counter_names
    matched = [(counter, unit) for counter, unit in enumerate(matching.units) if unit is not None]
    figure = new_figure(TEXT_WIDTH, 0.6 + 1.15 * len(matched))
    grid = figure.subplots(len(matched), 1, squeeze=False)[:, 0]
    for axes, (counter, unit) in zip(grid, matched, strict=True):
        draw_counter(axes, reading, unit, counter, name)
        correlation = matching.correlations[unit, counter]
        text = f"{correlation:+.3f}".replace("-", "\N{MINUS SIGN}")
        axes.set_title(f"unit {unit + 1} and the pair {pairs[counter]}   correlation {text}")
        legend_beside(axes)
        if axes is not grid[-1]:
            axes.tick_params(labelbottom=False)
            axes.set_xlabel("")
    return figure
