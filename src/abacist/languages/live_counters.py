"""The live configurations of a counter automaton.

With two counters or more it is undecidable in general whether a word can end. Here regions settle it for most
machines that people write, one counter is settled exactly, and the rest by a bounded search, or not at
all: then the machine is refused in a sentence.

Regions gather configurations into finitely many. In a region a counter is exactly 0, 1, …, or at least a cap.
What holds of regions holds of all their configurations: where no accepting region can be reached no word can
end, and where something is sure to fall with every move until a word ends, one can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import permutations, product
from typing import Any

from abacist.errors import BadInput
from abacist.languages.automaton import Configuration, backwards
from abacist.languages.counter_automaton import RESET, CounterAutomaton, CounterMove
from abacist.languages.live_machine import LiveConfigurations, Situation, renumbered
from abacist.languages.live_stack import Saturated
from abacist.languages.pushdown_automaton import EMPTY_STACK, PushdownAutomaton, StackMove
from abacist.limits import MACHINE_STEPS, Budget

#: How many configurations are looked at before the search is given up, and how far regions then tell numbers.
_SEARCHED, _CAP = 20_000, 4

#: Machines with more regions would take minutes; and permutations of so many counters are tried.
_MOST_REGIONS, _PERMUTED = 100_000, 4


#: A region, and those that one of its moves may lead to.
_Choice = tuple[Configuration, list[Configuration]]


class CounterRegions:
    """What can be said of the configurations of a counter automaton by their regions alone.

    `met` has all regions that words reach, in the order they are met; `dead` those from which no word can
    end, `alive` those from all of whose configurations some word can. Others are not settled.
    """

    def __init__(self, machine: CounterAutomaton, cap: int = 1, start: Configuration | None = None) -> None:
        self.machine, self._cap = machine, cap
        self._budget = Budget("CounterAutomaton", MACHINE_STEPS)
        self._moves: dict[int, list[CounterMove]] = {}
        for move in sorted(machine.moves, key=lambda move: move.symbol):
            self._moves.setdefault(move.source, []).append(move)
        waiting = [self.of(machine.initial if start is None else start)]
        met, steps = set(waiting), list[tuple[Configuration, Configuration]]()
        for region in waiting:  # grows meanwhile
            for move in self.moves(region):
                self._budget.spend(1 + machine.counters // 4)
                for after in self.after(region, move):
                    steps.append((region, after))
                    if after not in met:
                        met.add(after)
                        waiting.append(after)
            if len(met) > _MOST_REGIONS:
                raise BadInput(
                    f"CounterAutomaton: {machine.counters} counters and {machine.states:,} states are too "
                    "many to tell which beginnings some word has"
                )
        self.met = tuple(waiting)
        living = backwards([region for region in waiting if machine.accepting(region)], steps)
        self.dead = frozenset(region for region in waiting if region not in living)

    def of(self, configuration: Configuration) -> Configuration:
        """The region of a configuration."""
        state, counters = configuration
        return state, tuple(min(value, self._cap) for value in counters)

    def moves(self, region: Configuration) -> Iterator[CounterMove]:
        """The moves that its configurations have: tests for zero are the same in all of a region."""
        for move in self._moves.get(region[0], ()):
            if move.fits(region[1]):
                yield move

    def after(self, region: Configuration, move: CounterMove) -> list[Configuration]:
        """The regions that a move may lead to."""
        choices: list[tuple[int, ...]] = []
        for value, update in zip(region[1], move.updates, strict=True):
            lowered = (value - 1, value) if value == self._cap else (value - 1,)
            moved = (min(max(value + update, 0), self._cap),)
            choices.append(lowered if update == -1 else moved)
        return [(move.target, counters) for counters in product(*choices)]

    def alive(self) -> frozenset[Configuration]:
        """The regions from all of whose configurations a word can end, as far as that is shown.

        The counters, weighed by powers of two in some order, fall with every move, or stay while a word gets
        nearer to its end in the regions; so it ends.
        """
        counters, good = self.machine.counters, {r for r in self.met if self.machine.accepting(r)}
        weights = [2**place for place in range(counters)]
        orders = permutations(weights) if counters <= _PERMUTED else iter((weights, weights[::-1]))
        tried = [tuple(order) for order in orders]
        before = -1
        while len(good) > before:
            before = len(good)
            for order in tried:
                good = self._falling(good, order)
            good = self._led_to(good)
        return frozenset(good)

    def _falling(self, good: set[Configuration], weights: tuple[int, ...]) -> set[Configuration]:
        """The largest set of regions in which some move always leads on, and the weighed sum never grows."""
        trusted = set(self.met) - self.dead
        while True:
            near = self._attracted(good, self._not_growing(trusted - good, trusted, weights))
            if near == trusted:
                return near
            trusted = near

    def _not_growing(
        self, regions: set[Configuration], trusted: set[Configuration], weights: tuple[int, ...]
    ) -> Iterator[_Choice]:
        """The moves by which the weighed sum stays, and those by which it falls to what is trusted."""
        for region in regions:
            for move in self.moves(region):
                falls, after = _falls(weights, region, move), self.after(region, move)
                if falls == 0:
                    yield region, after
                elif falls < 0 and trusted.issuperset(after):
                    yield region, []

    def _led_to(self, good: set[Configuration]) -> set[Configuration]:
        """All regions with a move that is sure to lead to a good one, perhaps after some more such moves."""
        others = set(self.met) - self.dead - good
        return self._attracted(
            good, ((region, self.after(region, move)) for region in others for move in self.moves(region))
        )

    def _attracted(self, good: set[Configuration], choices: Iterable[_Choice]) -> set[Configuration]:
        """The good regions, and all with a choice that leads to such ones alone, whichever it leads to."""
        near, open_ends, waiting = set(good), dict[Configuration, list[tuple[Configuration, set[Any]]]](), []
        for region, after in choices:
            self._budget.spend(1 + len(after))
            left = set(after) - near
            if not left:
                waiting.append(region)
            for end in left:
                open_ends.setdefault(end, []).append((region, left))
        for region in waiting:  # grows meanwhile
            if region not in near:
                near.add(region)
                for source, left in open_ends.get(region, ()):
                    left.discard(region)
                    if not left:
                        waiting.append(source)
        return near


def _falls(weights: tuple[int, ...], region: Configuration, move: CounterMove) -> int:
    """How much a move adds to the weighed counters of a region at most; one that is reset falls."""
    return sum(
        weight * (max(update, -1) if value else max(update, 0))
        for weight, value, update in zip(weights, region[1], move.updates, strict=True)
    )


class LiveCounters(LiveConfigurations[CounterAutomaton]):
    """A counter automaton, and what is known of its configurations: by region, or one by one."""

    def __init__(self, machine: CounterAutomaton) -> None:
        super().__init__(machine)
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
            if self.machine.accepting(here) or self._settled.get(self._regions.of(here)):
                return True
            for symbol in range(self.machine.symbols):
                after = self.machine.move(here, symbol)
                if after is None or after in met or self._settled.get(self._regions.of(after)) is False:
                    continue
                met.add(after)
                waiting.append(after)
            if len(met) > _SEARCHED:
                finer = CounterRegions(self.machine, _CAP, configuration)
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
        return self._settled if len(self._settled) == len(self._regions.met) else None

    def _outcomes(self) -> Iterator[tuple[Configuration, list[tuple[CounterMove, list[bool]]]]]:
        """The living regions, their moves, and whether a word can end in each region that these lead to."""
        for region in (region for region, alive in self._settled.items() if alive):
            moves = ((move, self._regions.after(region, move)) for move in self._regions.moves(region))
            yield region, [(move, [self._settled[one] for one in after]) for move, after in moves]

    def situations(self) -> tuple[Situation, ...] | None:
        if self.by_region is None:
            return None
        situations = []
        for region, outcomes in self._outcomes():
            certain = frozenset(move.symbol for move, lives in outcomes if all(lives))
            possible = frozenset(move.symbol for move, lives in outcomes if any(lives))
            situations.append(Situation(self.machine.accepting(region), certain, possible))
        return tuple(situations)

    def tidied(self) -> CounterAutomaton:
        machine = self.machine
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
        for region, outcomes in self._outcomes():
            for move, lives in outcomes:
                if any(lives) and not all(lives):
                    return None
                kept.setdefault(move, []).extend([region[1]] if all(lives) else [])
                dropped = dropped or not all(lives)
        if not dropped:
            return self.machine
        moves = tuple(
            replace(move, tests=tests) for move, zeros in kept.items() for tests in _tests(move, zeros)
        )
        return replace(self.machine, moves=moves)


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
