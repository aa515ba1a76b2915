"""The live configurations of a counter automaton.

With two counters or more it is undecidable in general whether a word can end. Here regions settle it for most
machines that people write, one counter is settled exactly, and the rest by a bounded search, or not at
all: then the machine is refused in a sentence.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product

from abacist.errors import BadInput
from abacist.languages.automaton import Configuration, backwards
from abacist.languages.counter_automaton import RESET, CounterAutomaton, CounterMove
from abacist.languages.counter_regions import CounterRegions
from abacist.languages.live_machine import LiveConfigurations, Situation
from abacist.limits import MACHINE_STEPS, Budget

#: How many configurations are looked at before the search is given up, and how far regions then tell numbers.
_SEARCHED, _CAP = 20_000, 4


class LiveCounters(LiveConfigurations):
    """A counter automaton, and what is known of its configurations: by region, or one by one."""

    def __init__(self, machine: CounterAutomaton) -> None:
        super().__init__(machine)
        self._machine = machine
        self._regions = CounterRegions(machine)
        self._searched: dict[Configuration, bool] = {}
        alive = self._regions.alive()
        self._settled = dict.fromkeys(alive, True) | dict.fromkeys(self._regions.dead, False)
        self._single = LiveCounter(machine) if machine.counters == 1 else None
        if self._single is not None and self._single.uniform:  # exact: nothing is left open
            self._settled = {region: self._single.alive(region) for region in self._regions.met}

    def alive(self, configuration: Configuration) -> bool:
        settled = self._settled.get(self._regions.of(configuration))
        if settled is not None:
            return settled
        if self._single is not None:
            return self._single.alive(configuration)
        if configuration not in self._searched:
            self._searched[configuration] = self._search(configuration)
        return self._searched[configuration]

    def _search(self, configuration: Configuration) -> bool:
        """Look for an accepting configuration, one by one; none in finer regions means none at all."""
        met, waiting = {configuration}, [configuration]
        for here in waiting:  # grows meanwhile
            if self._machine.accepting(here) or self._settled.get(self._regions.of(here)):
                return True
            for symbol in range(self._machine.symbols):
                after = self._machine.move(here, symbol)
                if after is None or after in met or self._settled.get(self._regions.of(after)) is False:
                    continue
                met.add(after)
                waiting.append(after)
            if len(met) > _SEARCHED:
                finer = CounterRegions(self._machine, _CAP, configuration)
                if len(finer.dead) == len(finer.met):
                    return False
                state, counters = configuration
                raise BadInput(
                    f"CounterAutomaton: whether a word can end after state {state} with counters "
                    f"{', '.join(map(str, counters))} could not be told within {_SEARCHED:,} configurations"
                )
        return False

    @cached_property
    def by_region(self) -> dict[Configuration, bool] | None:
        """Whether a word can end by state and pattern of zeros, as 0 and 1; None if more matters."""
        if len(self._settled) < len(self._regions.met):
            return None
        return self._settled

    def situations(self) -> tuple[Situation, ...] | None:
        if self.by_region is None:
            return None
        found = []
        for region, alive in self.by_region.items():
            if alive:
                outcomes = {
                    move.symbol: [self._settled[after] for after in self._regions.after(region, move)]
                    for move in self._regions.moves(region)
                }
                certain = frozenset(symbol for symbol, lives in outcomes.items() if all(lives))
                possible = frozenset(symbol for symbol, lives in outcomes.items() if any(lives))
                found.append(Situation(self._machine.accepting(region), certain, possible))
        return tuple(found)

    def tidied(self) -> CounterAutomaton:
        machine = self._machine
        living = [region for region in self._regions.met if self._settled.get(region, True)]
        numbers: dict[int, int] = {}
        for state, _ in living:
            numbers.setdefault(state, len(numbers))
        used = {(m.source, m.symbol, m.tests): m for region in living for m in self._regions.moves(region)}
        moves = [
            CounterMove(numbers[m.source], m.symbol, m.tests, numbers[m.target], m.updates)
            for m in used.values()
            if m.target in numbers
        ]
        endings = {(numbers[state], tests) for state, tests in machine.endings if state in numbers}
        zero = "0" * machine.counters
        return CounterAutomaton(
            machine.symbols,
            max(1, len(numbers)),
            machine.counters,
            tuple(sorted(moves, key=lambda m: (m.source, m.symbol, m.tests))),
            frozenset(state for state, tests in endings if tests == zero),
            tuple(sorted(ending for ending in endings if ending[1] != zero)),
        )

    def automaton(self) -> CounterAutomaton | None:
        if self.by_region is None:
            return None
        kept: dict[CounterMove, list[tuple[int, ...]]] = {}
        dropped = False
        for region, alive in self.by_region.items():
            for move in self._regions.moves(region) if alive else ():
                lives = {self._settled[after] for after in self._regions.after(region, move)}
                if len(lives) > 1:
                    return None
                kept.setdefault(move, []).extend([region[1]] if True in lives else [])
                dropped = dropped or False in lives
        if not dropped:
            return self._machine
        moves = tuple(
            CounterMove(move.source, move.symbol, tests, move.target, move.updates)
            for move, zeros in kept.items()
            for tests in _tests(move, zeros)
        )
        machine = self._machine
        return CounterAutomaton(
            machine.symbols,
            machine.states,
            machine.counters,
            moves,
            machine.accepting_states,
            machine.acceptance,
        )


def _tests(move: CounterMove, zeros: list[tuple[int, ...]]) -> list[str]:
    """The tests of a move for some of the patterns of zeros that pass it."""
    every = set(product(*("01" if test == "*" else "0" if test == "0" else "1" for test in move.tests)))
    wanted = {"".join("0+"[value] for value in pattern) for pattern in zeros}
    return [move.tests] if len(wanted) == len(every) else sorted(wanted)


class LiveCounter:
    """The living states of an automaton with one counter, by height, exactly.

    From a height above zero a word ends up there, or comes down by one first. So the states from which a word
    can end at a height follow from those one below, and all of it from the moves at zero and above.
    """

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
