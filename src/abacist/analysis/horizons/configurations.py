"""The configurations of a language: what its words can lead to, numbered, in arrays.

For Dyck-1 a configuration is a depth, for Shuffle-k a depth for every pair, for Dyck-n a stack.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.languages import Language, Word

#: What stands for no configuration.
NONE = -1


class Configurations:
    """Configurations as they are met, the start first; with a `depth`, only those that are no deeper.

    With a `height`, only those whose depths have no larger sum.

    Once `expanded`, `successors` is (symbol, configuration), `targets` (configuration, output) says
    what may come next, `endings` (configuration,) how many symbols the shortest word still needs, and
    `last` (configuration,) whether a word may have just one symbol more, which is then predicted here.
    """

    def __init__(self, language: Language[Any], depth: int | None = None, height: int | None = None) -> None:
        self.language, self.depth, self.height = language, depth, height
        self._states: list[Hashable] = []
        self._numbers: dict[Hashable, int] = {}
        self._cache: dict[Any, Any] = {}
        symbols, outputs = len(language.alphabet), language.outputs
        self.successors: NDArray[np.int64] = np.full((symbols, 64), NONE, np.int64)
        self.targets: NDArray[np.bool_] = np.zeros((64, outputs), np.bool_)
        self.endings: NDArray[np.int64] = np.zeros(64, np.int64)
        self.last: NDArray[np.bool_] = np.zeros(64, np.bool_)
        self._expanded: NDArray[np.bool_] = np.zeros(64, np.bool_)
        self._number(language.start, 0)

    def __len__(self) -> int:
        return len(self._states)

    def expand(self, numbers: NDArray[np.int64]) -> None:
        """Find out where configurations lead to."""
        for number in numbers[~self._expanded[numbers]]:
            state = self._states[number]
            for symbol in range(len(self.successors)):
                successor = self.language.step(state, symbol)
                if successor is not None and self._shallow(self.language.depths(successor)):
                    least = max(0, int(self.endings[number]) - 1)
                    self.successors[symbol, number] = self._number(successor, least)
            self._expanded[number] = True

    def _shallow(self, depths: Sequence[int]) -> bool:
        low = self.depth is None or max(depths, default=0) <= self.depth
        return low and (self.height is None or sum(depths) <= self.height)

    def following(self, number: int) -> NDArray[np.int64]:
        """Where symbols lead to from a configuration, (symbol,)."""
        self.expand(np.array([number]))
        return self.successors[:, number]

    def completed(self, beginning: Word, least: int = 0) -> Word:
        """A beginning of a word with the shortest ending that it has, of at least so many symbols, 0 or 1."""
        number = 0
        for symbol in beginning:
            number = int(self.following(number)[symbol])
        return (*beginning, *self.shortest_ending(number, least))

    def shortest_ending(self, number: int, least: int = 0) -> list[int]:
        """The symbols of a shortest way to the end of a word, of at least so many, 0 or 1."""
        word: list[int] = []
        while (needed := max(least - len(word), int(self.endings[number]))) > 0:
            following = self.following(number)
            nearer = self.endings[following] == needed - 1
            symbol = int(np.flatnonzero((following != NONE) & nearer)[0])
            word.append(symbol)
            number = int(following[symbol])
        return word

    def _number(self, state: Hashable, least: int) -> int:
        """The number of a state; a new one needs at least `least` symbols to the end of a word."""
        if state in self._numbers:
            return self._numbers[state]
        number = self._numbers[state] = len(self._states)
        self._states.append(state)
        if number == len(self.endings):
            self._grow()
        ending = least
        while not self.language.can_end(state, ending, self._cache):
            ending += 1
        self.endings[number] = ending
        self.last[number] = self.language.can_end(state, 1, self._cache)
        self.targets[number, list(self.language.next_symbols(state))] = True
        return number

    def _grow(self) -> None:
        self.successors = np.concatenate([self.successors, np.full_like(self.successors, NONE)], axis=1)
        for name in ("targets", "endings", "last", "_expanded"):
            values = getattr(self, name)
            setattr(self, name, np.concatenate([values, np.zeros_like(values)]))
