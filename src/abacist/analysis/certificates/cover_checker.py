"""The checker of covers: all that it shares with the search is the arithmetic of intervals, read by NumPy.

The argument is an induction over the symbols of a word. *Start*: before the first symbol the states are
zero, and that lies in a box of the start's configuration. *Step*: for every box, and every symbol that the
language allows in its configuration and that does not lead too deep, whatever a program makes of a state
of the box lies in some box of the configuration that is reached. *Predictions*: whatever it then predicts
is right.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra.rounding import decision_margin
from abacist.analysis.certificates.covers import Cover
from abacist.analysis.certificates.floats import Array
from abacist.analysis.certificates.verdicts import require
from abacist.compiler.magnitudes import largest_states
from abacist.engine.reference import step_boxes
from abacist.languages import Language
from abacist.specs import Networks

Integers = NDArray[np.int64]

#: Cells are counted exactly up to here; boxes that are cut into more pieces are not looked at.
_FARTHEST, _MOST_PIECES = 2.0**50, 2**23


@dataclass(frozen=True, eq=False)
class _Moves:
    """Where configurations lead to on a symbol, (configuration,), −1 for nowhere; and what is right there.

    `right` is (configuration, output) and `counted` (configuration,).
    """

    reached: Integers
    right: NDArray[np.bool_]
    counted: NDArray[np.bool_]


def check_cover(cover: Cover, language: Language[Any], networks: Networks, run: int) -> None:
    """Say no, with the reason, where a cover does not show its statement for a network."""
    largest = largest_states(networks.layout, networks.parameters[run])
    require(largest > 0, "the network's weights are out of bounds")
    _check_shapes(cover, networks, largest)
    moves = _moves(cover, language)
    boxes = _in_cells(cover)
    zero = np.zeros((1, len(cover.widths)))
    require(_covered(cover, boxes, np.zeros(1, np.int64), zero, zero), "the start is in none of its boxes")
    margin, size = decision_margin(cover.statement.precision), len(cover.widths)
    for symbol, move in enumerate(moves):
        reached = move.reached[cover.owners]
        going = reached >= 0
        reached = reached[going]
        with np.errstate(all="ignore"):  # what overflows is not inside
            lower, upper = step_boxes(networks, run, symbol, cover.lower[going], cover.upper[going])
        decided = np.where(move.right[reached], lower[:, size:] > margin, upper[:, size:] < -margin)
        sure = decided.all(axis=1) | ~move.counted[reached]
        require(bool(sure.all()), "a prediction is not sure to be right")
        lower, upper = lower[:, :size], upper[:, :size]
        require(bool(((lower > -largest) & (upper < largest)).all()), "a box grows beyond all bounds")
        require(_covered(cover, boxes, reached, lower, upper), "a box is left")


def _check_shapes(cover: Cover, networks: Networks, largest: float) -> None:
    """What the numbers must be before anything can be computed with them."""
    size, count = sum(networks.layout.state_sizes), len(cover.owners)
    require(cover.statement.length is None, "a cover is about words of any length")
    require(cover.widths.shape == (size,), "its widths are damaged")
    mantissas, exponents = np.frexp(cover.widths)
    require(
        bool((mantissas == 0.5).all() and (np.abs(exponents) < 64).all()), "its widths are no powers of two"
    )
    for name in ("lower", "upper"):
        values = getattr(cover, name)
        require(
            values.shape == (count, size) and bool((np.abs(values) < largest).all()),
            f"its {name} bounds are damaged",
        )
    require(bool((cover.lower <= cover.upper).all()), "a box is turned around")


def _moves(cover: Cover, language: Language[Any]) -> list[_Moves]:
    """What every symbol does, by walking from the start through all configurations that are not too deep."""
    numbers = {_led_to(language, word): number for number, word in enumerate(cover.words)}
    require(len(numbers) == len(cover.words), "a configuration comes twice")
    require(numbers.get(language.start) == 0, "the start is not its first configuration")
    symbols, count = range(len(language.alphabet)), len(numbers)
    reached = np.full((len(symbols), count), -1, np.int64)
    right, counted = np.zeros((count, language.outputs), np.bool_), np.zeros(count, np.bool_)
    waiting, met = deque([language.start]), {language.start}
    while waiting:
        state = waiting.popleft()
        right[numbers[state], list(language.next_symbols(state))] = True
        following = [language.step(state, symbol) for symbol in symbols]
        ends = [language.accepts(after) for after in following if after is not None]
        counted[numbers[state]] = cover.statement.steps == "all" or any(ends)
        for symbol, after in enumerate(following):
            if after is not None and max(language.depths(after), default=0) <= cover.statement.depth:
                require(after in numbers, "a configuration is missing")
                reached[symbol, numbers[state]] = numbers[after]
                if after not in met:
                    met.add(after)
                    waiting.append(after)
    return [_Moves(row, right, counted) for row in reached]


def _led_to(language: Language[Any], word: tuple[int, ...]) -> Any:
    state = language.start
    for symbol in word:
        require(symbol < len(language.alphabet), "a configuration is none of the language's")
        state = language.step(state, symbol)
        require(state is not None, "a configuration is none of the language's")
    return state


def _in_cells(cover: Cover) -> dict[bytes, int]:
    """The boxes by their configuration and the cell in which they begin."""
    boxes = {key: box for box, key in enumerate(_keys(cover.owners, cover.lower, cover.widths))}
    require(len(boxes) == len(cover.owners), "two boxes begin in the same cell")
    return boxes


def _keys(owners: Integers, lower: Array, widths: Array) -> list[bytes]:
    cells = np.floor(lower / widths + 0.5)
    rows = np.ascontiguousarray(np.concatenate([owners[:, None], cells], axis=1).astype(np.int64))
    return [row.tobytes() for row in rows]


def _covered(cover: Cover, boxes: dict[bytes, int], owners: Integers, lower: Array, upper: Array) -> bool:
    """Whether all pieces of boxes of some configurations lie in boxes of the cover."""
    for number, width in enumerate(cover.widths):
        first = np.floor(lower[:, number] / width + 0.5)
        last = np.maximum(first, np.ceil(upper[:, number] / width + 0.5) - 1)
        counts = last - first + 1
        near = np.maximum(np.abs(first), np.abs(last)).max(initial=0) < _FARTHEST
        require(bool(near) and counts.sum() <= _MOST_PIECES, "its boxes are cut into too many pieces")
        counts = counts.astype(np.int64)
        rows = np.repeat(np.arange(len(lower)), counts)
        cells = first[rows] + (np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts))
        owners, lower, upper = owners[rows], lower[rows], upper[rows]
        # the first piece begins, and the last one ends, where the box does: nothing is left out
        lower[:, number] = np.where(cells == first[rows], lower[:, number], (cells - 0.5) * width)
        upper[:, number] = np.where(cells == last[rows], upper[:, number], (cells + 0.5) * width)
    found = np.array([boxes.get(key, -1) for key in _keys(owners, lower, cover.widths)], np.int64)
    inside = (cover.lower[found] <= lower) & (upper <= cover.upper[found])
    return bool((found >= 0).all() and inside.all())
