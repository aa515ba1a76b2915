"""The counter machine extracted from a network with the boxes of a certificate; and whether two are equal.

A region's boxes hold every state that the network can be in there. In them the sums of the output layer
say which symbols it predicts, and one step says what a symbol adds to its accumulators: in units
of their slopes, a whole number for every counter. Regions in which it does the same become one control state.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from abacist.analysis.certificates.certificate import Certificate, Cover
from abacist.analysis.certificates.checker import check
from abacist.analysis.certificates.floats import Array, Bounds
from abacist.analysis.certificates.search import Ways, ways_between
from abacist.analysis.certificates.steps import Image, Steps
from abacist.cells import STARTED
from abacist.errors import BadInput
from abacist.fields import checked
from abacist.languages import CounterAutomaton, CounterMove, Word, language_from_text
from abacist.languages.counter_automaton import passes
from abacist.specs import Networks

#: What tells regions of one control state apart: for every counter 0, or 1 if it is positive.
Pattern = tuple[int, ...]

#: What the network does: by a pattern and None what it predicts there, unknown before the first symbol; by a
#: pattern and a symbol where that leads to, a label, and what it adds to every counter.
_Behaviour = dict[tuple[Pattern, int | None], Any]


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
    if networks.layout.cell.layer in STARTED.values():  # its first step adds the start, which no symbol does
        raise BadInput("a machine is read off a network that begins with zeros, not with a start symbol")
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
    symbols, moves = len(language.alphabet), tuple(_moves(states, behaviours))
    accepting = _accepting(states, behaviours, symbols if language.marks_end else None)
    return CounterAutomaton(symbols, max(states) + 1, ways.updates.shape[1], moves, accepting)


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


def _behaviours(ways: Ways, image: Image, added: Array) -> list[_Behaviour]:
    """What the network does, for every control state and what is remembered: its label is the place here."""
    labels: dict[tuple[int, tuple[int, ...]], int] = {}
    behaviours: list[_Behaviour] = []

    def place(region: int) -> tuple[int, Pattern]:
        state, counters, read = ways.regions[region]
        label = labels.setdefault((state, read), len(labels))
        if label == len(behaviours):
            behaviours.append({})
        return label, tuple(min(value, 1) for value in counters)

    def note(label: int, pattern: Pattern, symbol: int | None, what: Any) -> None:
        if behaviours[label].setdefault((pattern, symbol), what) != what:
            raise BadInput("the network does different things at one pattern of zeros: it is no such machine")

    place(0)
    for way in range(len(ways.symbols)):
        target, after = place(int(ways.reached[way]))
        source, before = place(int(ways.sources[way]))
        note(source, before, int(ways.symbols[way]), (target, tuple(map(int, added[way]))))
        note(target, after, None, frozenset(np.flatnonzero(image.sums.lower[way] > 0).tolist()))
    return behaviours


def _merged(behaviours: list[_Behaviour]) -> list[int]:
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


def _agree(behaviours: list[_Behaviour], label: int, other: int, states: list[int]) -> bool:
    """Whether two labels may share a state, by what is known of the states so far."""

    def merged(what: Any) -> Any:
        return (states[what[0]], what[1]) if isinstance(what, tuple) else what

    a, b = behaviours[label], behaviours[other]
    return states[label] == states[other] and all(merged(a[k]) == merged(b[k]) for k in a.keys() & b.keys())


def _moves(states: list[int], behaviours: list[_Behaviour]) -> Iterable[CounterMove]:
    """A move for every symbol that is predicted, with as few tests as tell the moves apart."""
    cases: dict[tuple[int, int, int, tuple[int, ...]], set[Pattern]] = {}
    patterns: dict[int, set[Pattern]] = {}
    for label, behaviour in enumerate(behaviours):
        for (pattern, symbol), what in behaviour.items():
            patterns.setdefault(states[label], set()).add(pattern)
            if symbol is not None and symbol in behaviour.get((pattern, None), (symbol,)):
                key = (states[label], symbol, states[what[0]], what[1])
                cases.setdefault(key, set()).add(pattern)
    for (state, symbol, target, added), where in sorted(cases.items()):
        for tests in _tests(where, patterns[state] - where, added):
            yield CounterMove(state, symbol, tests, target, added)


def _tests(patterns: set[Pattern], others: set[Pattern], added: tuple[int, ...]) -> list[str]:
    """Tests that hold for all these patterns of zeros and for no others: one, if one is enough."""
    for tests in map("".join, product(*("+" if change < 0 else "*0+" for change in added))):
        if all(passes(tests, p) for p in patterns) and not any(passes(tests, p) for p in others):
            return [tests]
    return ["".join("0+"[value] for value in pattern) for pattern in sorted(patterns, reverse=True)]


def _accepting(states: list[int], behaviours: list[_Behaviour], end: int | None) -> frozenset[int]:
    """Where a word may end, all counters being zero: where the end is predicted, if it ever is."""
    if end is None:
        return frozenset(states)
    return frozenset(
        states[label]
        for label, behaviour in enumerate(behaviours)
        for (pattern, symbol), what in behaviour.items()
        if symbol is None and not any(pattern) and end in what
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
        word, pairs = _difference(first, second, patterns=True)
        if word is None:
            return Comparison(
                True,
                None,
                f"in each of the {pairs} pairs of control states and patterns of zero counters that are "
                "reached, both allow the same symbols, add the same and accept alike",
            )
    word, _ = _difference(first, second, patterns=False)
    if word is not None:
        return Comparison(
            False, word, "one of the two can read this word, or end there, and the other cannot"
        )
    return Comparison(None, None, "their counters move differently, and no short word tells them apart")


def _difference(
    first: CounterAutomaton, second: CounterAutomaton, *, patterns: bool
) -> tuple[Word | None, int]:
    """A shortest word after which the two allow different symbols or accept differently; the pairs met.

    With `patterns` a counter stands for its value by 0 or 1, since tests see no more, and the two must add
    the same, too. What goes down from a positive value may or may not arrive at zero.
    """
    start = (first.initial, second.initial)
    met, waiting = {start}, deque([(start, Word())])
    while waiting and (patterns or len(met) < _MOST):
        (mine, theirs), word = waiting.popleft()
        if first.accepting(mine) != second.accepting(theirs):
            return word, len(met)
        for symbol in range(min(first.symbols, second.symbols)):
            a, b, after = first.move(mine, symbol), second.move(theirs, symbol), (*word, symbol)
            if (a is None) != (b is None):
                return after, len(met)
            if a is None or b is None:
                continue
            pairs = {(a, b)}
            if patterns:
                if a[1] != b[1]:
                    return after, len(met)
                ends = ((0, 1) if y < x else (min(y, 1),) for x, y in zip(mine[1], a[1], strict=True))
                pairs = {((a[0], end), (b[0], end)) for end in product(*ends)}
            waiting.extend((pair, after) for pair in pairs - met)
            met |= pairs
    return None, len(met)
