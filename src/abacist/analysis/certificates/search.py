"""The search for what a certificate is made of: slopes of the states, and boxes that map into one another.

Slopes are guessed from words that go deep. Boxes begin at the start and grow until they hold all that they
lead to; where that would take too many rounds, they are pushed to where they are heading. Nothing here has to
be right: what is found counts only once the checker has agreed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.analysis.certificates.floats import Array, Bounds, Integers, Truth
from abacist.analysis.certificates.steps import Steps
from abacist.engine import trace
from abacist.errors import BadInput
from abacist.languages import CounterAutomaton, Language
from abacist.specs import Networks

#: A control state, for every counter its value (the threshold stands for all values from there on), and the
#: last symbols read.
Region = tuple[int, tuple[int, ...], tuple[int, ...]]


def counters_of(language: Language[Any]) -> CounterAutomaton:
    """The counter automaton of a language, if it has one with counters."""
    try:
        automaton = language.automaton()
    except BadInput as error:
        if language.has_derivations:
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
    lower: NDArray[Any]
    upper: NDArray[Any]
    updates: NDArray[Any]
    targets: Truth
    counted: Truth


#: How many regions there may be.
_REGIONS = 1024


def ways_between(language: Language[Any], threshold: int, memory: int, depth: int, steps: str) -> Ways | None:
    """The regions that words with counters up to a depth reach; None if there are too many.

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
                hot = [s in possible for s in range(automaton.symbols)] + [ends] * language.marks_end
                following = [automaton.move(target[:2], s) for s in range(automaton.symbols)]
                counts = steps == "all" or any(automaton.accepting(one) for one in following if one)
                rows.append((numbers[region], symbol, numbers[target], lower, upper, updates, hot, counts))
        if len(numbers) > _REGIONS:
            return None
    return Ways(tuple(numbers), *map(np.array, zip(*rows, strict=True)))


def _splits(
    counters: tuple[int, ...], updates: tuple[int, ...], threshold: int, depth: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]]:
    """Where counters lead to, and which of their values before lead there."""
    choices = []
    for value, update in zip(counters, updates, strict=True):
        least, greatest = value, depth if value == threshold else value
        pieces = []
        for after in range(threshold + 1):
            low = max(least, after - update)
            high = min(greatest, (depth if after == threshold else after) - update)
            if low <= high:
                pieces.append((after, low, high))
        choices.append(pieces)
    for chosen in product(*choices):
        reached, lower, upper = zip(*chosen, strict=True)
        yield reached, lower, upper


#: How deep the words go, how small a slope is none, and how steadily an accumulator must follow its counters.
_DEPTH, _NONE, _STEADY = 24, 1 / 64, 1 / 16

#: Bounds that still move are pushed every so many rounds; after so many the search ends.
_PUSH, _ROUNDS = 7, 140


def guess_slopes(networks: Networks, run: int, language: Language[Any]) -> Array:
    """What every number of the states gains with every counter, (number, counter)."""
    before, after, moved = [], [], []
    for word in _deep_words(language):
        values = trace(networks, run, word)
        states = np.concatenate([values[name] for name in networks.layout.cell.state_names], axis=1)
        half = len(word) // 4
        deep = slice(half, len(word) - half)
        before.append(states[:-1][deep])
        after.append(states[1:][deep])
        moved.append(np.diff(language.depth_path(word), axis=0).astype(np.float64)[deep])
    gains = (np.concatenate(after) - np.concatenate(before)).astype(np.float64)
    gains[~np.isfinite(gains)] = 0
    slopes = np.linalg.lstsq(np.concatenate(moved), gains, rcond=None)[0].T
    steady = np.abs(gains - np.concatenate(moved) @ slopes.T).max(axis=0) < _STEADY
    slopes = np.where(steady[:, None], slopes, 0)
    near = np.abs(slopes - np.rint(slopes)) < 1 / 256
    slopes = np.where(near, np.rint(slopes), slopes)
    return np.where(np.abs(slopes) < _NONE, 0.0, slopes.astype(networks.parameters.dtype).astype(np.float64))


def _deep_words(language: Language[Any]) -> list[tuple[int, ...]]:
    """Prefixes of words: greedily up in all counters, then down."""
    words, counters, symbols = [], len(language.depths(language.start)), len(language.alphabet)
    for first in range(symbols):
        state: Any = language.start
        word: list[int] = []
        for step in range(4 * _DEPTH * counters):
            rising, height = step < _DEPTH * counters, sum(language.depths(state))
            turned = [(symbol + first + step) % symbols for symbol in range(symbols)]
            after = {s: there for s in turned if (there := language.step(state, s)) is not None}
            if not after:
                break
            wanted = [s for s, there in after.items() if (sum(language.depths(there)) > height) == rising]
            word.append((wanted or [*after])[0])
            state = after[word[-1]]
            if not rising and not any(language.depths(state)):
                break
        words.append(tuple(word))
    return words


def find_boxes(steps: Steps, ways: Ways, slopes: Array, length: int | None) -> tuple[Bounds, Bounds] | None:
    """Boxes for all regions that map into one another, with all predictions right; None if none are found.

    They bound the offsets, (region, number), and their growth per step, (number,).
    With a length, accumulators may grow a little at every step of words up to that length.
    """
    reach = np.full((2, len(ways.regions), steps.size), -np.inf)  # −lower, upper: both only grow
    reach[:, 0] = 0
    growth = np.zeros((2, steps.size))
    first, begun = reach, (reach, growth)
    moved: list[tuple[Array, Array]] = []
    for turn in range(1, _ROUNDS):
        larger = _grown(steps, ways, slopes, length, reach, growth)
        if larger is None:
            return None
        if np.array_equal(larger[0], reach) and np.array_equal(larger[1], growth):
            return Bounds(0.0 - reach[0], reach[1]), Bounds(0.0 - growth[0], growth[1])
        first = np.where(np.isfinite(first), first, larger[0])
        reach, growth = larger
        if turn % _PUSH == 0:
            with np.errstate(invalid="ignore"):
                moved.append((reach - begun[0], growth - begun[1]))
            if len(moved) > 2:  # by then all regions are reached, mostly
                reach = _pushed(moved[-2][0], moved[-1][0], reach, first)
                growth = _pushed(moved[-2][1], moved[-1][1], growth, np.zeros_like(growth))
            begun = (reach, growth)
    return None


def _grown(
    steps: Steps, ways: Ways, slopes: Array, length: int | None, reach: Array, growth: Array
) -> tuple[Array, Array] | None:
    """Boxes and growth that also hold what one more step leads to; None where a prediction is not right."""
    seen = np.isfinite(reach[0, ways.sources, 0])
    sources, targets = ways.sources[seen], ways.reached[seen]
    most = reach[:, sources] + float(length or 0) * growth[:, None]
    counters, before = Bounds(ways.lower, ways.upper)[seen], Bounds(0.0 - most[0], most[1])
    image = steps.image(ways.symbols[seen], counters, ways.updates[seen], slopes, before)
    if not image.right(ways.targets[seen], steps.margin)[ways.counted[seen]].all():
        return None
    offsets, moved = (np.stack([0.0 - bounds.lower, bounds.upper]) for bounds in (image.offsets, image.drift))
    inside = (offsets <= reach[:, targets]).all(axis=0)
    # where an accumulator's offset is its old one plus little, it may grow with the word
    drifting = (image.drift.greatest < 0.5) & slopes.any(axis=1) & ~inside & (length is not None)
    after = reach.copy()
    for side in range(2):
        np.maximum.at(after[side], targets, np.where(drifting, reach[side, sources], offsets[side]))
    if np.isnan(after).any():
        return None
    return after, np.maximum(growth, np.where(drifting, moved, 0).max(axis=1, initial=0))


def _pushed(before: Array, last: Array, now: Array, first: Array) -> Array:
    """Bounds that still move, pushed: to the limit if they slow down, else to four times as far.

    `before` and `last` are how far they moved in as many rounds.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.where(before > 0, last / before, np.inf)
        limit = now + 1.01 * last * ratio / (1 - ratio)
        further = np.where(ratio < 0.98, limit, now + 3 * (now - first))
        return np.where(np.isfinite(further) & (last > 0), further, now)
