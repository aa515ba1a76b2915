"""Moves: by how much units change where a counter goes up, where it goes down, and over `()`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.analysis.matching import unit_slices
from abacist.corpora import Corpus
from abacist.errors import BadInput
from abacist.fields import checked

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Moves:
    """Changes of units: their means and standard deviations, (unit, counter).

    NaN where the words have no such change of a counter.
    """

    mean: Array
    spread: Array


@dataclass(frozen=True, eq=False)
class UnitMoves:
    """How units move: `up` and `down` with each symbol that raises or lowers a counter.

    `drift` is what is left after a symbol that raises a counter and, right after it, one that lowers
    it, such as `()`: an exact counter is back where it was.
    """

    up: Moves
    down: Moves
    drift: Moves


@checked
def unit_moves(states: NDArray[Any], corpus: Corpus) -> UnitMoves:
    """The moves of states, (symbol, unit), over the words of a corpus; before a word all states are zero."""
    if states.ndim != 2 or len(states) != len(corpus.symbols):
        raise BadInput(
            f"unit_moves: states must be (symbol, unit) for {len(corpus.symbols):,} symbols, "
            f"got {states.shape}"
        )
    starts = corpus.offsets[:-1][corpus.lengths > 0]
    first = np.zeros(len(states) + 1, bool)
    first[starts] = True
    moves = corpus.moves()
    raised, lowered = moves > 0, moves < 0
    lowered_next = np.vstack((lowered[1:], np.zeros_like(lowered[:1]))) & ~first[1:, None]
    parts = []
    for own in unit_slices(states):
        after = states[:, own].astype(np.float64)
        before = np.roll(after, 1, axis=0)
        before[starts] = 0
        with np.errstate(invalid="ignore", over="ignore"):  # nothing is chosen, or a network has diverged
            parts.append(
                (
                    _over(after - before, raised),
                    _over(after - before, lowered),
                    _over(np.roll(after, -1, axis=0) - before, raised & lowered_next),
                )
            )
    return UnitMoves(*(_joined(same) for same in zip(*parts, strict=True)))


def _joined(parts: Sequence[Moves]) -> Moves:
    """The moves of units that were looked at a few at a time."""
    means, spreads = ([getattr(part, name) for part in parts] for name in ("mean", "spread"))
    return Moves(np.concatenate(means), np.concatenate(spreads))


def _over(changes: Array, steps: NDArray[np.bool_]) -> Moves:
    """Means and standard deviations of changes, (symbol, unit), over the steps, (symbol, counter), chosen."""
    chosen = steps.astype(np.float64)
    count = chosen.sum(axis=0)
    mean, squares = changes.T @ chosen / count, (changes**2).T @ chosen / count
    return Moves(mean, np.sqrt(np.maximum(squares - mean**2, 0)))
