"""What comes next in words of a grammar of brackets: see `continuations.py`.

A word of k blocks (w₁) … (w_k) weighs what `forest_weight` says of an S with k blocks, times p and the weight
of the inside for every block. So of a beginning all that matters is how many blocks each open level
has: such a level will have j more, whose insides have any lengths. With one unit of y for every pair of
brackets, and P(y) for the lengths of an inside, a level that has b blocks so far becomes

    G_b(y) = Σⱼ forest(b + j)·(p·y·P(y))ʲ,

and all words that go on from a beginning are the product of these over its levels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from abacist.corpora.continuations import Continuations
from abacist.corpora.window import Window

Series = NDArray[np.float64]


class Level:
    """One depth of nesting: what an S weighs by its blocks, and how long the inside of a block is.

    `inside[m]` is the probability of m pairs there, up to those that there is room for.
    """

    def __init__(self, p: float, forest: Callable[[int], float], inside: Sequence[float]) -> None:
        self._p, self._inside = p, np.array(inside)
        self.forest = forest
        self._open: dict[int, Series] = {}

    @cached_property
    def _blocks(self) -> list[Series]:
        """(p·y·P(y))ʲ for every j that there is room for."""
        room = len(self._inside)
        block = self._p * np.concatenate(([0.0], self._inside))[:room]
        powers = [np.eye(1, room)[0]]
        for _ in range(room - 1):
            powers.append(np.convolve(powers[-1], block)[:room])
        return powers

    def opened(self, blocks: int) -> Series:
        """G for a level that has so many blocks so far."""
        if blocks not in self._open:
            terms = (self.forest(blocks + j) * power for j, power in enumerate(self._blocks))
            self._open[blocks] = np.sum(list(terms), axis=0)
        return self._open[blocks]


@dataclass(frozen=True, eq=False)
class Beginning:
    """What matters of a beginning: its pairs, the blocks of the innermost level, and the levels around it.

    `outside` is the product of G over the levels around, each with the block that is still open, divided by
    its largest number; `factor` is what it was divided by since the level before.
    """

    pairs: int
    blocks: int
    outside: Series
    factor: float
    around: Beginning | None
    which: int = -1

    @cached_property
    def depth(self) -> int:
        return 0 if self.around is None else 1 + self.around.depth


class Derived(Continuations[Beginning]):
    """Words of brackets by a grammar; `level` gives each depth of nesting, which may all be the same."""

    def __init__(self, pairs: int, p: float, window: Window, level: Callable[[int], Level]) -> None:
        self._pairs, self._p, self._level = pairs, p / pairs, level
        self._low, self._high = (window.low + 1) // 2, window.high // 2

    def start(self) -> Beginning:
        return Beginning(0, 0, np.eye(1, self._high + 1)[0], 1.0, None)

    def step(self, state: Beginning, symbol: int) -> Beginning:
        pair, closes = divmod(symbol, 2)
        return self._closed(state) if closes else self._opened(state, pair)

    def _opened(self, state: Beginning, pair: int) -> Beginning:
        own = self._level(state.depth).opened(state.blocks + 1)
        product = np.convolve(state.outside, own)[: self._high + 1]
        largest = float(product.max())
        return Beginning(state.pairs + 1, 0, product / largest, largest, state, pair)

    def _closed(self, state: Beginning) -> Beginning:
        before = state.around
        assert before is not None
        return Beginning(
            state.pairs, before.blocks + 1, before.outside, before.factor, before.around, before.which
        )

    def _weight(self, state: Beginning) -> float:
        """What all words weigh that go on from a beginning."""
        first, last = max(self._low - state.pairs, 0), self._high - state.pairs
        if last < 0:
            return 0.0
        own = self._level(state.depth).opened(state.blocks)[: last + 1]
        return float(np.convolve(state.outside[: last + 1], own)[first : last + 1].sum())

    def weights(self, state: Beginning) -> list[float]:
        found = [0.0] * (2 * self._pairs + 1)
        if state.pairs < self._high:
            further = self._opened(state, 0)
            found[:-1:2] = [self._p * further.factor * self._weight(further)] * self._pairs
        done = self._level(state.depth).forest(state.blocks)
        if state.around is not None:
            found[2 * state.which + 1] = done * self._weight(self._closed(state)) / state.factor
        elif self._low <= state.pairs <= self._high:
            found[-1] = done
        return found
