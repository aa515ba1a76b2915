"""The live configurations of an automaton with one counter, exactly.

From a height above zero a word ends up there, or comes down by one first. So the states from which a word can
end at a height follow from those one below, and all of it from the moves at zero and above.
"""

from __future__ import annotations

from abacist.languages.automaton import Configuration
from abacist.languages.counter_automaton import CounterAutomaton
from abacist.languages.regular_sets import backwards


class LiveCounter:
    """The living states of an automaton with one counter, by height."""

    def __init__(self, machine: CounterAutomaton) -> None:
        self._machine = machine
        self._falls = self._falling()
        self._high = self._ending_above()
        self._levels = [self._ending_at_zero()]

    @property
    def uniform(self) -> bool:
        """Whether above zero the height does not matter."""
        return self._level(1) == self._level(2)

    def alive(self, configuration: Configuration) -> bool:
        state, (height,) = configuration
        return state in self._level(height)

    def _level(self, height: int) -> frozenset[int]:
        """The states from which a word can end at a height."""
        while len(self._levels) <= height:
            below = self._levels[-1]
            falls = {state for state, reached in self._falls.items() if reached & below}
            self._levels.append(frozenset(self._high | falls))
        return self._levels[height]

    def _moves(self, state: int, height: int) -> list[tuple[int, int]]:
        """Where the moves at zero or above it lead, and by how much the counter moves."""
        found = []
        for symbol in range(self._machine.symbols):
            after = self._machine.move((state, (height,)), symbol)
            if after is not None:
                found.append((after[0], after[1][0] - height))
        return found

    def _falling(self) -> dict[int, set[int]]:
        """For every state above zero, those in which the counter can be one lower for the first time."""
        falls: dict[int, set[int]] = {state: set() for state in range(self._machine.states)}
        growing = True
        while growing:
            growing = False
            for state, own in falls.items():
                before = len(own)
                for target, update in self._moves(state, 1):
                    if update == -1:
                        own.add(target)
                    elif update == 0:
                        own |= falls[target]
                    else:
                        for between in tuple(falls[target]):
                            own |= falls[between]
                growing = growing or len(own) > before
        return falls

    def _ending_above(self) -> frozenset[int]:
        """The states above zero from which a word can end without coming lower."""
        sources: dict[int, list[int]] = {}
        for state in range(self._machine.states):
            for target, update in self._moves(state, 1):
                onward = {0: {target}, 1: {target} | self._falls[target]}.get(update, set())
                for there in onward:
                    sources.setdefault(there, []).append(state)
        ends = [state for state in range(self._machine.states) if self._machine.accepting((state, (1,)))]
        return backwards(ends, lambda state: sources.get(state, []))

    def _ending_at_zero(self) -> frozenset[int]:
        """The states from which a word can end if the counter is at zero."""
        sources: dict[int, list[int]] = {}
        ends = [state for state in range(self._machine.states) if self._machine.accepting((state, (0,)))]
        for state in range(self._machine.states):
            for target, update in self._moves(state, 0):
                for there in {target} if update == 0 else self._falls[target]:
                    sources.setdefault(there, []).append(state)
                if update == 1 and target in self._high:
                    ends.append(state)
        return backwards(ends, lambda state: sources.get(state, []))
