"""Whether two counter automata recognise the same language, decided by exploring both at once.

Automata whose counters move alike are followed side by side: a pair of control states and which counters
are zero. If in every pair that is reached both allow the same symbols, add the same and accept alike, then no
word tells them apart, whatever the counters' values: that is a bisimulation. Otherwise a word that does is
looked for among the short ones.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from abacist.fields import checked
from abacist.languages import Configuration, CounterAutomaton, Word

#: How many pairs of configurations are tried in the search for a word.
_MOST = 4_000


@dataclass(frozen=True)
class Comparison:
    """Whether two automata are equal, None where that was not decided; a word that tells them apart; why."""

    equal: bool | None
    word: Word | None
    reason: str


@checked
def compare(first: CounterAutomaton, second: CounterAutomaton) -> Comparison:
    """Compare two automata over the same symbols."""
    if (first.symbols, first.counters) == (second.symbols, second.counters):
        pairs = _lockstep(first, second)
        if pairs is not None:
            return Comparison(
                True,
                None,
                f"in each of the {pairs} pairs of control states and patterns of zero counters that are "
                "reached, both allow the same symbols, add the same and accept alike",
            )
    word = _telling_word(first, second)
    if word is not None:
        return Comparison(
            False, word, "one of the two can read this word, or end there, and the other cannot"
        )
    return Comparison(None, None, "their counters move differently, and no short word tells them apart")


def _lockstep(first: CounterAutomaton, second: CounterAutomaton) -> int | None:
    """How many pairs are reached if all of them agree, None if some do not.

    A counter stands for its value by 0 or 1: tests see no more. What goes down from a positive value may
    or may not arrive at zero.
    """
    start = (0, 0, (0,) * first.counters)
    met, waiting = {start}, [start]
    while waiting:
        mine, theirs, counters = waiting.pop()
        if first.accepting((mine, counters)) != second.accepting((theirs, counters)):
            return None
        for symbol in range(first.symbols):
            a, b = first.move((mine, counters), symbol), second.move((theirs, counters), symbol)
            if (a is None) != (b is None):
                return None
            if a is None or b is None:
                continue
            if a[1] != b[1]:
                return None
            for after in _patterns(counters, a[1]):
                pair = (a[0], b[0], after)
                if pair not in met:
                    met.add(pair)
                    waiting.append(pair)
    return len(met)


def _patterns(before: tuple[int, ...], after: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    yield from product(*((0, 1) if b < a else (min(b, 1),) for a, b in zip(before, after, strict=True)))


def _telling_word(first: CounterAutomaton, second: CounterAutomaton) -> Word | None:
    """A shortest word after which the two allow different symbols or accept differently."""
    start = (first.initial, second.initial)
    met = {start}
    waiting: deque[tuple[tuple[Configuration, Configuration], Word]] = deque([(start, ())])
    while waiting and len(met) < _MOST:
        (mine, theirs), word = waiting.popleft()
        if first.accepting(mine) != second.accepting(theirs):
            return word
        for symbol in range(min(first.symbols, second.symbols)):
            a, b = first.move(mine, symbol), second.move(theirs, symbol)
            if (a is None) != (b is None):
                return (*word, symbol)
            if a is not None and b is not None and (a, b) not in met:
                met.add((a, b))
                waiting.append(((a, b), (*word, symbol)))
    return None
