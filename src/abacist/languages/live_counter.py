"""The live configurations of an automaton with one counter, exactly.

From a height above zero a word ends up there, or comes down by one first. So the states from which a word can
end at a height follow from those one below, and all of it from the moves at zero and above.
"""

from __future__ import annotations

from abacist.languages.automaton import Configuration
from abacist.languages.counter_automaton import RESET, CounterAutomaton, CounterMove
from abacist.languages.regular_sets import backwards
from abacist.limits import MACHINE_STEPS, Budget


class LiveCounter:
    """The living states of an automaton with one counter, by height."""

    def __init__(self, machine: CounterAutomaton) -> None:
        self._machine = machine
        self._by_source: dict[int, list[CounterMove]] = {}
        for move in machine.moves:
            self._by_source.setdefault(move.source, []).append(move)
        self._falls, self._resets = self._falling()
        self._high = self._ending_above()
        self._levels = [self._ending_at_zero()]
        reset = {state for state, reached in self._resets.items() if reached & self._levels[0]}
        self._high = frozenset(self._high | reset)

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
        return [
            (move.target, max(move.updates[0], 0) if height == 0 else move.updates[0])
            for move in self._by_source.get(state, ())
            if move.fits((height,))
        ]

    def _falling(self) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
        """For every state above zero, those in which the counter can be one lower for the first time.

        And those in which it can be zero because it was reset, without having been lower before.
        """
        falls: dict[int, set[int]] = {state: set() for state in range(self._machine.states)}
        resets: dict[int, set[int]] = {state: set() for state in range(self._machine.states)}
        budget, order, before = Budget("CounterAutomaton", MACHINE_STEPS), list(falls), -1
        while (size := sum(map(len, (*falls.values(), *resets.values())))) > before:
            before = size
            order.reverse()  # what lies along the numbers of states is then found in two rounds
            for state in order:
                budget.spend(1)
                for target, update in self._moves(state, 1):
                    if update in (-1, RESET):
                        (falls if update == -1 else resets)[state].add(target)
                        continue
                    for between in {target} if update == 0 else falls[target].copy():
                        budget.spend(1 + len(falls[between]) // 16)
                        falls[state] |= falls[between]
                        resets[state] |= resets[between]
                    resets[state] |= resets[target]
        return falls, resets

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
                back = {target} if update == 0 else self._falls[target] | self._resets[target]
                for there in back:
                    sources.setdefault(there, []).append(state)
                if update == 1 and target in self._high:
                    ends.append(state)
        return backwards(ends, lambda state: sources.get(state, []))
