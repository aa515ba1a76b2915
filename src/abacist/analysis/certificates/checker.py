"""The independent checker (`check`): it re-derives all that a certificate or a cover leaves open.

It shares only arithmetic with the search: program intervals for certificates (`steps`), the NumPy reading of
intervals for covers. Both arguments are inductions over the symbols of a word.

*Start*: before the first symbol the states are zero, and zero lies in a box of the start. *Step*: whatever a
program makes of a state of a box lies in a box of what is reached, for every region or configuration and
every symbol that the language allows there (for a cover, if it does not lead too deep). *Predictions*:
whatever the program then predicts is right.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from abacist.algebra.rounding import decision_margin
from abacist.analysis.certificates.certificate import Certificate, Cover, Statement, weights_hash
from abacist.analysis.certificates.floats import Array, Bounds, Integers, Truth
from abacist.analysis.certificates.steps import Steps
from abacist.compiler.magnitudes import largest_states
from abacist.engine.reference import step_boxes
from abacist.errors import AbacistError
from abacist.fields import checked
from abacist.languages import CounterAutomaton, Language, language_from_text, refuse_recogniser
from abacist.specs import Networks

#: A control state, the counters with the threshold for all values from there on, and the last symbols read.
Region = tuple[int, tuple[int, ...], tuple[int, ...]]

#: A step: its region, symbol and region reached; from and up to which counters; what these gain; what is
#: right then, and whether that counts.
_Step = tuple[int, int, int, tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[bool, ...], bool]

#: How many steps are computed at once.
_AT_ONCE = 1024

#: Cells are counted exactly up to here; boxes that are cut into more pieces are not looked at.
_FARTHEST, _MOST_PIECES = 2.0**50, 2**23


@dataclass(frozen=True)
class Verdict:
    """Whether a certificate shows what it states, and why not."""

    holds: bool
    sentence: str


class No(Exception):
    """Why a certificate shows nothing."""


def require(condition: bool | np.bool_, otherwise: str) -> None:
    """Say no unless a condition holds."""
    if not condition:
        raise No(otherwise)


@checked
def check(certificate: Certificate | Cover, networks: Networks, run: int) -> Verdict:
    """Whether a certificate shows its statement for a network."""
    run = networks.checked_run(run)
    try:
        language = _subject(certificate.statement, certificate.weights, networks, run)
        if isinstance(certificate, Cover):
            check_cover(certificate, language, networks, run)
        else:
            _check(certificate, language, networks, run)
    except No as no:
        return Verdict(False, f"no: {no}")
    return Verdict(True, f"yes: {certificate.statement}")


def _subject(statement: Statement, weights: str, networks: Networks, run: int) -> Language[Any]:
    """Say no unless a statement is about a network; its language."""
    require(weights_hash(networks, run) == weights, "it is about other weights")
    require(statement.cell == networks.layout.cell.name, "it is about another cell")
    require(statement.precision == str(networks.parameters.dtype), "it is about another precision")
    require(statement.steps in ("all", "last"), "it does not say which predictions count")
    require(statement.depth >= 1, "it is about no word")
    try:
        language = language_from_text(statement.language)
        networks.check_language(language)
        refuse_recogniser(language, "certificate")
    except AbacistError as error:
        raise No(f"its language does not fit, {error}") from None
    require(np.isfinite(networks.parameters[run]).all(), "the network's weights are not finite")
    return language


def _check(certificate: Certificate, language: Language[Any], networks: Networks, run: int) -> None:
    try:
        automaton = language.automaton()
    except AbacistError as error:
        raise No(f"its language does not fit, {error}") from None
    if not isinstance(automaton, CounterAutomaton) or automaton.counters == 0 or automaton.resets:
        raise No(f"{language.name} is not recognised by counters")
    steps = Steps(networks, run)
    _check_numbers(certificate, automaton, steps)
    conditions = list(_conditions(certificate, language, automaton))
    for first in range(0, len(conditions), _AT_ONCE):
        _check_steps(certificate, steps, conditions[first : first + _AT_ONCE])


def _check_numbers(certificate: Certificate, automaton: CounterAutomaton, steps: Steps) -> None:
    """What the numbers must be before anything can be computed with them."""
    statement, count = certificate.statement, len(certificate.regions)
    require(certificate.threshold >= 1, "counters must be told from zero")
    require(1 <= statement.depth <= steps.grid.whole, f"{statement.precision} cannot count so far")
    shapes: dict[str, tuple[int, ...]] = {"slopes": (steps.size, automaton.counters)}
    shapes |= dict.fromkeys(("fall", "rise"), (steps.size,))
    shapes |= dict.fromkeys(("lower", "upper"), (count, steps.size))
    for name, shape in shapes.items():
        values = getattr(certificate, name)
        require(values.shape == shape and np.isfinite(values).all(), f"its {name} are damaged")
    fall, rise = certificate.fall, certificate.rise
    require((fall <= 0).all() and (rise >= 0).all(), "its boxes shrink")
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
    require((low <= 0).all() and (high >= 0).all(), "the start is not in its box")
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
                yield (
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
    pieces = [(exact, exact - update, exact - update) for exact in range(first, min(last, threshold - 1) + 1)]
    least, most = max(first, threshold), min(last, depth)
    if least <= most:
        pieces.append((threshold, least - update, most - update))
    return [piece for piece in pieces if piece[0] <= depth]


def _check_steps(certificate: Certificate, steps: Steps, conditions: list[_Step]) -> None:
    """Compute some steps, and require that they stay in their boxes and predict what is right."""
    sources, symbols, targets, low, high, updates, right, counted = map(
        np.array, zip(*conditions, strict=True)
    )
    length = Bounds.point(float(certificate.statement.length or 0))
    boxes, growth = Bounds(certificate.lower, certificate.upper), Bounds(certificate.fall, certificate.rise)
    source, target = boxes[sources], boxes[targets]
    counters = Bounds(low, high)  # whole numbers that float64 has
    with np.errstate(all="ignore"):  # what overflows is unknown, and what is unknown is not inside
        image = steps.image(symbols, counters, updates, certificate.slopes, source + growth * length)
    within = _inside(image.offsets, target)
    drifting = _inside(source, target) & _inside(image.drift, growth)  # moved no further than boxes grow
    require((within | drifting).all(), "a box is left")
    sure = image.right(right, steps.margin) | ~counted
    require(sure.all(), "a prediction is not sure to be right")


def _inside(inner: Bounds, outer: Bounds) -> Truth:
    """Whether bounds lie within others."""
    return (outer.lower <= inner.lower) & (inner.upper <= outer.upper)


def check_cover(cover: Cover, language: Language[Any], networks: Networks, run: int) -> None:
    """Say no, with the reason, where a cover does not show its statement for a network."""
    largest = largest_states(networks.layout, networks.parameters[run])
    require(largest > 0, "the network's weights are out of bounds")
    _check_cover_numbers(cover, networks, largest)
    reached_from, right, counted = _moves(cover, language)
    boxes = {key: box for box, key in enumerate(_keys(cover.owners, cover.lower, cover.widths))}
    require(len(boxes) == len(cover.owners), "two boxes begin in the same cell")
    zero = np.zeros((1, len(cover.widths)))
    require(_covered(cover, boxes, np.zeros(1, np.int64), zero, zero), "the start is in none of its boxes")
    margin, size = decision_margin(cover.statement.precision), len(cover.widths)
    for symbol, successors in enumerate(reached_from):
        reached = successors[cover.owners]
        alive = reached >= 0
        reached = reached[alive]
        with np.errstate(all="ignore"):  # what overflows is not inside
            lower, upper = step_boxes(networks, run, symbol, cover.lower[alive], cover.upper[alive])
        decided = np.where(right[reached], lower[:, size:] > margin, upper[:, size:] < -margin)
        sure = decided.all(axis=1) | ~counted[reached]
        require(sure.all(), "a prediction is not sure to be right")
        lower, upper = lower[:, :size], upper[:, :size]
        require(((lower > -largest) & (upper < largest)).all(), "a box grows beyond all bounds")
        require(_covered(cover, boxes, reached, lower, upper), "a box is left")


def _check_cover_numbers(cover: Cover, networks: Networks, largest: float) -> None:
    """What the numbers must be before anything can be computed with them."""
    size, count = sum(networks.layout.state_sizes), len(cover.owners)
    require(cover.statement.length is None, "a cover is about words of any length")
    require(cover.widths.shape == (size,), "its widths are damaged")
    mantissas, exponents = np.frexp(cover.widths)
    powers = (mantissas == 0.5) & (np.abs(exponents) < 64)
    require(powers.all(), "its widths are no powers of two")
    for name in ("lower", "upper"):
        values = getattr(cover, name)
        fits = values.shape == (count, size) and (np.abs(values) < largest).all()
        require(fits, f"its {name} bounds are damaged")
    require((cover.lower <= cover.upper).all(), "a box is turned around")


def _moves(cover: Cover, language: Language[Any]) -> tuple[Integers, Truth, Truth]:
    """What every symbol does, by walking from the start through all configurations that are not too deep.

    The configurations reached, (symbol, configuration), −1 for none; what is right in each, (configuration,
    output), and whether that counts, (configuration,).
    """
    numbers = {_led_to(language, word): number for number, word in enumerate(cover.words)}
    require(len(numbers) == len(cover.words), "a configuration comes twice")
    require(numbers.get(language.start) == 0, "the start is not its first configuration")
    symbols, count = range(len(language.alphabet)), len(numbers)
    reached = np.full((len(symbols), count), -1, np.int64)
    right, counted = np.zeros((count, language.outputs), np.bool_), np.zeros(count, np.bool_)
    waiting, met = deque([language.start]), {language.start}
    while waiting:
        state = waiting.popleft()
        right[numbers[state], list(language.next_symbols(state))] = True
        following = [language.step(state, symbol) for symbol in symbols]
        ends = [language.accepts(after) for after in following if after is not None]
        counted[numbers[state]] = cover.statement.steps == "all" or any(ends)
        for symbol, after in enumerate(following):
            if after is not None and max(language.depths(after), default=0) <= cover.statement.depth:
                require(after in numbers, "a configuration is missing")
                reached[symbol, numbers[state]] = numbers[after]
                if after not in met:
                    met.add(after)
                    waiting.append(after)
    return reached, right, counted


def _led_to(language: Language[Any], word: tuple[int, ...]) -> Any:
    state = language.start
    for symbol in word:
        require(symbol < len(language.alphabet), "a configuration is none of the language's")
        state = language.step(state, symbol)
        require(state is not None, "a configuration is none of the language's")
    return state


def _keys(owners: Integers, lower: Array, widths: Array) -> list[bytes]:
    """Boxes by their configuration and the cell in which they begin."""
    cells = np.floor(lower / widths + 0.5)
    rows = np.ascontiguousarray(np.concatenate([owners[:, None], cells], axis=1).astype(np.int64))
    return [row.tobytes() for row in rows]


def _covered(cover: Cover, boxes: dict[bytes, int], owners: Integers, lower: Array, upper: Array) -> bool:
    """Whether all pieces of boxes of some configurations lie in boxes of the cover."""
    for number, width in enumerate(cover.widths):
        first = np.floor(lower[:, number] / width + 0.5)
        last = np.maximum(first, np.ceil(upper[:, number] / width + 0.5) - 1)
        counts = last - first + 1
        near = np.maximum(np.abs(first), np.abs(last)).max(initial=0) < _FARTHEST
        require(near and counts.sum() <= _MOST_PIECES, "its boxes are cut into too many pieces")
        counts = counts.astype(np.int64)
        rows = np.repeat(np.arange(len(lower)), counts)
        cells = first[rows] + (np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts))
        owners, lower, upper = owners[rows], lower[rows], upper[rows]
        # the first piece begins, and the last one ends, where the box does: nothing is left out
        lower[:, number] = np.where(cells == first[rows], lower[:, number], (cells - 0.5) * width)
        upper[:, number] = np.where(cells == last[rows], upper[:, number], (cells + 0.5) * width)
    numbers = np.array([boxes.get(key, -1) for key in _keys(owners, lower, cover.widths)], np.int64)
    inside = (cover.lower[numbers] <= lower) & (upper <= cover.upper[numbers])
    return bool((numbers >= 0).all() and inside.all())
