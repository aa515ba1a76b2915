"""A machine without its dead ends: what every kind of automaton gives a language."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from abacist.languages.automaton import Automaton, Configuration
from abacist.languages.derivations import NOTHING, Action, Derivations

S = TypeVar("S", bound=Hashable)

#: Tables with more rows than this would take gigabytes and minutes.
MOST_ROWS = 1 << 19
LONGEST = 10_000

#: Steps from configuration to configuration that it may take to find all of these: some seconds.
_MOST_STEPS = 1 << 20


@dataclass(frozen=True)
class Situation:
    """What finitely much of a configuration tells: whether a word may end, and what may come next.

    Symbols in `possible` but not in `certain` depend on more than that.
    """

    ends: bool
    certain: frozenset[int]
    possible: frozenset[int]


class LiveMachine(ABC, Generic[S]):
    """The live configurations of an automaton: those that are reached, and from which some word ends.

    Those of a deterministic machine that no word can end from are dead, and `step` never leads to one.
    """

    @property
    @abstractmethod
    def start(self) -> S | None:
        """The first configuration, or None if even that is dead: then there is no word."""

    @abstractmethod
    def step(self, state: S, symbol: int) -> S | None: ...

    @abstractmethod
    def accepts(self, state: S) -> bool: ...

    @abstractmethod
    def depths(self, state: S) -> tuple[int, ...]: ...

    @abstractmethod
    def situations(self) -> tuple[Situation, ...] | None:
        """All there are, or None where they are not settled by the state and what is tested."""

    @property
    def by_region(self) -> dict[Configuration, bool] | None:
        """Whether a word can end by state and pattern of zeros, as 0 and 1; None if more matters."""
        return None

    @abstractmethod
    def tidied(self) -> Automaton:
        """The same automaton, its states numbered as they are met, without those that no word needs."""

    @abstractmethod
    def automaton(self) -> Automaton | None:
        """An automaton with moves to live configurations alone; None if its tests are too coarse for that."""

    @property
    @abstractmethod
    def longest(self) -> int:
        """The length up to which words are counted and drawn by tables of a reasonable size."""

    @abstractmethod
    def derivations(self, longest: int) -> Derivations: ...


def linear_derivations(
    start: S, symbols: int, step: Callable[[S, int], S | None], accepts: Callable[[S], bool], longest: int
) -> Derivations:
    """Derivations whose goals are configurations: a symbol leads from one to the next."""
    numbers, layer, since = {start: 0}, [start], [0]
    actions: list[tuple[Action, ...]] = []
    for length in range(longest + 1):
        upcoming: list[S] = []
        for state in layer:
            own = []
            for symbol in range(symbols) if length < longest else ():
                after = step(state, symbol)
                if after is None:
                    continue
                if after not in numbers:
                    numbers[after] = len(numbers)
                    since.append(length + 1)
                    upcoming.append(after)
                own.append(Action(symbol, numbers[after], NOTHING))
            actions.append(tuple(own))
        layer = upcoming
    return Derivations(tuple(actions), tuple(map(accepts, numbers)), tuple(since), longest)


def longest_linear(start: S, symbols: int, step: Callable[[S, int], S | None]) -> int:
    """The length up to which such derivations have tables of at most `MOST_ROWS` rows.

    A configuration that is first met after t symbols of n has n − t + 1 rows.
    """
    met, layer, rows, steps = {start}, [start], 1, 0
    for length in range(1, LONGEST + 1):
        upcoming = []
        steps += len(layer) * symbols
        if steps > _MOST_STEPS:
            return length - 1
        for state in layer:
            for symbol in range(symbols):
                after = step(state, symbol)
                if after is not None and after not in met:
                    met.add(after)
                    upcoming.append(after)
        layer = upcoming
        rows += len(met)
        if rows > MOST_ROWS:
            return length - 1
    return LONGEST
