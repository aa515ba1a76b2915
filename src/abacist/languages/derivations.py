"""How words come about and end, symbol by symbol: what exact counts and exact draws rest on.

A goal is something to be derived, such as the rest of a word from a state. It is reached by one of its
actions: a symbol, and then nothing, one further goal, or two, one after the other. A word has one derivation,
so derivations are counted where words are meant.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

#: What stands for no further goal.
NOTHING = -1

#: Tables with more rows than this would take gigabytes and minutes.
MOST_ROWS = 1 << 19
LONGEST = 10_000


@dataclass(frozen=True)
class Action:
    """A symbol, and the goals after it."""

    symbol: int
    first: int = NOTHING
    second: int = NOTHING


@dataclass(frozen=True, eq=False)
class Derivations:
    """Goals up to some length of the whole word; goal 0 is the word itself.

    Goal g has `actions[g]`; where `ends[g]`, it may also be over at once; and it comes after at least
    `since[g]` symbols, so no more than `longest - since[g]` are left to it.
    """

    actions: tuple[tuple[Action, ...], ...]
    ends: tuple[bool, ...]
    since: tuple[int, ...]
    longest: int

    @cached_property
    def counts(self) -> list[list[int]]:
        """How many words of every length a goal has, (goal, length), exactly."""
        counts: list[list[int]] = [[int(ends)] for ends in self.ends]
        for length in range(1, self.longest + 1):
            for goal, actions in enumerate(self.actions):
                if length <= self.longest - self.since[goal]:
                    ways = sum(self._by(action, length - 1, counts) for action in actions)
                    counts[goal].append(ways)
        return counts

    def _by(self, action: Action, left: int, counts: list[list[int]]) -> int:
        """How many words an action begins that have some symbols left after its own."""
        if action.first == NOTHING:
            return int(left == 0)
        first = counts[action.first]
        if action.second == NOTHING:
            return first[left]
        second = counts[action.second]
        return sum(first[k] * second[left - k] for k in range(left + 1) if first[k])

    def splits(self, action: Action, left: int) -> list[tuple[int, int]]:
        """How the symbols left may be divided between two goals: what the first takes, and how many words."""
        first, second = self.counts[action.first], self.counts[action.second]
        return [(k, first[k] * second[left - k]) for k in range(left + 1) if first[k] and second[left - k]]

    def weights(self, goal: int, length: int) -> list[int]:
        """How many words of a length begin with each of a goal's actions."""
        return [self._by(action, length - 1, self.counts) for action in self.actions[goal]]
