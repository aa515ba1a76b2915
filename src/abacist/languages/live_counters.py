"""The live configurations of a counter automaton.

With two counters or more it is undecidable in general whether a word can end. Here regions settle it for most
machines that people write, one counter is settled exactly, and the rest by a bounded search, or not at
all: then the machine is refused in a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import product

from abacist.errors import BadInput
from abacist.languages.automaton import Configuration
from abacist.languages.counter_automaton import RESET, CounterAutomaton, CounterMove
from abacist.languages.counter_regions import CounterRegions
from abacist.languages.live_machine import LiveConfigurations, Situation, renumbered
from abacist.languages.live_stack import Saturated
from abacist.languages.pushdown_automaton import EMPTY_STACK, PushdownAutomaton, StackMove

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
        self._single = LiveHeights(machine) if machine.counters == 1 else None
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

    def _outcomes(self, region: Configuration) -> Iterator[tuple[CounterMove, list[bool]]]:
        """The moves of a region, and for every region that they lead to, whether a word can end there."""
        for move in self._regions.moves(region):
            yield move, [self._settled[after] for after in self._regions.after(region, move)]

    def situations(self) -> tuple[Situation, ...] | None:
        if self.by_region is None:
            return None
        situations = []
        for region in (region for region, alive in self.by_region.items() if alive):
            outcomes = list(self._outcomes(region))
            certain = frozenset(move.symbol for move, lives in outcomes if all(lives))
            possible = frozenset(move.symbol for move, lives in outcomes if any(lives))
            situations.append(Situation(self._machine.accepting(region), certain, possible))
        return tuple(situations)

    def tidied(self) -> CounterAutomaton:
        machine = self._machine
        living = [region for region in self._regions.met if self._settled.get(region, True)]
        used = (move for region in living for move in self._regions.moves(region))
        numbers, moves = renumbered((state for state, _ in living), used)
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
        for region in (region for region, alive in self.by_region.items() if alive):
            for move, lives in self._outcomes(region):
                if any(lives) and not all(lives):
                    return None
                kept.setdefault(move, []).extend([region[1]] if all(lives) else [])
                dropped = dropped or not all(lives)
        if not dropped:
            return self._machine
        moves = tuple(
            replace(move, tests=tests) for move, zeros in kept.items() for tests in _tests(move, zeros)
        )
        return replace(self._machine, moves=moves)


def _tests(move: CounterMove, zeros: list[tuple[int, ...]]) -> list[str]:
    """The tests of a move for some of the patterns of zeros that pass it."""
    every = set(product(*("01" if test == "*" else "0" if test == "0" else "1" for test in move.tests)))
    wanted = {"".join("0+"[value] for value in pattern) for pattern in zeros}
    return [move.tests] if len(wanted) == len(every) else sorted(wanted)


class LiveHeights:
    """The living states of an automaton with one counter, by height, exactly.

    A counter is a stack with one symbol, so the states from which a word can end at a height are those from
    which the counter can be one lower, in a state from which a word can end there.
    """

    def __init__(self, machine: CounterAutomaton) -> None:
        self._stack = Saturated(_with_stack(machine), "CounterAutomaton")
        self._levels = [self._stack.bottom]

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
            lower = (state for (state, _), after in self._stack.pops.items() if not after.isdisjoint(below))
            self._levels.append(frozenset(lower))
        return self._levels[height]


def _with_stack(machine: CounterAutomaton) -> PushdownAutomaton:
    """An automaton with one counter as one with a stack, each of whose moves has a symbol of its own.

    Behind each state comes one that empties the stack for it, after a reset; the last one empties it where a
    word may end although the counter is not zero.
    """
    end = 2 * machine.states
    moves: list[tuple[int, int, int, bool, int | None]] = [(end, 0, end, True, None)]
    for move in machine.moves:
        (update,) = move.updates
        for top in {"0": (EMPTY_STACK,), "+": (0,), "*": (EMPTY_STACK, 0)}[move.tests]:
            target = move.target + machine.states if update == RESET and top == 0 else move.target
            moves.append((move.source, top, target, update == -1, 0 if update == 1 else None))
    for state in {move.target for move in machine.moves if RESET in move.updates}:
        emptying = state + machine.states
        moves += [(emptying, 0, emptying, True, None), (emptying, EMPTY_STACK, state, False, None)]
    moves += [(state, 0, end, True, None) for state, tests in machine.endings if tests != "0"]
    numbered = (StackMove(move[0], symbol, *move[1:]) for symbol, move in enumerate(moves))
    accepting = frozenset({end, *(state for state, tests in machine.endings if tests != "+")})
    return PushdownAutomaton(len(moves), end + 1, 1, tuple(numbered), accepting)
