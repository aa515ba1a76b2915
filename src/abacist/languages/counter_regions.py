"""Regions of a counter automaton: its configurations, gathered into finitely many.

In a region a counter is exactly 0, 1, …, or at least a cap. What holds of regions holds of all their
configurations: where no accepting region can be reached no word can end, and where something is sure to fall
with every move until a word ends, one can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations, product
from typing import Any

from abacist.errors import BadInput
from abacist.languages.automaton import Configuration, backwards
from abacist.languages.counter_automaton import CounterAutomaton, CounterMove
from abacist.limits import MACHINE_STEPS, Budget

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
        self._machine, self._cap = machine, cap
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
        counters, good = self._machine.counters, {r for r in self.met if self._machine.accepting(r)}
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
        found, open_ends, waiting = set(good), dict[Configuration, list[tuple[Configuration, set[Any]]]](), []
        for region, after in choices:
            self._budget.spend(1 + len(after))
            left = set(after) - found
            if not left:
                waiting.append(region)
            for end in left:
                open_ends.setdefault(end, []).append((region, left))
        for region in waiting:  # grows meanwhile
            if region not in found:
                found.add(region)
                for source, left in open_ends.get(region, ()):
                    left.discard(region)
                    if not left:
                        waiting.append(source)
        return found


def _falls(weights: tuple[int, ...], region: Configuration, move: CounterMove) -> int:
    """How much a move adds to the weighed counters of a region at most; one that is reset falls."""
    return sum(
        weight * (max(update, -1) if value else max(update, 0))
        for weight, value, update in zip(weights, region[1], move.updates, strict=True)
    )
