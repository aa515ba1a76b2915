"""The counter machine extracted from a network with the boxes of a certificate; and whether two are equal.

A region's boxes hold every state that the network can be in there. In them the sums of the output layer
say which symbols it predicts, and one step says what a symbol adds to its accumulators: in units
of their slopes, a whole number for every counter. Regions in which it does the same become one control state.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from abacist.analysis.certificates.certificate import Certificate, Cover
from abacist.analysis.certificates.checker import check
from abacist.analysis.certificates.floats import Array, Bounds
from abacist.analysis.certificates.search import Ways, ways_between
from abacist.analysis.certificates.steps import Image, Steps
from abacist.errors import BadInput
from abacist.fields import checked
from abacist.languages import Configuration, CounterAutomaton, CounterMove, Word, language_from_text
from abacist.specs import Networks

#: What tells regions of one control state apart: which counters are zero.
Pattern = tuple[bool, ...]

#: Where a symbol leads to: a label, and what it adds to every counter.
_Onward = tuple[int, tuple[int, ...]]


@dataclass
class _Behaviour:
    """What the network does where some counters are zero: what it predicts, and what symbols do.

    `predicted` is None where it never predicts: before the first symbol.
    """

    predicted: frozenset[int] | None
    onward: dict[int, _Onward]


@checked
def machine_of(certificate: Certificate | Cover, networks: Networks, run: int) -> CounterAutomaton:
    """The counter machine that a network is, by a certificate for words of any length."""
    if isinstance(certificate, Cover):
        raise BadInput("a machine is read off a network whose gates are saturated; this one leaks")
    verdict = check(certificate, networks, run)
    if not verdict.holds:
        raise BadInput(
            f"a machine needs a certificate that holds for the network; this one: {verdict.sentence}"
        )
    if certificate.statement.length is not None:
        raise BadInput("a machine is read off a certificate for words of any length, got one with a bound")
    language = language_from_text(certificate.statement.language)
    depth, steps = certificate.statement.depth, Steps(networks, run)
    ways = ways_between(language, certificate.threshold, certificate.memory, depth, "all")
    assert ways is not None
    numbers = [certificate.regions.index(region) for region in ways.regions]
    before = Bounds(certificate.lower[numbers], certificate.upper[numbers])[ways.sources]
    counters = Bounds(ways.lower, ways.upper)
    image = steps.image(ways.symbols, counters, ways.updates, certificate.slopes, before)
    added = _added(image, ways, certificate.slopes, before)
    behaviours = _behaviours(ways, image, added)
    states = _merged(behaviours)
    symbols = len(language.alphabet)
    return CounterAutomaton(
        symbols,
        max(states) + 1,
        ways.updates.shape[1],
        tuple(_moves(states, behaviours)),
        _accepting(states, behaviours, symbols if language.marks_end else None),
    )


def _added(image: Image, ways: Ways, slopes: Array, before: Bounds) -> Array:
    """What every way adds to every counter, (way, counter), by what it adds to the accumulators."""
    accumulators = np.flatnonzero(slopes.any(axis=1))
    of_each = slopes[accumulators]
    if np.linalg.matrix_rank(of_each) < slopes.shape[1]:
        raise BadInput("the network has no accumulator for some counter, so no machine can be read off it")
    moved = ways.updates @ of_each.T  # offsets are relative to this
    drift, after, before = (bounds[:, accumulators] for bounds in (image.drift, image.offsets, before))
    least = moved + np.where(np.isfinite(drift.lower), drift.lower, after.lower - before.upper)
    most = moved + np.where(np.isfinite(drift.upper), drift.upper, after.upper - before.lower)
    middle = 0.5 * (least + most)
    whole = np.rint(np.linalg.lstsq(of_each, middle.T, rcond=None)[0].T)
    if not (np.abs(whole @ of_each.T - middle) + 0.5 * (most - least) < 0.5).all():
        raise BadInput(
            "the network's accumulators do not move by whole steps, so no machine can be read off it"
        )
    return np.asarray(whole)


def _behaviours(ways: Ways, image: Image, added: Array) -> list[dict[Pattern, _Behaviour]]:
    """What the network does at each pattern of zeros, for every control state and what is remembered."""
    labels: dict[tuple[int, tuple[int, ...]], int] = {}
    behaviours: list[dict[Pattern, _Behaviour]] = []

    def place(region: int) -> tuple[int, _Behaviour]:
        state, counters, read = ways.regions[region]
        label = labels.setdefault((state, read), len(labels))
        if label == len(behaviours):
            behaviours.append({})
        pattern = tuple(value == 0 for value in counters)
        return label, behaviours[label].setdefault(pattern, _Behaviour(None, {}))

    place(0)
    for way in range(len(ways.symbols)):
        predicted = frozenset(map(int, np.flatnonzero(image.sums.lower[way] > 0)))
        target, after = place(int(ways.reached[way]))
        _, before = place(int(ways.sources[way]))
        onward = (target, tuple(map(int, added[way])))
        known = before.onward.setdefault(int(ways.symbols[way]), onward)
        if after.predicted not in (None, predicted) or known != onward:
            raise BadInput("the network does different things at one pattern of zeros: it is no such machine")
        after.predicted = predicted
    return behaviours


def _merged(behaviours: list[dict[Pattern, _Behaviour]]) -> list[int]:
    """The control state of every label: labels that never do different things share one."""
    labels = range(len(behaviours))
    states, split = [-1 for _ in labels], [0 for _ in labels]
    while split != states:  # until all that share a state agree on where symbols lead to, too
        states, groups = split, list[list[int]]()
        for label in labels:
            group = next((g for g in groups if all(_agree(behaviours, label, m, states) for m in g)), None)
            if group is None:
                groups.append(group := [])
            group.append(label)
        numbers = {label: number for number, group in enumerate(groups) for label in group}
        split = [numbers[label] for label in labels]
    return states


def _agree(behaviours: list[dict[Pattern, _Behaviour]], label: int, other: int, states: list[int]) -> bool:
    """Whether two labels may share a state, by what is known of the states so far."""
    if states[label] != states[other]:
        return False
    a, b = behaviours[label], behaviours[other]
    for pattern in a.keys() & b.keys():
        mine, theirs = a[pattern], b[pattern]
        if None not in (mine.predicted, theirs.predicted) and mine.predicted != theirs.predicted:
            return False
        for symbol in mine.onward.keys() & theirs.onward.keys():
            (target, added), (target_there, added_there) = mine.onward[symbol], theirs.onward[symbol]
            if added != added_there or states[target] != states[target_there]:
                return False
    return True


def _moves(states: list[int], behaviours: list[dict[Pattern, _Behaviour]]) -> Iterable[CounterMove]:
    """A move for every symbol that is predicted, with as few tests as tell the moves apart."""
    cases: dict[tuple[int, int, int, tuple[int, ...]], set[Pattern]] = {}
    known: dict[int, set[Pattern]] = {}
    for label, patterns in enumerate(behaviours):
        for pattern, behaviour in patterns.items():
            known.setdefault(states[label], set()).add(pattern)
            for symbol, (target, added) in behaviour.onward.items():
                if behaviour.predicted is None or symbol in behaviour.predicted:
                    key = (states[label], symbol, states[target], added)
                    cases.setdefault(key, set()).add(pattern)
    for (state, symbol, target, added), where in sorted(cases.items()):
        for tests in _tests(where, known[state] - where, added):
            yield CounterMove(state, symbol, tests, target, added)


def _tests(patterns: set[Pattern], others: set[Pattern], added: tuple[int, ...]) -> list[str]:
    """Tests that hold for all these patterns of zeros and for no others: one, if one is enough."""
    needed = ["+" if change < 0 else "*" for change in added]
    for tests in product(*("+" if test == "+" else "*0+" for test in needed)):
        if all(_passes(p, tests) for p in patterns) and not any(_passes(p, tests) for p in others):
            return ["".join(tests)]
    return ["".join("0" if zero else "+" for zero in pattern) for pattern in sorted(patterns)]


def _passes(pattern: Pattern, tests: Iterable[str]) -> bool:
    return all(test == "*" or (test == "0") == zero for zero, test in zip(pattern, tests, strict=True))


def _accepting(
    states: list[int], behaviours: list[dict[Pattern, _Behaviour]], end: int | None
) -> frozenset[int]:
    """Where a word may end, all counters being zero: where the end is predicted, if it ever is."""
    if end is None:
        return frozenset(states)
    return frozenset(
        states[label]
        for label, patterns in enumerate(behaviours)
        for pattern, behaviour in patterns.items()
        if all(pattern) and end in (behaviour.predicted or ())
    )


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
