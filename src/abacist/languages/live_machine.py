"""A machine without its dead ends: what every kind of automaton gives a language."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, TypeVar

from abacist.languages.automaton import Automaton, Configuration
from abacist.languages.counter_automaton import CounterMove
from abacist.languages.derivations import LONGEST, MOST_ROWS, Action, Derivations
from abacist.languages.finite_automaton import FiniteAutomaton, smallest
from abacist.languages.pushdown_automaton import StackMove

Move = TypeVar("Move", CounterMove, StackMove)
Machine = TypeVar("Machine", bound=Automaton)

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


def renumbered(states: Iterable[int], moves: Iterable[Move]) -> tuple[dict[int, int], list[Move]]:
    """New numbers of states, in the order they are met, and the moves that stay among these."""
    numbers = {state: number for number, state in enumerate(dict.fromkeys(states))}
    return numbers, [
        replace(move, source=numbers[move.source], target=numbers[move.target])
        for move in dict.fromkeys(moves)
        if move.target in numbers
    ]


class LiveConfigurations(ABC, Generic[Machine]):
    """The live configurations of an automaton: those that are reached, and from which some word ends.

    Those of a deterministic machine that no word can end from are dead, and `step` never leads to one.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    @abstractmethod
    def alive(self, configuration: Configuration) -> bool:
        """Whether some word can end after a configuration that is reached."""

    @cached_property
    def start(self) -> Configuration | None:
        """The first configuration, or None if even that is dead: then there is no word."""
        return self.machine.initial if self.alive(self.machine.initial) else None

    def step(self, state: Configuration, symbol: int) -> Configuration | None:
        after = self.machine.move(state, symbol)
        return after if after is not None and self.alive(after) else None

    def accepts(self, state: Configuration) -> bool:
        return self.machine.accepting(state)

    def depths(self, state: Configuration) -> tuple[int, ...]:
        return self.machine.heights(state)

    def _successors(self, state: Configuration) -> Iterator[tuple[int, Configuration]]:
        for symbol in range(self.machine.symbols):
            after = self.step(state, symbol)
            if after is not None:
                yield symbol, after

    @cached_property
    def longest(self) -> int:
        """The length up to which words are counted and drawn by tables of at most `MOST_ROWS` rows.

        A configuration that is first met after t symbols of n has n − t + 1 rows.
        """
        layer, rows, steps = [self.machine.initial], 1, 0
        met = set(layer)
        for length in range(1, LONGEST + 1):
            steps += len(layer) * self.machine.symbols
            if steps > _MOST_STEPS:
                return length - 1
            after = (after for state in layer for _, after in self._successors(state))
            layer = [state for state in dict.fromkeys(after) if state not in met]
            met.update(layer)
            rows += len(met)
            if rows > MOST_ROWS:
                return length - 1
        return LONGEST

    def derivations(self, longest: int) -> Derivations:
        """Derivations whose goals are configurations: a symbol leads from one to the next."""
        waiting, since, actions = [self.machine.initial], [0], list[tuple[Action, ...]]()
        numbers = {waiting[0]: 0}
        for goal, state in enumerate(waiting):  # grows meanwhile
            steps = []
            for symbol, after in self._successors(state) if since[goal] < longest else ():
                if after not in numbers:
                    numbers[after] = len(numbers)
                    since.append(since[goal] + 1)
                    waiting.append(after)
                steps.append(Action(symbol, numbers[after]))
            actions.append(tuple(steps))
        return Derivations(tuple(actions), tuple(map(self.accepts, waiting)), tuple(since), longest)

    @abstractmethod
    def situations(self) -> tuple[Situation, ...] | None:
        """All there are, or None where they are not settled by the state and what is tested."""

    def tidied(self) -> Machine:
        """The same automaton, its states numbered as they are met, without those that no word needs."""
        return self.machine

    def automaton(self) -> Machine | None:
        """An automaton with moves to live configurations alone; None if its tests are too coarse for that."""
        return self.machine


class LiveStates(LiveConfigurations[FiniteAutomaton]):
    """The smallest finite automaton that accepts the same words; there every state is alive."""

    def __init__(self, machine: FiniteAutomaton) -> None:
        super().__init__(smallest(machine))

    def alive(self, configuration: Configuration) -> bool:
        return bool(self.machine.accepting_states)

    def situations(self) -> tuple[Situation, ...]:
        configurations = [(state, ()) for state in range(self.machine.states)]
        possible = map(self.machine.next_symbols, configurations)
        return tuple(Situation(self.accepts(c), p, p) for c, p in zip(configurations, possible, strict=True))
