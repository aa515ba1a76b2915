"""Memories along a word: the rows that something was written to, beside the stack that the language needs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from abacist.analysis import TraceReading
from abacist.languages import Dyck
from abacist.report.figures.house_style import TEXT_WIDTH, new_figure, style
from abacist.report.figures.word_axis import show_word

#: Rows that are drawn at most; a last row is drawn where it has such a share of the largest number.
_MOST_ROWS, _WRITTEN = 12, 0.1


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


@style()
def memories_figure(readings: Sequence[tuple[str, TraceReading, str]], title: str = "") -> Figure:
    """The open brackets of a word, and below them memories of networks: a title, a reading, a name each."""
    figure = new_figure(TEXT_WIDTH, 1.5 + 2.1 * len(readings))
    grid = figure.subplots(1 + len(readings), 1, height_ratios=(0.7, *(1 for _ in readings)), squeeze=False)
    draw_stack(grid[0, 0], readings[0][1]).set_title(title)
    for axes, (own, reading, name) in zip(grid[1:, 0], readings, strict=True):
        draw_memory(axes, reading, name).set_title(own)
    return figure
