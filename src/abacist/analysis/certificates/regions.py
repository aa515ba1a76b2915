"""Regions: the configurations of a counter language, gathered into finitely many.

A counter is exactly 0, 1, …, or at least the threshold, and a region may also remember the last symbols
read. From a region a symbol leads to one region, or to two where a counter of at least the threshold goes
down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.errors import BadInput
from abacist.languages import CounterAutomaton, Language

Integers = NDArray[np.int64]

#: A control state, for every counter its value (the threshold stands for all values from there on), and the
#: last symbols read.
Region = tuple[int, tuple[int, ...], tuple[int, ...]]


def has_counters(language: Language[Any]) -> bool:
    """Whether counters recognise a language."""
    try:
        counters_of(language)
    except BadInput:
        return False
    return True


def counters_of(language: Language[Any]) -> CounterAutomaton:
    """The counter automaton of a language, if it has one with counters."""
    try:
        automaton = language.automaton()
    except BadInput as error:
        if language.given_by_automaton:
            raise BadInput(f"{error}, so there are no certificates for it") from None
        automaton = None
    if isinstance(automaton, CounterAutomaton) and automaton.resets:
        raise BadInput(f"certificates are for counters that are not reset, and those of {language.name} are")
    if not isinstance(automaton, CounterAutomaton) or not automaton.counters:
        raise BadInput(
            f"certificates are for languages that counters recognise, and {language.name} is not one; "
            "of others, only for words up to a depth, which --depth gives"
        )
    return automaton


@dataclass(frozen=True, eq=False)
class Ways:
    """All steps from region to region, one a row; `regions` has the start first.

    `lower` and `upper`, (way, counter), bound the counters before the step, `updates` is what it adds to
    them. `targets`, (way, output), is what may come next afterwards, `counted`, (way,), whether that is
    to be predicted.
    """

    regions: tuple[Region, ...]
    sources: Integers
    symbols: Integers
    reached: Integers
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    updates: NDArray[np.float64]
    targets: NDArray[np.bool_]
    counted: NDArray[np.bool_]


def ways_between(
    language: Language[Any], threshold: int, memory: int, depth: int, steps: str, most: int = 1024
) -> Ways | None:
    """The regions that words with counters up to a depth reach; None if there are more than `most`.

    A region remembers the last `memory` symbols.
    """
    automaton = counters_of(language)
    start: Region = (0, (0,) * automaton.counters, ())
    numbers = {start: 0}
    rows: list[tuple[Any, ...]] = []
    pending = [start]
    while pending:
        region = pending.pop()
        for symbol in range(automaton.symbols):
            after = automaton.move(region[:2], symbol)
            if after is None:
                continue
            updates = tuple(b - a for a, b in zip(region[1], after[1], strict=True))
            for reached, lower, upper in _splits(region[1], updates, threshold, depth):
                read = (*region[2], symbol)[-memory:] if memory else ()
                target = (after[0], reached, read)
                if target not in numbers:
                    numbers[target] = len(numbers)
                    pending.append(target)
                ends = automaton.accepting(target[:2])
                possible = automaton.next_symbols(target[:2])
                hot = [s in possible for s in range(automaton.symbols)]
                hot += [ends] * language.marks_end
                counts = steps == "all" or any(
                    automaton.accepting(last)
                    for s in range(automaton.symbols)
                    if (last := automaton.move(target[:2], s)) is not None
                )
                rows.append((numbers[region], symbol, numbers[target], lower, upper, updates, hot, counts))
        if len(numbers) > most:
            return None
    kinds = (np.int64, np.int64, np.int64, np.float64, np.float64, np.float64, np.bool_, np.bool_)
    columns: Any = (
        np.array(column, kind) for column, kind in zip(zip(*rows, strict=True), kinds, strict=True)
    )
    return Ways(tuple(numbers), *columns)


def _splits(
    counters: tuple[int, ...], updates: tuple[int, ...], threshold: int, depth: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]]:
    """Where counters lead to, and which of their values before lead there."""
    choices = []
    for value, update in zip(counters, updates, strict=True):
        least, greatest = value, depth if value == threshold else value
        own = []
        for after in range(threshold + 1):
            low = max(least, after - update)
            high = min(greatest, (depth if after == threshold else after) - update)
            if low <= high:
                own.append((after, low, high))
        choices.append(own)
    for chosen in product(*choices):
        reached, lower, upper = zip(*chosen, strict=True)
        yield reached, lower, upper
