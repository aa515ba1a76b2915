"""The true probabilities of what comes next: by all words of a window that go on with it, exactly.

After a beginning of a word, a symbol is as likely as the words that go on with it are together, among all
that begin so; the end of the word is one more thing that may come. These are the probabilities of the
source. Words that are drawn without repetition follow them only where there are many more words than are
drawn: a short word comes once at most, however likely it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from abacist.corpora.choices import Weight
from abacist.errors import BadWord
from abacist.languages import Language

S = TypeVar("S")


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
        after = (self._language.step(own, symbol) for symbol in range(len(self._language.alphabet)))
        nothing = Decimal(0)
        ends = self._each.get(time, nothing) if self._language.accepts(own) else nothing
        return [*(nothing if there is None else self._weight(there, time + 1) for there in after), ends]

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
