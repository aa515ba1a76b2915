"""The live states of a finite automaton."""

from __future__ import annotations

from functools import cached_property

from abacist.languages.automaton import Configuration
from abacist.languages.derivations import Derivations
from abacist.languages.finite_automaton import FiniteAutomaton
from abacist.languages.live_machine import LiveMachine, Situation, linear_derivations, longest_linear
from abacist.languages.regular_sets import smallest


class LiveStates(LiveMachine[Configuration]):
    """The smallest automaton that accepts the same words; there every state is alive."""

    def __init__(self, machine: FiniteAutomaton) -> None:
        self._machine = smallest(machine)

    @property
    def start(self) -> Configuration | None:
        return self._machine.initial if self._machine.accepting_states else None

    def step(self, state: Configuration, symbol: int) -> Configuration | None:
        return self._machine.move(state, symbol)

    def accepts(self, state: Configuration) -> bool:
        return self._machine.accepting(state)

    def depths(self, state: Configuration) -> tuple[int, ...]:
        return ()

    def situations(self) -> tuple[Situation, ...]:
        found = []
        for state in range(self._machine.states):
            possible = self._machine.next_symbols((state, ()))
            found.append(Situation(self.accepts((state, ())), possible, possible))
        return tuple(found)

    def tidied(self) -> FiniteAutomaton:
        return self._machine

    def automaton(self) -> FiniteAutomaton:
        return self._machine

    @cached_property
    def longest(self) -> int:
        return longest_linear(self._machine.initial, self._machine.symbols, self.step)

    def derivations(self, longest: int) -> Derivations:
        symbols = self._machine.symbols
        return linear_derivations(self._machine.initial, symbols, self.step, self.accepts, longest)
