"""The counter machine that a network is, read off its weights with the boxes of a certificate.

A region's boxes hold every state that the network can be in there. In them the sums of the output layer
say which symbols it predicts, and one step says what a symbol adds to its accumulators: in units
of their slopes, a whole number for every counter. Regions in which it does the same become one control state.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np

from abacist.analysis.certificates.certificate import Certificate, Cover
from abacist.analysis.certificates.checker import check
from abacist.analysis.certificates.floats import Array, Bounds
from abacist.analysis.certificates.regions import Ways, ways_between
from abacist.analysis.certificates.steps import Image, Steps
from abacist.errors import BadInput
from abacist.fields import checked
from abacist.languages import CounterAutomaton, CounterMove, language_from_text
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
    found: list[dict[Pattern, _Behaviour]] = []

    def place(region: int) -> tuple[int, _Behaviour]:
        state, counters, read = ways.regions[region]
        label = labels.setdefault((state, read), len(labels))
        if label == len(found):
            found.append({})
        pattern = tuple(value == 0 for value in counters)
        return label, found[label].setdefault(pattern, _Behaviour(None, {}))

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
    return found


def _merged(behaviours: list[dict[Pattern, _Behaviour]]) -> list[int]:
    """The control state of every label: labels that never do different things share one."""
    states = [0] * len(behaviours)
    while True:  # split until all that share a state agree on where symbols lead to, too
        split: list[int] = []
        representatives: list[tuple[int, list[int]]] = []
        for label in range(len(behaviours)):
            for state, members in representatives:
                if all(
                    states[label] == states[m] and _agree(behaviours[label], behaviours[m], states)
                    for m in members
                ):
                    members.append(label)
                    split.append(state)
                    break
            else:
                representatives.append((len(representatives), [label]))
                split.append(len(representatives) - 1)
        if split == states:
            return states
        states = split


def _agree(a: dict[Pattern, _Behaviour], b: dict[Pattern, _Behaviour], states: list[int]) -> bool:
    for pattern in a.keys() & b.keys():
        mine, theirs = a[pattern], b[pattern]
        if None not in (mine.predicted, theirs.predicted) and mine.predicted != theirs.predicted:
            return False
        for symbol in mine.onward.keys() & theirs.onward.keys():
            (target, added), (other, added_there) = mine.onward[symbol], theirs.onward[symbol]
            if added != added_there or states[target] != states[other]:
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
    ends = set()
    for label, patterns in enumerate(behaviours):
        for pattern, behaviour in patterns.items():
            if all(pattern) and behaviour.predicted is not None and end in behaviour.predicted:
                ends.add(states[label])
    return frozenset(ends)
