"""The live configurations of a counter automaton.

With two counters or more it is undecidable in general whether a word can end. Here regions settle it for most
machines that people write, one counter is settled exactly, and the rest by a bounded search, or not at
all: then the machine is refused in a sentence.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product

from abacist.errors import BadInput
from abacist.languages.automaton import Configuration
from abacist.languages.counter_automaton import CounterAutomaton, CounterMove
from abacist.languages.counter_regions import CounterRegions
from abacist.languages.derivations import Derivations
from abacist.languages.live_counter import LiveCounter
from abacist.languages.live_machine import LiveMachine, Situation, linear_derivations, longest_linear

#: How many configurations are looked at before the search is given up, and how far regions then tell numbers.
_SEARCHED, _CAP = 20_000, 4


class LiveCounters(LiveMachine[Configuration]):
    """A counter automaton, and what is known of its configurations: by region, or one by one."""

    def __init__(self, machine: CounterAutomaton) -> None:
        self._machine = machine
        self._regions = CounterRegions(machine)
        self._known: dict[Configuration, bool] = {}
        alive = self._regions.alive()
        self._settled = dict.fromkeys(alive, True) | dict.fromkeys(self._regions.dead, False)
        self._single = LiveCounter(machine) if machine.counters == 1 else None
        if self._single is not None and self._single.uniform:  # exact: nothing is left open
            self._settled = {region: self._single.alive(region) for region in self._regions.met}

    def alive(self, configuration: Configuration) -> bool:
        """Whether some word can end after a configuration that is reached."""
        settled = self._settled.get(self._regions.of(configuration))
        if settled is not None:
            return settled
        if self._single is not None:
            return self._single.alive(configuration)
        if configuration not in self._known:
            self._known[configuration] = self._searched(configuration)
        return self._known[configuration]

    def _searched(self, configuration: Configuration) -> bool:
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
    def start(self) -> Configuration | None:
        return self._machine.initial if self.alive(self._machine.initial) else None

    def step(self, state: Configuration, symbol: int) -> Configuration | None:
        after = self._machine.move(state, symbol)
        return after if after is not None and self.alive(after) else None

    def accepts(self, state: Configuration) -> bool:
        return self._machine.accepting(state)

    def depths(self, state: Configuration) -> tuple[int, ...]:
        return state[1]

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

    @cached_property
    def longest(self) -> int:
        return longest_linear(self._machine.initial, self._machine.symbols, self.step)

    def derivations(self, longest: int) -> Derivations:
        symbols = self._machine.symbols
        return linear_derivations(self._machine.initial, symbols, self.step, self.accepts, longest)


def _tests(move: CounterMove, zeros: list[tuple[int, ...]]) -> list[str]:
    """The tests of a move for some of the patterns of zeros that pass it."""
    every = set(product(*("01" if test == "*" else "0" if test == "0" else "1" for test in move.tests)))
    wanted = {"".join("0+"[value] for value in pattern) for pattern in zeros}
    return [move.tests] if len(wanted) == len(every) else sorted(wanted)
