"""A machine without its dead ends: what every kind of automaton gives a language."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from abacist.languages.automaton import Automaton, Configuration
from abacist.languages.derivations import Derivations, linear_derivations, longest_linear
from abacist.languages.finite_automaton import FiniteAutomaton, smallest


@dataclass(frozen=True)
class Situation:
    """What finitely much of a configuration tells: whether a word may end, and what may come next.

    Symbols in `possible` but not in `certain` depend on more than that.
    """

    ends: bool
    certain: frozenset[int]
    possible: frozenset[int]


class LiveConfigurations(ABC):
    """The live configurations of an automaton: those that are reached, and from which some word ends.

    Those of a deterministic machine that no word can end from are dead, and `step` never leads to one.
    """

    def __init__(self, machine: Automaton) -> None:
        self._automaton = machine

    @abstractmethod
    def alive(self, configuration: Configuration) -> bool:
        """Whether some word can end after a configuration that is reached."""

    @cached_property
    def start(self) -> Configuration | None:
        """The first configuration, or None if even that is dead: then there is no word."""
        return self._automaton.initial if self.alive(self._automaton.initial) else None

    def step(self, state: Configuration, symbol: int) -> Configuration | None:
        after = self._automaton.move(state, symbol)
        return after if after is not None and self.alive(after) else None

    def accepts(self, state: Configuration) -> bool:
        return self._automaton.accepting(state)

    def depths(self, state: Configuration) -> tuple[int, ...]:
        return self._automaton.heights(state)

    @cached_property
    def longest(self) -> int:
        """The length up to which words are counted and drawn by tables of a reasonable size."""
        return longest_linear(self._automaton.initial, self._automaton.symbols, self.step)

    def derivations(self, longest: int) -> Derivations:
        machine = self._automaton
        return linear_derivations(machine.initial, machine.symbols, self.step, self.accepts, longest)

    @abstractmethod
    def situations(self) -> tuple[Situation, ...] | None:
        """All there are, or None where they are not settled by the state and what is tested."""

    @abstractmethod
    def tidied(self) -> Any:
        """The same automaton, its states numbered as they are met, without those that no word needs."""

    @abstractmethod
    def automaton(self) -> Automaton | None:
        """An automaton with moves to live configurations alone; None if its tests are too coarse for that."""


class LiveStates(LiveConfigurations):
    """The smallest finite automaton that accepts the same words; there every state is alive."""

    def __init__(self, machine: FiniteAutomaton) -> None:
        self._machine = smallest(machine)
        super().__init__(self._machine)

    def alive(self, configuration: Configuration) -> bool:
        return bool(self._machine.accepting_states)

    def situations(self) -> tuple[Situation, ...]:
        configurations = [(state, ()) for state in range(self._machine.states)]
        possible = map(self._machine.next_symbols, configurations)
        return tuple(Situation(self.accepts(c), p, p) for c, p in zip(configurations, possible, strict=True))

    def tidied(self) -> FiniteAutomaton:
        return self._machine

    def automaton(self) -> FiniteAutomaton:
        return self._machine
