"""Networks along a word: depths, states, gates, outputs and memories over the word's symbols."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from abacist.analysis import Matching, TraceReading
from abacist.languages import Dyck
from abacist.report.figures.house_style import COLOURS, DASHED, nth_look, rows_of_axes, style
from abacist.wording import escape_controls

#: What the letters of the cells' formulas stand for.
NAMES = {"h": "hidden state h", "c": "cell state c", "y": "output y", "i": "input gate i",
         "f": "forget gate f", "g": "candidate g", "o": "output gate o", "r": "reset gate r",
         "z": "update gate z", "n": "candidate n"}  # fmt: skip

#: Words up to this length show every symbol; of longer ones about so many, each with the number of its step.
EVERY_SYMBOL, _SHOWN = 100, 16

#: Rows of a memory at most; a last row is drawn where it has such a share of the largest number.
_MOST_ROWS, _WRITTEN = 12, 0.1


def shown_steps(length: int) -> list[int]:
    """The steps, from 1, whose symbols are shown: all of them, or every so many.

    The stride is odd, so that `()()()…` does not show as `((((…`.

    >>> shown_steps(3), shown_steps(120)[:3]
    ([1, 2, 3], [1, 10, 19])
    """
    stride = 1 if length <= EVERY_SYMBOL else -(-length // _SHOWN) | 1
    return list(range(1, length + 1, stride))


def show_word(axes: Axes, glyphs: Sequence[str], wrong: NDArray[np.bool_] | None = None) -> Axes:
    """Write a word along the horizontal axis, step 1 at x = 1, with an apostrophe at every wrong step.

    Where symbols are thinned out, a row of strokes at the foot marks every wrong step.
    """
    steps, length = shown_steps(len(glyphs)), len(glyphs)
    wrong = np.zeros(length, bool) if wrong is None else wrong
    labels = [glyphs[step - 1] + ("'" if wrong[step - 1] else "") for step in steps]
    if length > EVERY_SYMBOL:
        labels = [f"{label}\n{step}" for label, step in zip(labels, steps, strict=True)]
        marks = np.flatnonzero(wrong) + 1
        feet = np.full(len(marks), 0.02)
        (line,) = axes.plot(marks, feet, "|", color="#D55E00", transform=axes.get_xaxis_transform())
        line.set_label("_wrong steps")
    figure = axes.get_figure(root=True)
    assert figure is not None
    width = 72 * figure.get_size_inches()[0] * axes.get_position().width
    size = float(np.clip(1.45 * width / len(steps), 5.5, 9))  # a bracket and an apostrophe fit between ticks
    axes.set_xticks(steps, labels, fontsize=size, parse_math=False)
    if wrong.any():
        mark = "a stroke at the foot" if length > EVERY_SYMBOL else "an apostrophe"
        axes.set_xlabel(f"{mark} marks a wrong step", color="#555555", fontsize=7.5, loc="right")
    axes.tick_params(axis="x", length=2)
    axes.grid(visible=False, axis="x")
    axes.set_xlim(0.2, length + 0.8)
    return axes


def draw_values(axes: Axes, reading: TraceReading, name: str = "c") -> Axes:
    """A line for every unit, or every output, over the symbols of the word; a memory as a map of its rows."""
    if name in reading.trace.widths:
        return draw_memory(axes, reading, name)
    values, names = reading.values(name), reading.value_names(name)
    steps = np.arange(1, len(reading) + 1)
    for unit in range(values.shape[1]):
        look = nth_look(unit)
        inside, marked = "white" if unit // len(COLOURS) % 2 else look.colour, _marked(reading, unit)
        look.plot(axes, steps, values[:, unit], label=names[unit], markerfacecolor=inside, markevery=marked)
    if name == "y":
        axes.axhline(reading.trace.layout.threshold or 0.5, color="#767676", linewidth=0.8, linestyle=DASHED)
    axes.set_ylabel(NAMES.get(name, name))
    return show_word(axes, reading.glyphs, reading.wrong)


def _marked(reading: TraceReading, number: int) -> tuple[int, int]:
    """The steps at which a line has markers: the first, and every how many. Lines differ in the first."""
    every = max(1, len(reading) // 12)
    return number % len(COLOURS) * every // len(COLOURS), every


def draw_counter(
    axes: Axes, reading: TraceReading, unit: int, counter: int, name: str = "c", *, scaled: bool = False
) -> Axes:
    """The state of one unit, solid, over the depth of the pair that it is matched to, dashed.

    A `scaled` depth is stretched and shifted to be as near to the state as possible.
    """
    state, depth = reading.values(name)[:, unit], reading.depths[:, counter]
    label = f"depth of {reading.language.counter_names[counter]}"
    if scaled:
        state, depth = np.nan_to_num(np.asarray(state, float)), depth.astype(float)
        variance = depth.var()
        slope = ((depth - depth.mean()) * (state - state.mean())).mean() / variance if variance else 0.0
        depth, label = state.mean() + slope * (depth - depth.mean()), f"{label}, scaled"
    else:
        axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    steps, colour = np.arange(1, len(reading) + 1), COLOURS[counter % len(COLOURS)]
    axes.plot(steps, depth, linestyle=DASHED, color="#555555", linewidth=1.1, label=label)
    axes.plot(steps, state, color=colour, label=NAMES.get(name, name))
    return show_word(axes, reading.glyphs, reading.wrong)


def draw_depth_path(axes: Axes, reading: TraceReading) -> Axes:
    """A dashed line for every counter, up to where the string leaves its language."""
    steps = np.arange(1, reading.inside + 1)
    for counter, pair in enumerate(reading.language.counter_names):
        depths, look = reading.depths[: reading.inside, counter], nth_look(counter)._replace(line=DASHED)
        look.plot(axes, steps, depths, linewidth=1.1, markevery=_marked(reading, counter), label=pair)
    axes.set_ylim(bottom=-0.2, top=max(1, int(reading.depths.max(initial=0))) + 0.3)
    axes.yaxis.set_major_locator(MaxNLocator(3, integer=True))
    axes.set_ylabel("depth")
    return show_word(axes, reading.glyphs, reading.wrong)


def rows_of(reading: TraceReading, name: str) -> NDArray[np.float64]:
    """A memory, (time, row, number of the row), as far as some row has something in it."""
    values, width = reading.values(name), reading.trace.widths[name]
    rows = np.nan_to_num(np.asarray(values, np.float64)).reshape(len(values), -1, width)[:, :_MOST_ROWS]
    most = np.abs(rows).max(axis=(0, 2))
    used = np.flatnonzero(most > _WRITTEN * most.max())
    return rows[:, : int(used[-1]) + 1 if len(used) else 1]


def draw_memory(axes: Axes, reading: TraceReading, name: str) -> Axes:
    """The rows of a memory over the symbols of a word, the top one above, with a band for each number."""
    rows = rows_of(reading, name)
    time, count, width = rows.shape
    most = float(np.abs(rows).max()) or 1.0
    signed = rows.min() < -_WRITTEN * most
    image = axes.imshow(
        rows.reshape(time, count * width).T, aspect="auto", interpolation="nearest",
        extent=(0.5, time + 0.5, count + 0.5, 0.5), cmap="PuOr" if signed else "cividis",
        vmin=-most if signed else 0, vmax=most,
    )  # fmt: skip
    for row in range(1, count):
        axes.axhline(row + 0.5, color="white", linewidth=1.2)
    axes.set_yticks(range(1, count + 1), [str(row) for row in range(1, count + 1)])
    axes.grid(visible=False)
    axes.set_ylabel(f"rows of {name}, top first")
    figure = axes.get_figure(root=True)
    assert figure is not None
    scale = axes.inset_axes((1.01, 0, 0.015, 1), label="_scale")  # all axes of a figure stay equally wide
    figure.colorbar(image, cax=scale)
    return show_word(axes, reading.glyphs, reading.wrong)


def draw_stack(axes: Axes, reading: TraceReading) -> Axes:
    """The brackets that are open after each symbol, the last one opened above."""
    language = reading.language
    assert isinstance(language, Dyck)
    state, deepest = language.start, 1
    for time, symbol in enumerate(reading.trace.word[: reading.inside], 1):
        after = language.step(state, symbol)
        assert after is not None
        state = after
        for depth, pair in enumerate(islice(state, _MOST_ROWS), 1):
            glyph = language.alphabet.glyphs[2 * pair]
            axes.text(time, depth, glyph, ha="center", va="center", fontsize=8, parse_math=False)
        deepest = max(deepest, min(len(state), _MOST_ROWS))
    axes.set_ylim(deepest + 0.5, 0.5)
    axes.set_yticks(range(1, deepest + 1))
    axes.grid(visible=False)
    axes.set_ylabel("open brackets")
    return show_word(axes, reading.glyphs, reading.wrong)


def _arrange(figure: Figure, words: Sequence[Axes], title: str = "") -> Figure:
    """Set legends to the right of all axes, over no data, and leave the word out but below some of them."""
    for axes in figure.axes:
        if lines := len(axes.get_legend_handles_labels()[0]):
            axes.legend(
                loc="upper left", bbox_to_anchor=(1.005, 1.03), borderaxespad=0, handlelength=1.8,
                labelspacing=0.25, ncols=2 if lines > 8 else 1,
            )  # fmt: skip
        if axes not in words:
            axes.tick_params(labelbottom=False)
            axes.set_xlabel("")
    if title:
        figure.suptitle(escape_controls(title), x=0.01, ha="left", fontsize=9.5, parse_math=False)
    return figure


@style()
def values_figure(
    readings: Sequence[TraceReading], names: Sequence[str], titles: Sequence[str] = ()
) -> Figure:
    """A row of axes for every word and value: all that `draw_values` draws, one below the other."""
    rows = [(reading, name) for reading in readings for name in names]
    figure, grid = rows_of_axes(0.5 + 1.55 * len(rows), len(rows))
    for axes, (reading, name) in zip(grid, rows, strict=True):
        draw_values(axes, reading, name)
    for title, axes in zip(titles, grid[:: len(names)], strict=False):
        axes.set_title(title)
    return _arrange(figure, grid[len(names) - 1 :: len(names)])


@style()
def counters_figure(
    reading: TraceReading, matching: Matching, name: str = "c", *, title: str = "", scaled: bool = False
) -> Figure:
    """A row of axes for every counter: the unit that counts it, over its depth, `scaled` or as it is."""
    matched = [(counter, unit) for counter, unit in enumerate(matching.units) if unit is not None]
    figure, grid = rows_of_axes((0.8 if title else 0.6) + 1.15 * len(matched), len(matched))
    for axes, (counter, unit) in zip(grid, matched, strict=True):
        draw_counter(axes, reading, unit, counter, name, scaled=scaled)
        correlation = f"{matching.correlations[unit, counter]:+.3f}".replace("-", "\N{MINUS SIGN}")
        pair = reading.language.counter_names[counter]
        axes.set_title(f"unit {unit + 1} and the pair {pair}   correlation {correlation}")
    return _arrange(figure, grid[-1:], title)


@style()
def trace_figure(reading: TraceReading, names: Sequence[str], title: str = "") -> Figure:
    """The depths, and below them a row of axes for every value; below all, where the language is left.

    A language without counters has no depths.
    """
    counters = bool(reading.language.counter_names)
    ratios = (*([0.7] if counters else []), *(1 for _ in names))
    figure, grid = rows_of_axes((1.3 if counters else 0.4) + 1.55 * len(names), len(ratios), ratios)
    if counters:
        draw_depth_path(grid[0], reading)
    for axes, name in zip(grid[counters:], names, strict=True):
        draw_values(axes, reading, name)
    for axes in grid if reading.inside < len(reading) else ():
        axes.axvspan(reading.inside + 0.5, len(reading) + 0.8, color="#767676", alpha=0.18, linewidth=0)
    _arrange(figure, grid[-1:], title)
    if reading.left_at is not None:
        shaded = "; shaded from there on" if reading.inside < len(reading) else ""
        text = escape_controls(f"{reading.membership()}{shaded}")
        figure.supxlabel(text, x=0.01, ha="left", fontsize=8, color="#555555", parse_math=False)
    return figure


def memories_figure(readings: Sequence[tuple[str, TraceReading, str]], title: str = "") -> Figure:
    """The open brackets of a word, and below them memories of networks: a title, a reading, a name each."""
    ratios = (0.7, *(1 for _ in readings))
    figure, grid = rows_of_axes(1.5 + 2.1 * len(readings), len(ratios), ratios)
    draw_stack(grid[0], readings[0][1]).set_title(title)
    for axes, (heading, reading, name) in zip(grid[1:], readings, strict=True):
        draw_memory(axes, reading, name).set_title(heading)
    return figure
