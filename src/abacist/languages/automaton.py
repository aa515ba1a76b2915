"""What counter and pushdown automata have in common: real-time, deterministic runs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

from abacist.errors import BadInput, BadMove

Node = TypeVar("Node", bound=Hashable)

#: A control state and the contents of the memory: counters, or the stack from the bottom up.
Configuration = tuple[int, tuple[int, ...]]


def count_turns(heights: Iterable[int]) -> int:
    """How often a path of heights changes direction; level stretches do not count.

    >>> count_turns([0, 1, 2, 2, 1, 0]), count_turns([0, 1, 0, 1, 0])
    (1, 3)
    """
    rising = [after > before for before, after in pairwise(heights) if after != before]
    return sum(before != after for before, after in pairwise(rising))


def backwards(ends: Iterable[Node], moves: Iterable[tuple[Node, Node]]) -> frozenset[Node]:
    """All from which moves, each from one to another, lead to some ends."""
    sources: dict[Node, list[Node]] = {}
    for source, target in moves:
        sources.setdefault(target, []).append(source)
    waiting = list(ends)
    alive = set(waiting)
    while waiting:
        for source in sources.get(waiting.pop(), ()):
            if source not in alive:
                alive.add(source)
                waiting.append(source)
    return frozenset(alive)


@dataclass(frozen=True)
class Computation:
    """The configurations of an automaton on a word, the first before any symbol.

    A run that stops because no move fits has no configuration after the symbol it stopped at.
    """

    configurations: tuple[Configuration, ...]
    accepted: bool


class Automaton(ABC):
    """A deterministic automaton that reads one symbol per step and makes no ε-moves."""

    #: The size of the input alphabet, and the number of states.
    symbols: int
    states: int

    def _check(self, accepting: Iterable[int], moves: Iterable[Any]) -> None:
        """Refuse states and symbols that it does not have."""
        name = type(self).__name__
        for state in accepting:
            if not 0 <= state < self.states:
                raise BadInput(f"{name}: accepting states must be below {self.states}, got {state}")
        for move in moves:
            if not (0 <= move.source < self.states and 0 <= move.target < self.states):
                raise BadMove(name, f"states must be below {self.states}", move)
            if not 0 <= move.symbol < self.symbols:
                raise BadMove(name, f"symbols must be below {self.symbols}", move)

    def _second(self, move: object) -> BadMove:
        """What is raised if a move is for the same situation as one before it."""
        return BadMove(type(self).__name__, "moves must be deterministic, one for each situation", move)

    @property
    @abstractmethod
    def kind(self) -> str:
        """The name of its class in short, such as DFA."""

    @property
    @abstractmethod
    def initial(self) -> Configuration: ...

    @abstractmethod
    def move(self, configuration: Configuration, symbol: int) -> Configuration | None: ...

    @abstractmethod
    def accepting(self, configuration: Configuration) -> bool: ...

    @abstractmethod
    def heights(self, configuration: Configuration) -> tuple[int, ...]:
        """The height of every counter or stack."""

    def run(self, word: Sequence[int]) -> Computation:
        """Read a word until it ends or no move fits."""
        configurations = [self.initial]
        for symbol in word:
            successor = self.move(configurations[-1], symbol)
            if successor is None:
                return Computation(tuple(configurations), False)
            configurations.append(successor)
        return Computation(tuple(configurations), self.accepting(configurations[-1]))

    def accepts(self, word: Sequence[int]) -> bool:
        return self.run(word).accepted

    def next_symbols(self, configuration: Configuration) -> frozenset[int]:
        """The symbols for which there is a move."""
        return frozenset(s for s in range(self.symbols) if self.move(configuration, s) is not None)

    def turns(self, word: Sequence[int]) -> tuple[int, ...]:
        """How often each counter or stack changes direction while reading a word."""
        heights = [self.heights(c) for c in self.run(word).configurations]
        return tuple(count_turns(path) for path in zip(*heights, strict=True))
