"""The words of corpora: how long and how deep they are."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from abacist.corpora import Corpora, Distribution
from abacist.report.figures.house_style import COLOURS, SET_LOOKS, TEXT_WIDTH, new_figure, style
from abacist.wording import plural


def draw_lengths(axes: Axes, corpora: Corpora) -> Axes:
    """The share of the words of every length, a line for each set."""
    for corpus in corpora:
        _draw(axes, corpus.lengths, corpus.split.name, plural(len(corpus), "word"))
    axes.set_xlabel("length")
    axes.set_ylabel("share of the words, %")
    return axes


def draw_depths(axes: Axes, corpora: Corpora) -> Axes:
    """The share of the words of every maximum depth, a line for each set."""
    for corpus in corpora:
        _draw(axes, corpus.maximum_depths(), corpus.split.name, plural(len(corpus), "word"))
    axes.set_xlabel("maximum depth")
    axes.set_ylabel("share of the words, %")
    return axes


def _draw(axes: Axes, data: NDArray[np.int64], name: str, size: str) -> None:
    found = Distribution.of(data)
    colour, line = SET_LOOKS.get(name, (COLOURS[3], "-"))
    shares = 100 * np.array(found.counts) / len(data)
    label = f"{name} set, {size}"
    axes.plot(found.values, shares, color=colour, linestyle=line, label=label)
    axes.set_ylim(bottom=0)


@style()
def corpora_figure(corpora: Corpora) -> Figure:
    """Lengths and maximum depths side by side."""
    figure = new_figure(TEXT_WIDTH, 2.9)
    left, right = figure.subplots(1, 2)
    draw_lengths(left, corpora)
    draw_depths(right, corpora)
    figure.legend(*left.get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return figure
