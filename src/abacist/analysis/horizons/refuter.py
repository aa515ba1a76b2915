"""The refuter: real words, all of them while there are few, then those with the most telling states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.exploration import Exploration, Going, always
from abacist.analysis.horizons.influence import influences
from abacist.analysis.horizons.layers import Ways
from abacist.analysis.horizons.trail import ROOM, Trail
from abacist.analysis.reading import follow
from abacist.engine.reference import forward
from abacist.errors import BadInput
from abacist.fields import check_fields
from abacist.languages import Word
from abacist.on_demand import on_demand
from abacist.specs import Networks
from abacist.wording import plural

Array = NDArray[Any]

_thinning = on_demand("abacist.analysis.horizons.thinning")


@dataclass(frozen=True)
class Refutation:
    """A word that a network gets wrong: its first wrong step, from 1, what is predicted, what is right."""

    word: Word
    step: int
    predicted: tuple[int, ...]
    right: tuple[int, ...]

    def __post_init__(self) -> None:
        check_fields(self)
        if not 1 <= self.step <= len(self.word):
            raise BadInput(
                f"Refutation: step must be from 1 to the word's {plural(len(self.word), 'symbol')}, "
                f"got {self.step}"
            )

    def __len__(self) -> int:
        return len(self.word)


def refutation(
    networks: Networks, run: int, known: Configurations, word: Sequence[int], steps: str = "all"
) -> Refutation | None:
    """A word as a refutation, if the engine and the NumPy reading both get it wrong, at the same step."""
    reading = follow(networks, run, known.language, word, steps=steps)
    with np.errstate(over="ignore", invalid="ignore"):  # weights that have diverged are followed, too
        _, outputs = forward(networks, run, word)
    plain = reading.counted & (networks.layout.predicted(outputs) != reading.targets).any(axis=1)
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
    most_in_all: int | None = None,
    matter: Array | None = None,
    going: Going = always,
    room: int = ROOM,
) -> list[Refutation]:
    """Words of fewer than `limit` symbols that the network gets wrong, the shortest found first.

    `budget` is how many states a configuration may have, and `most` how many words are kept for each
    configuration in which one is found; `most_in_all` is how many states there may be of one length. `room`
    is how many bytes the trail may take: beyond, a word is found by exploring again.
    """
    matter = influences(networks, run, known) if matter is None else matter

    def begin() -> Exploration:
        return Exploration(
            networks, run, known, boxes=False, budget=budget, steps=steps, most=most_in_all, matter=matter
        )

    here, trail, limits = begin(), Trail(room), list[int]()
    beginnings: dict[tuple[int, int], list[int]] = {(0, 0): []}
    found: list[Refutation] = []
    while (ways := here.ways(limit)) is not None and going(here.length, limit, here.layer.count):
        limits.append(limit)
        layer = _next_layer(here, ways, most)
        for number in np.flatnonzero(layer.wrong):
            ending = known.shortest_ending(int(ways.configurations[number]), least=int(steps == "last"))
            for which in range(layer.wrong[number]):
                origin, path = trail.path(int(layer.wrong_parents[number, which]))
                begun = (trail.forgotten, origin)
                if begun not in beginnings:
                    beginning = _again(begin, limits, *begun, going, room)
                    if beginning is None:
                        return sorted(found, key=len)
                    beginnings[begun] = beginning
                word = (*beginnings[begun], *path, int(layer.wrong_read[number, which]), *ending)
                confirmed = refutation(networks, run, known, word, steps)
                if confirmed is not None:
                    found.append(confirmed)
                    limit = min(limit, len(confirmed) + 1)
        trail.append(layer.parents, layer.read)
    return sorted(found, key=len)


@dataclass(frozen=True, eq=False)
class _Thinned:
    """The states of a layer, (place,): their parents' places and the symbols read; and those that are wrong.

    `wrong` (configuration,) is how many of these there are, with their parents and symbols.
    """

    parents: Array
    read: Array
    wrong: Array
    wrong_parents: Array
    wrong_read: Array


def _next_layer(here: Exploration, ways: Ways, most: int) -> _Thinned:
    """Go on to the next layer, which is thinned out where there are too many states."""
    room, count, widths = here.step(ways), len(ways.configurations), here.widths(ways)
    starts, wrong = np.zeros(count + 1, np.int64), np.zeros(count, np.int64)
    parents, read = np.empty(room, np.int32), np.empty(room, np.uint8)
    wrong_parents, wrong_read = np.empty((count, most), np.int32), np.empty((count, most), np.uint8)
    _thinning.thin_states(
        here.after, here.layer.starts, ways.starts, ways.symbols, ways.sources, *here.targets(ways),
        here.rows, here.influences, here.margin, here.allowed(ways), widths, here.states, parents, read,
        starts, wrong, wrong_parents, wrong_read, here.table, here.keys,
    )  # fmt: skip
    here.finish(ways, starts, widths)
    made = starts[-1]
    return _Thinned(parents[:made].copy(), read[:made].copy(), wrong, wrong_parents, wrong_read)


def _again(
    begin: Callable[[], Exploration], limits: Sequence[int], length: int, place: int, going: Going, room: int
) -> list[int] | None:
    """The word that led to a state of some length, by exploring again; None where `going` says no."""
    word: list[int] = []
    while length:
        here, trail = begin(), Trail(room)
        for limit in limits[:length]:
            if not going(here.length, length, here.layer.count):
                return None
            ways = here.ways(limit)
            assert ways is not None  # as the first time
            layer = _next_layer(here, ways, 1)
            trail.append(layer.parents, layer.read)
        place, path = trail.path(place)
        word, length = [*path, *word], trail.forgotten
    return word
