"""The checker of certificates: it re-derives everything that a certificate leaves open, and shares with the
search only the arithmetic of program intervals.

The argument is an induction over the symbols of a word. *Start*: before the first symbol the states are
zero, and that lies in the box of the first region. *Step*: for every region, every symbol that the
language allows there and every region that this leads to, whatever the program makes of a state of the
first box lies in the box of the second. *Predictions*: whatever it then predicts is right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from abacist.analysis.certificates.certificate import Certificate
from abacist.analysis.certificates.cover_checker import check_cover
from abacist.analysis.certificates.covers import Cover
from abacist.analysis.certificates.floats import Array, product_above, product_below, sum_above, sum_below
from abacist.analysis.certificates.steps import Image, Steps
from abacist.analysis.certificates.verdicts import No, Verdict, require, require_subject
from abacist.errors import AbacistError
from abacist.fields import checked
from abacist.languages import CounterAutomaton, Language
from abacist.specs import Networks

#: A control state, the counters with the threshold for all values from there on, and the last symbols read.
Region = tuple[int, tuple[int, ...], tuple[int, ...]]

#: How many steps are computed at once.
_AT_ONCE = 1024


@dataclass(frozen=True)
class _Step:
    """One condition: from one region on a symbol to another, for counters from `low` to `high`."""

    source: int
    symbol: int
    target: int
    low: tuple[int, ...]
    high: tuple[int, ...]
    updates: tuple[int, ...]
    right: tuple[bool, ...]
    counted: bool


@checked
def check(certificate: Certificate | Cover, networks: Networks, run: int) -> Verdict:
    """Whether a certificate shows its statement for a network."""
    run = networks.checked_run(run)
    try:
        language = require_subject(certificate.statement, certificate.weights, networks, run)
        if isinstance(certificate, Cover):
            check_cover(certificate, language, networks, run)
        else:
            _check(certificate, language, networks, run)
    except No as no:
        return Verdict(False, f"no: {no}")
    return Verdict(True, f"yes: {certificate.statement}")


def _check(certificate: Certificate, language: Language[Any], networks: Networks, run: int) -> None:
    try:
        automaton = language.automaton()
    except AbacistError as error:
        raise No(f"its language does not fit, {error}") from None
    if not isinstance(automaton, CounterAutomaton) or automaton.counters == 0 or automaton.resets:
        raise No(f"{language.name} is not recognised by counters")
    steps = Steps(networks, run)
    _check_shapes(certificate, automaton, steps)
    conditions = list(_conditions(certificate, language, automaton))
    for first in range(0, len(conditions), _AT_ONCE):
        _check_steps(certificate, steps, conditions[first : first + _AT_ONCE])


def _check_shapes(certificate: Certificate, automaton: CounterAutomaton, steps: Steps) -> None:
    """What the numbers must be before anything can be computed with them."""
    statement, count = certificate.statement, len(certificate.regions)
    require(certificate.threshold >= 1, "counters must be told from zero")
    require(1 <= statement.depth <= steps.grid.whole, f"{statement.precision} cannot count so far")
    shapes = {
        "slopes": (steps.size, automaton.counters),
        "fall": (steps.size,),
        "rise": (steps.size,),
        "lower": (count, steps.size),
        "upper": (count, steps.size),
    }
    for name, shape in shapes.items():
        values = getattr(certificate, name)
        require(values.shape == shape and bool(np.isfinite(values).all()), f"its {name} are damaged")
    fall, rise = certificate.fall, certificate.rise
    require(bool((fall <= 0).all() and (rise >= 0).all()), "its boxes shrink")
    still = ~certificate.slopes.any(axis=1) | (statement.length is None)
    require(not (fall[still].any() or rise[still].any()), "boxes grow that must not")
    require(len(set(certificate.regions)) == count, "a region comes twice")


def _conditions(
    certificate: Certificate, language: Language[Any], automaton: CounterAutomaton
) -> Iterator[_Step]:
    """All steps from the regions that can be reached."""
    numbers = {region: number for number, region in enumerate(certificate.regions)}
    start: Region = (0, (0,) * automaton.counters, ())
    require(start in numbers, "the start is in none of its regions")
    low, high = certificate.lower[numbers[start]], certificate.upper[numbers[start]]
    require(bool((low <= 0).all() and (high >= 0).all()), "the start is not in its box")
    waiting, met = [start], {start}
    while waiting:
        state, counters, read = region = waiting.pop()
        for symbol in range(automaton.symbols):
            moved = automaton.move((state, counters), symbol)
            if moved is None:
                continue
            updates = tuple(b - a for a, b in zip(counters, moved[1], strict=True))
            remembered = (*read, symbol)[max(0, len(read) + 1 - certificate.memory) :]
            pieces = [_pieces(certificate, value, by) for value, by in zip(counters, updates, strict=True)]
            for chosen in product(*pieces):
                after = tuple(piece[0] for piece in chosen)
                target = (moved[0], after, remembered)
                require(target in numbers, "a region is missing")
                if target not in met:
                    met.add(target)
                    waiting.append(target)
                ends = automaton.accepting((moved[0], after))
                next_symbols = automaton.next_symbols((moved[0], after))
                right = [s in next_symbols for s in range(automaton.symbols)] + [ends] * language.marks_end
                yield _Step(
                    numbers[region],
                    symbol,
                    numbers[target],
                    tuple(piece[1] for piece in chosen),
                    tuple(piece[2] for piece in chosen),
                    updates,
                    tuple(right),
                    certificate.statement.steps == "all" or _before_last(automaton, (moved[0], after)),
                )


def _before_last(automaton: CounterAutomaton, configuration: tuple[int, tuple[int, ...]]) -> bool:
    """Whether a word may have just one symbol more; of a region the least counters are the nearest to it."""
    moved = (automaton.move(configuration, symbol) for symbol in range(automaton.symbols))
    return any(automaton.accepting(after) for after in moved if after is not None)


def _pieces(certificate: Certificate, value: int, update: int) -> list[tuple[int, int, int]]:
    """What a counter's value becomes, and the values before, from and to, for which it does."""
    depth, threshold = certificate.statement.depth, certificate.threshold
    first = value + update
    last = (depth if value == threshold else value) + update
    found = [(exact, exact - update, exact - update) for exact in range(first, min(last, threshold - 1) + 1)]
    far = max(first, threshold), min(last, depth)
    if far[0] <= far[1]:
        found.append((threshold, far[0] - update, far[1] - update))
    return [piece for piece in found if piece[0] <= depth]


def _check_steps(certificate: Certificate, steps: Steps, conditions: list[_Step]) -> None:
    """Compute some steps, and require that they stay in their boxes and predict what is right."""
    if not conditions:
        return
    length = certificate.statement.length or 0
    sources, targets = np.array([c.source for c in conditions]), np.array([c.target for c in conditions])
    lower = sum_below(certificate.lower[sources], product_below(certificate.fall, float(length)))
    upper = sum_above(certificate.upper[sources], product_above(certificate.rise, float(length)))
    with np.errstate(all="ignore"):  # what overflows is unknown, and what is unknown is not inside
        image = steps.image(
            np.array([c.symbol for c in conditions]),
            (_array([c.low for c in conditions]), _array([c.high for c in conditions])),
            _array([c.updates for c in conditions]),
            certificate.slopes,
            (lower, upper),
        )
    sure = image.right(np.array([c.right for c in conditions]), steps.margin)
    for number, condition in enumerate(conditions):
        require(_inside(certificate, image, number, sources[number], targets[number]), "a box is left")
        require(bool(sure[number]) or not condition.counted, "a prediction is not sure to be right")


def _array(values: list[tuple[int, ...]]) -> Array:
    return np.array(values, np.float64)


def _inside(certificate: Certificate, image: Image, number: int, source: int, target: int) -> bool:
    """Whether all offsets after a step are in the target's box, or have moved no further than boxes grow."""
    within = (certificate.lower[target] <= image.lower[number]) & (
        image.upper[number] <= certificate.upper[target]
    )
    wider = (certificate.lower[target] <= certificate.lower[source]) & (
        certificate.upper[source] <= certificate.upper[target]
    )
    moved = (certificate.fall <= image.fall[number]) & (image.rise[number] <= certificate.rise)
    return bool((within | (wider & moved)).all())
