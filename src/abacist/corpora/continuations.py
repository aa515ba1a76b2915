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
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora.choices import Weight
from abacist.errors import BadWord
from abacist.languages import Language

Series = NDArray[np.float64]


class Continuations(ABC):
    """The words of a window, weighed by how likely they are."""

    @abstractmethod
    def weights(self, word: Sequence[int]) -> Iterator[Sequence[Decimal] | Sequence[float]]:
        """What the words weigh that go on with each symbol, and the word that ends here, (symbol + 1,).

        First at the beginning, then after every symbol of a word, which must weigh something.
        """

    def probabilities(self, word: Sequence[int]) -> NDArray[np.float64]:
        """How likely each symbol is to come next, and the end, after every symbol of a word.

        The result is (time, symbol + 1), as the outputs of networks are: before the first symbol nothing is
        predicted. Refuses what no word of the window begins with.
        """
        rows, steps = [], self.weights(word)
        weights = next(steps)
        for place, symbol in enumerate(word):
            if not weights[symbol] > 0:
                raise BadWord(f"symbol {place + 1} leaves the words of the source and its lengths")
            weights = next(steps)
            whole: Any = sum(weights)
            rows.append([float(weight / whole) for weight in weights])
        return np.array(rows).reshape(len(rows), len(weights))


class Counted(Continuations):
    """Words all of which are equally likely that have the same length: by counting them.

    `lengths` says what the words of each length weigh together.
    """

    def __init__(self, language: Language[Any], lengths: Mapping[int, Weight]) -> None:
        self._language, self._longest = language, max(lengths)
        self._each = {n: Decimal(weight) / language.count(n) for n, weight in lengths.items()}
        self._cache: dict[Any, list[int]] = {}
        self._sums: dict[tuple[int, int], tuple[list[int], Decimal]] = {}

    def weights(self, word: Sequence[int]) -> Iterator[list[Decimal]]:
        state = self._language.start
        for time in range(len(word) + 1):
            if time:
                state = self._language.step(state, word[time - 1])
            weights = [Decimal(0)] * (len(self._language.alphabet) + 1)
            for symbol, after in self._language.successors(state):
                weights[symbol] = self._weight(after, time + 1)
            if self._language.accepts(state):
                weights[-1] = self._each.get(time, Decimal(0))
            yield weights

    def _weight(self, state: Any, time: int) -> Decimal:
        """What all words weigh that go on from a state after so many symbols."""
        if time > self._longest:
            return Decimal(0)
        endings = self._language.endings(state, self._longest - time, self._cache)
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
        size = len(inside)
        block = p * np.concatenate(([0.0], inside))[:size]
        powers = [np.eye(1, size)[0]]  # (p·y·P(y))ʲ for every j up to the number of pairs
        for _ in range(size - 1):
            powers.append(np.convolve(powers[-1], block)[:size])

        @cache
        def opened(blocks: int) -> Series:
            """G for a level that has so many blocks so far."""
            terms = [forest(blocks + j) * power for j, power in enumerate(powers)]
            return np.asarray(np.sum(terms, axis=0))

        self.forest, self.opened = forest, opened


class Derived(Continuations):
    """Words of brackets by a grammar, from the first of `lengths` to the second; `level` gives each depth."""

    def __init__(self, pairs: int, p: float, lengths: tuple[int, int], level: Callable[[int], Level]) -> None:
        self._pairs, self._p, self._level = pairs, p / pairs, level
        self._low, self._high = (lengths[0] + 1) // 2, lengths[1] // 2

    def weights(self, word: Sequence[int]) -> Iterator[list[float]]:
        """Of every open level it keeps which pair opened it, and its blocks so far.

        With them come the product of G over the levels around, each with the block that is still open,
        divided by its largest number, and what it was divided by since the level before.
        """
        pairs, levels = 0, list[Any]([[-1, 0, np.eye(1, self._high + 1)[0], 1.0]])
        for time in range(len(word) + 1):
            pair, closes = divmod(word[time - 1], 2) if time else (-1, 0)
            if closes:
                levels.pop()
                levels[-1][1] += 1
            elif time:
                _, blocks, outside, _ = levels[-1]
                pairs += 1
                levels.append([pair, 0, *self._opened(outside, len(levels) - 1, blocks)])
            pair, blocks, outside, factor = levels[-1]
            depth, weights = len(levels) - 1, [0.0] * (2 * self._pairs + 1)
            if pairs < self._high:
                product, largest = self._opened(outside, depth, blocks)
                further = self._weight(pairs + 1, product, depth + 1, 0)
                weights[:-1:2] = [self._p * largest * further] * self._pairs
            done = self._level(depth).forest(blocks)
            if depth:
                _, before, around, _ = levels[-2]
                weights[2 * pair + 1] = done * self._weight(pairs, around, depth - 1, before + 1) / factor
            elif self._low <= pairs <= self._high:
                weights[-1] = done
            yield weights

    def _opened(self, outside: Series, depth: int, blocks: int) -> tuple[Series, float]:
        """The product over the levels around a further level, divided by its largest number, and that."""
        product = np.convolve(outside, self._level(depth).opened(blocks + 1))[: self._high + 1]
        largest = float(product.max())
        return product / largest, largest

    def _weight(self, pairs: int, outside: Series, depth: int, blocks: int) -> float:
        """What all words weigh that go on so."""
        first, last = max(self._low - pairs, 0), self._high - pairs
        if last < 0:
            return 0.0
        series = self._level(depth).opened(blocks)[: last + 1]
        return float(np.convolve(outside[: last + 1], series)[first : last + 1].sum())
