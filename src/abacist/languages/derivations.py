"""How words come about and end, symbol by symbol: what exact counts and exact draws rest on.

A goal is something to be derived, such as the rest of a word from a state. It is reached by one of its
actions: a symbol, and then nothing, one further goal, or two, one after the other. A word has one derivation,
so derivations are counted where words are meant.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from abacist.languages.language import Language

S = TypeVar("S", bound=Hashable)

#: What stands for no further goal.
NOTHING = -1

#: Tables with more rows than this would take gigabytes and minutes.
MOST_ROWS = 1 << 19
LONGEST = 10_000

#: Steps from configuration to configuration that it may take to find all of these: some seconds.
_MOST_STEPS = 1 << 20


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
                    found = sum(self._by(action, length - 1, counts) for action in actions)
                    counts[goal].append(found)
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


def linear_derivations(
    start: S, symbols: int, step: Callable[[S, int], S | None], accepts: Callable[[S], bool], longest: int
) -> Derivations:
    """Derivations whose goals are configurations: a symbol leads from one to the next."""
    numbers, layer, since = {start: 0}, [start], [0]
    actions: list[tuple[Action, ...]] = []
    for length in range(longest + 1):
        upcoming: list[S] = []
        for state in layer:
            own = []
            for symbol in range(symbols) if length < longest else ():
                after = step(state, symbol)
                if after is None:
                    continue
                if after not in numbers:
                    numbers[after] = len(numbers)
                    since.append(length + 1)
                    upcoming.append(after)
                own.append(Action(symbol, numbers[after], NOTHING))
            actions.append(tuple(own))
        layer = upcoming
    return Derivations(tuple(actions), tuple(map(accepts, numbers)), tuple(since), longest)


def longest_linear(start: S, symbols: int, step: Callable[[S, int], S | None]) -> int:
    """The length up to which such derivations have tables of at most `MOST_ROWS` rows.

    A configuration that is first met after t symbols of n has n − t + 1 rows.
    """
    met, layer, rows, steps = {start}, [start], 1, 0
    for length in range(1, LONGEST + 1):
        upcoming = []
        steps += len(layer) * symbols
        if steps > _MOST_STEPS:
            return length - 1
        for state in layer:
            for symbol in range(symbols):
                after = step(state, symbol)
                if after is not None and after not in met:
                    met.add(after)
                    upcoming.append(after)
        layer = upcoming
        rows += len(met)
        if rows > MOST_ROWS:
            return length - 1
    return LONGEST


def endings(language: Language[Any], state: Any, longest: int, cache: dict[Any, list[int]]) -> list[int]:
    """See `Language.endings`: the words after a state are those after its successors, one symbol longer."""
    asked = [(state, longest)]
    while asked:
        here, left = asked[-1]
        steps = (language.step(here, symbol) for symbol in range(len(language.alphabet)))
        after = [successor for successor in steps if successor is not None]
        missing = [(own, left - 1) for own in after if len(cache.get(own, ())) < left]
        if len(cache.get(here, ())) > left:
            asked.pop()
        elif missing:
            asked += missing
        else:
            later = [cache[own] for own in after] if left else []
            sums = (sum(own[n] for own in later) for n in range(left))
            cache[here] = [int(language.accepts(here)), *sums]
    return cache[state]


def can_end(language: Language[Any], state: Any, remaining: int, cache: dict[Any, bool]) -> bool:
    """See `Language.can_end`: a word ends then where one ends a symbol earlier after some successor."""
    asked = [(state, remaining)]
    while asked:
        here, left = asked[-1]
        if (here, left) in cache:
            asked.pop()
        elif left == 0:
            cache[here, 0] = language.accepts(here)
        elif left < language.least_ending(here):
            cache[here, left] = False
        else:
            steps = (language.step(here, symbol) for symbol in range(len(language.alphabet)))
            later = [(successor, left - 1) for successor in steps if successor is not None]
            unknown = next((pair for pair in later if pair not in cache), None)
            if unknown is None or any(cache.get(pair) for pair in later):
                cache[here, left] = any(cache.get(pair) for pair in later)
            else:
                asked.append(unknown)
    return cache[state, remaining]
