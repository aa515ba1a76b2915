"""The symbols of a word along the horizontal axis, with an apostrophe at every wrong step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

#: Words up to this length show every symbol.
EVERY_SYMBOL = 100

#: About so many symbols of longer words are shown, each with the number of its step.
_SHOWN = 16


def shown_steps(length: int) -> list[int]:
    """The steps, from 1, whose symbols are shown: all of them, or every so many.

    The stride is odd, so that `()()()…` does not show as `((((…`.

    >>> shown_steps(3), shown_steps(120)[:3]
    ([1, 2, 3], [1, 10, 19])
    """
    stride = 1 if length <= EVERY_SYMBOL else -(-length // _SHOWN) | 1
    return list(range(1, length + 1, stride))


def show_word(axes: Axes, glyphs: Sequence[str], wrong: NDArray[np.bool_] | None = None) -> Axes:
    """Write a word along the horizontal axis, step 1 at x = 1.

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
    axes.set_xticks(steps, labels, fontsize=_size(axes, len(steps)), parse_math=False)
    if wrong.any():
        mark = "a stroke at the foot" if length > EVERY_SYMBOL else "an apostrophe"
        axes.set_xlabel(f"{mark} marks a wrong step", color="#555555", fontsize=7.5, loc="right")
    axes.tick_params(axis="x", length=2)
    axes.grid(visible=False, axis="x")
    axes.set_xlim(0.2, length + 0.8)
    return axes


def _size(axes: Axes, labels: int) -> float:
    """Points for the symbols, so that a bracket and an apostrophe fit between two ticks."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    width = 72 * figure.get_size_inches()[0] * axes.get_position().width
    return float(np.clip(1.45 * width / labels, 5.5, 9))
