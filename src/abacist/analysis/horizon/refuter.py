"""The refuter: real words, all of them while there are few, then those with the most telling states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra.intervals import decision_margin
from abacist.analysis.horizon.configurations import Configurations
from abacist.analysis.horizon.layers import Layer, ways_on
from abacist.analysis.horizon.thinning import thin_states
from abacist.analysis.reading import follow
from abacist.cells import predicted
from abacist.engine.reference import forward
from abacist.languages import Word
from abacist.specs import Networks
from abacist.targets import target_for

Array = NDArray[Any]

_FIRST_WIDTH = 1e-4


@dataclass(frozen=True)
class Refutation:
    """A word that a network gets wrong: its first wrong step, from 1, what is predicted, what is right."""

    word: Word
    step: int
    predicted: tuple[int, ...]
    right: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.word)


def refutation(
    networks: Networks, run: int, known: Configurations, word: Sequence[int], steps: str = "all"
) -> Refutation | None:
    """A word as a refutation, if the engine and the NumPy reading both get it wrong, at the same step."""
    reading = follow(networks, run, known.language, word, steps=steps)
    _, outputs = forward(networks, run, word)
    plain = reading.counted & (predicted(outputs) != reading.targets).any(axis=1)
    if not (reading.wrong.any() and plain.any() and reading.wrong.argmax() == plain.argmax()):
        return None
    step = int(plain.argmax())
    return Refutation(
        tuple(map(int, word)), step + 1, _named(reading.predicted[step]), _named(reading.targets[step])
    )


def _named(hot: Array) -> tuple[int, ...]:
    return tuple(map(int, np.flatnonzero(hot)))


def refute(
    networks: Networks,
    run: int,
    known: Configurations,
    *,
    limit: int,
    budget: int,
    steps: str = "all",
    most: int = 8,
    going: Callable[[int, int, int], bool] = lambda length, limit, states: True,
) -> list[Refutation]:
    """Words of fewer than `limit` symbols that the network gets wrong, the shortest found first.

    `budget` is how many states a configuration may have, and `most` how many words are kept for
    each. `going` is as in `prove`.
    """
    stepper = target_for(networks.layout).stepping(networks, run, False)
    margin = decision_margin(str(networks.parameters.dtype))
    symbols = len(known.successors)
    widths: Array = np.zeros(0)
    table, keys = np.empty(4 * budget + 1, np.int64), np.empty(4 * budget + 1, np.uint64)
    states, after = stepper.rows(1, stepper.width), stepper.rows(1, symbols * stepper.results)
    layer, length = Layer(np.array([0]), np.array([0, 1])), 0
    trail: list[tuple[Array, Array]] = []
    found: list[Refutation] = []
    while True:
        ways = ways_on(known, layer, length, limit)
        if len(ways.configurations) == 0 or not going(length, limit, layer.count):
            return sorted(found, key=len)
        if after.shape[1] < layer.count:
            after = stepper.rows(2 * layer.count, symbols * stepper.results)
        made = after.reshape(symbols, stepper.results, -1)
        for symbol in np.unique(ways.symbols):
            stepper(int(symbol), states, made[symbol], layer.count)
        sizes = np.diff(layer.starts)[ways.sources]
        room = int(np.minimum(np.add.reduceat(sizes, ways.starts[:-1]), budget).sum())
        if states.shape[1] < room:
            states = stepper.rows(2 * room, stepper.width)
        if len(widths) < len(known):
            widths = np.concatenate([widths, np.full(2 * len(known) - len(widths), _FIRST_WIDTH)])
        count = len(ways.configurations)
        own, starts = widths[ways.configurations], np.zeros(count + 1, np.int64)
        parents, read = np.empty(room, np.int32), np.empty(room, np.uint8)
        wrong = np.zeros(count, np.int64)
        wrong_parents, wrong_read = np.empty((count, most), np.int32), np.empty((count, most), np.uint8)
        counted = known.accepting if steps == "last" else np.ones_like(known.accepting)
        thin_states(
            made, layer.starts, ways.starts, ways.symbols, ways.sources,
            known.targets[ways.configurations], counted[ways.configurations], margin, budget, own, states,
            parents, read, starts, wrong, wrong_parents, wrong_read, table, keys,
        )  # fmt: skip
        widths[ways.configurations] = own
        length += 1
        for number in np.flatnonzero(wrong):
            ending = known.shortest_ending(int(ways.configurations[number]))
            for which in range(wrong[number]):
                prefix = _prefix(trail, int(wrong_parents[number, which]), int(wrong_read[number, which]))
                confirmed = refutation(networks, run, known, (*prefix, *ending), steps)
                if confirmed is not None:
                    found.append(confirmed)
                    limit = min(limit, len(confirmed))
        trail.append((parents[: starts[-1]].copy(), read[: starts[-1]].copy()))
        layer = Layer(ways.configurations, starts)


def _prefix(trail: Sequence[tuple[Array, Array]], place: int, symbol: int) -> list[int]:
    """The word that led to a state of the last layer, and a symbol more."""
    word = [symbol]
    for parents, read in reversed(trail):
        word.append(int(read[place]))
        place = int(parents[place])
    return word[::-1]
