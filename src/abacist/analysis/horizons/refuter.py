"""The refuter: real words, all of them while there are few, then those with the most telling states.

A trail has the words that led to the states, in a memory that is bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.exploration import Effort, Exploration, Ways, influences
from abacist.analysis.reading import follow
from abacist.engine.reference import forward
from abacist.errors import BadInput
from abacist.fields import check_fields
from abacist.languages import Word
from abacist.on_demand import on_demand
from abacist.specs import Networks
from abacist.wording import plural

Array = NDArray[Any]

_next_layers = on_demand("abacist.analysis.horizons.next_layers")

#: Bytes that a trail may take, and how many it has before states without descendants are looked for.
TRAIL_BYTES, _FIRST = 2**28, 2**22

#: Bytes of a layer, whatever it holds: its arrays are objects of their own.
_LAYER = 256


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

    @classmethod
    def of(cls, word: Sequence[int], step: int, predicted: Array, right: Array) -> Refutation:
        """By the first wrong step, from 0, and what is predicted and right at each, (time, output)."""
        sets = (tuple(np.flatnonzero(rows[step]).tolist()) for rows in (predicted, right))
        return cls(tuple(map(int, word)), step + 1, *sets)

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
    return Refutation.of(word, int(plain.argmax()), reading.predicted, reading.targets)


def refute(
    networks: Networks, run: int, known: Configurations, *, limit: int, **effort: Unpack[Effort]
) -> list[Refutation]:
    """Words of fewer than `limit` symbols that the network gets wrong, the shortest found first."""
    return find_wrong(networks, run, known, limit=limit, **effort)[0]


def find_wrong(
    networks: Networks,
    run: int,
    known: Configurations,
    *,
    limit: int,
    most: int = 8,
    trail_bytes: int = TRAIL_BYTES,
    **effort: Unpack[Effort],
) -> tuple[list[Refutation], int]:
    """The same words, and up to which length words were looked at.

    `most` is how many words are kept for each configuration in which one is found. Where the trail would take
    more than `trail_bytes`, a word is found by exploring again.
    """
    if effort.get("influence") is None:
        effort["influence"] = influences(networks, run, known)
    begin = partial(Exploration, networks, run, known, boxes=False, **effort)
    here, trail, limits, looked = begin(), Trail(trail_bytes), list[int](), limit - 1
    beginnings: dict[tuple[int, int], list[int]] = {(0, 0): []}
    refutations: list[Refutation] = []
    while (ways := here.ways(limit)) is not None:
        limits.append(limit)
        layer = _next_layer(here, ways, most)
        for number in np.flatnonzero(layer.wrong):
            ending = known.shortest_ending(int(ways.configurations[number]), int(here.steps == "last"))
            for which in range(layer.wrong[number]):
                origin, path = trail.path(int(layer.wrong_parents[number, which]))
                begun = (trail.forgotten, origin)
                if begun not in beginnings:
                    beginning = _again(begin, limits, *begun, trail_bytes)
                    if beginning is None:
                        return sorted(refutations, key=len), here.length
                    beginnings[begun] = beginning
                word = (*beginnings[begun], *path, int(layer.wrong_read[number, which]), *ending)
                confirmed = refutation(networks, run, known, word, here.steps)
                if confirmed is not None:
                    refutations.append(confirmed)
                    limit = min(limit, len(confirmed) + 1)
        trail.append(layer.parents, layer.read)
    return sorted(refutations, key=len), here.length if here.stopped else looked


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
    places, count, widths = here.step(ways), len(ways.configurations), here.widths(ways)
    starts, wrong = np.zeros(count + 1, np.int64), np.zeros(count, np.int64)
    parents, read = np.empty(places, np.int32), np.empty(places, np.uint8)
    wrong_parents, wrong_read = np.empty((count, most), np.int32), np.empty((count, most), np.uint8)
    _next_layers.thin_states(
        here.after, here.layer.starts, ways.starts, ways.symbols, ways.sources, *here.targets(ways),
        here.rows, here.influence, here.margin, here.allowed(ways), widths, here.states, parents, read,
        starts, wrong, wrong_parents, wrong_read, here.table, here.keys,
    )  # fmt: skip
    here.finish(ways, starts, widths)
    made = starts[-1]
    return _Thinned(parents[:made].copy(), read[:made].copy(), wrong, wrong_parents, wrong_read)


def _again(
    begin: Callable[[], Exploration], limits: Sequence[int], length: int, place: int, trail_bytes: int
) -> list[int] | None:
    """The word that led to a state of some length, by exploring again; None where that stops."""
    word: list[int] = []
    while length:
        here, trail = begin(), Trail(trail_bytes)
        for limit in limits[:length]:
            if (ways := here.ways(limit)) is None:
                return None
            layer = _next_layer(here, ways, 1)
            trail.append(layer.parents, layer.read)
        place, path = trail.path(place)
        word, length = [*path, *word], trail.forgotten
    return word


@dataclass
class _Segment:
    """Layers in a row: of each state the place of its parent in the layer before, and the symbol read.

    `origins` (place,) are the places that the states before the first layer had when these were new.
    """

    origins: Array
    layers: list[tuple[Array, Array]] = field(default_factory=list)

    @property
    def size(self) -> int:
        return self.origins.nbytes + sum(_size(*layer) for layer in self.layers)


def _size(parents: Array, read: Array) -> int:
    return _LAYER + parents.nbytes + read.nbytes


class Trail:
    """Parents and symbols of all states that have descendants in the last layer.

    Where these take more than `most_bytes`, the oldest layers are forgotten, and `forgotten` says how many.
    """

    def __init__(self, most_bytes: int = TRAIL_BYTES) -> None:
        self._most, self._size, self._limit = most_bytes, 0, min(_FIRST, most_bytes)
        self._segments = [_Segment(np.zeros(1, np.int32))]
        self.forgotten = 0

    def append(self, parents: Array, read: Array) -> None:
        """Add the next layer: (place,) the place of the parent of each state, and the symbol read."""
        self._segments[-1].layers.append((parents.astype(np.int32), read.astype(np.uint8)))
        self._size += _size(*self._segments[-1].layers[-1])
        if self._size > self._limit:
            self._prune()
            self._forget()
            self._limit = min(max(_FIRST, 2 * self._size), self._most)

    def path(self, place: int) -> tuple[int, list[int]]:
        """The symbols that led to a state of the last layer, and the place of the state they begin with.

        That is a state of the last layer that is forgotten, or the start if none is.
        """
        symbols: list[int] = []
        for segment in reversed(self._segments):
            for parents, read in reversed(segment.layers):
                symbols.append(int(read[place]))
                place = int(parents[place])
            origin = int(segment.origins[place])
        return origin, symbols[::-1]

    def _prune(self) -> None:
        """Leave out states without descendants in the last layer, and begin a new segment there."""
        last = len(self._segments[-1].layers[-1][0])
        alive = np.ones(last, np.bool_)
        for segment in reversed(self._segments):
            for index in reversed(range(len(segment.layers))):
                parents, read = (array[alive] for array in segment.layers[index])
                before = len(segment.layers[index - 1][0] if index else segment.origins)
                alive = np.zeros(before, np.bool_)
                alive[parents] = True
                numbers = np.cumsum(alive, dtype=np.int32) - np.int32(1)
                segment.layers[index] = (numbers[parents], read)
            segment.origins = segment.origins[alive]
            if alive.all():  # what is older was pruned before, and all of it has descendants
                break
        self._segments.append(_Segment(np.arange(last, dtype=np.int32)))
        self._size = sum(segment.size for segment in self._segments)

    def _forget(self) -> None:
        """Forget the oldest segments, so that as much again fits; the last layer stays."""
        while self._size > self._most // 2 and len(self._segments) > 2:
            oldest = self._segments.pop(0)
            self._size -= oldest.size
            self.forgotten += len(oldest.layers)
