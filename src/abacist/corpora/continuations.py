"""The true probabilities of what comes next: by all words of a window that go on with it, exactly.

After a beginning of a word, a symbol is as likely as the words that go on with it are together, among all
that begin so; the end of the word is one more thing that may come. These are the probabilities of the
source. Words that are drawn without repetition follow them only where there are many more words than are
drawn: a short word comes once at most, however likely it is.

In words of a grammar of brackets, a word of k blocks (w₁) … (w_k) weighs what `forest_weight` says of an S
with k blocks, times p and the weight of the inside for every block. So of a beginning all that matters is how
many blocks each open level has: such a level will have j more, whose insides have any lengths. With one unit
of y for every pair of brackets, and P(y) for the lengths of an inside, a level that has b blocks so far
becomes

    G_b(y) = Σⱼ forest(b + j)·(p·y·P(y))ʲ,

and all words that go on from a beginning are the product of these over its levels.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from abacist.corpora.choices import Weight
from abacist.errors import BadWord
from abacist.languages import Language

S = TypeVar("S")
Series = NDArray[np.float64]


class Continuations(ABC, Generic[S]):
    """The words of a window, weighed by how likely they are. A state is what matters of a beginning."""

    @abstractmethod
    def start(self) -> S: ...

    @abstractmethod
    def step(self, state: S, symbol: int) -> S:
        """The state after a symbol, which must weigh something."""

    @abstractmethod
    def weights(self, state: S) -> Sequence[Decimal] | Sequence[float]:
        """What the words weigh that go on with each symbol, and the word that ends here; (symbol + 1,)."""

    def probabilities(self, word: Sequence[int]) -> NDArray[np.float64]:
        """How likely each symbol is to come next, and the end, after every symbol of a word.

        The result is (time, symbol + 1), as the outputs of networks are: before the first symbol nothing is
        predicted. Refuses what no word of the window begins with.
        """
        state, rows = self.start(), []
        weights = self.weights(state)
        for place, symbol in enumerate(word):
            if not weights[symbol] > 0:
                raise BadWord(f"symbol {place + 1} leaves the words of the source and its lengths")
            state = self.step(state, symbol)
            weights = self.weights(state)
            whole: Any = sum(weights)
            rows.append([float(weight / whole) for weight in weights])
        return np.array(rows).reshape(len(rows), len(weights))


class Counted(Continuations[tuple[Any, int]]):
    """Words all of which are equally likely that have the same length: by counting them.

    `lengths` says what the words of each length weigh together. A state is that of the language and how many
    symbols have come.
    """

    def __init__(self, language: Language[Any], lengths: Mapping[int, Weight]) -> None:
        self._language, self._longest = language, max(lengths)
        self._each = {n: Decimal(weight) / language.count(n) for n, weight in lengths.items()}
        self._known: dict[Any, list[int]] = {}
        self._sums: dict[tuple[int, int], tuple[list[int], Decimal]] = {}

    def start(self) -> tuple[Any, int]:
        return self._language.start, 0

    def step(self, state: tuple[Any, int], symbol: int) -> tuple[Any, int]:
        return self._language.step(state[0], symbol), state[1] + 1

    def weights(self, state: tuple[Any, int]) -> list[Decimal]:
        own, time = state
        weights = [Decimal(0)] * (len(self._language.alphabet) + 1)
        for symbol, after in self._language.successors(own):
            weights[symbol] = self._weight(after, time + 1)
        if self._language.accepts(own):
            weights[-1] = self._each.get(time, Decimal(0))
        return weights

    def _weight(self, own: Any, time: int) -> Decimal:
        """What all words weigh that go on from a state after so many symbols."""
        if time > self._longest:
            return Decimal(0)
        endings = self._language.endings(own, self._longest - time, self._known)
        key = id(endings), time  # states with the same list share the sum, and the list is kept beside it
        if key not in self._sums:
            terms = (each * endings[n - time] for n, each in self._each.items() if n >= time)
            self._sums[key] = endings, sum(terms, Decimal(0))
        return self._sums[key][1]


class Level:
    """One depth of nesting: what an S weighs by its blocks, and how long the inside of a block is.

    `inside[m]` is the probability of m pairs there, as many as words may have.
    """

    def __init__(self, p: float, forest: Callable[[int], float], inside: Sequence[float]) -> None:
        self._p, self._inside = p, np.array(inside)
        self.forest = forest
        self._open: dict[int, Series] = {}

    @cached_property
    def _blocks(self) -> list[Series]:
        """(p·y·P(y))ʲ for every j up to the number of pairs."""
        size = len(self._inside)
        block = self._p * np.concatenate(([0.0], self._inside))[:size]
        powers = [np.eye(1, size)[0]]
        for _ in range(size - 1):
            powers.append(np.convolve(powers[-1], block)[:size])
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
    """Words of brackets by a grammar, from the first of `lengths` to the second; `level` gives each depth."""

    def __init__(self, pairs: int, p: float, lengths: tuple[int, int], level: Callable[[int], Level]) -> None:
        self._pairs, self._p, self._level = pairs, p / pairs, level
        self._low, self._high = (lengths[0] + 1) // 2, lengths[1] // 2

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
