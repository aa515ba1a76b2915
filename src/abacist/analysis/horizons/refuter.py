"""The refuter: the search for a word that a network gets wrong.

It tries all words while there are few, then those with extreme states, or also those with states near a wrong
decision. A trail stores the words that led to
the states, in bounded memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.exploration import Exploration, Ways, next_layers
from abacist.analysis.reading import follow
from abacist.engine.reference import forward
from abacist.errors import BadInput
from abacist.fields import check_fields
from abacist.languages import Word
from abacist.specs import Networks
from abacist.wording import plural

Array = NDArray[Any]

#: Bytes that a trail may take, and how many it has before states without descendants are looked for.
TRAIL_BYTES, _FIRST = 2**28, 2**22

#: How many words are kept for each configuration in which a state is wrong.
_WORDS = 8

#: Bytes of a layer, whatever it holds: its arrays are objects of their own.
_LAYER = 400


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
    networks: Networks, run: int, configurations: Configurations, word: Sequence[int], steps: str = "all"
) -> Refutation | None:
    """A word as a refutation, if the engine and the NumPy reading both get it wrong, at the same step."""
    reading = follow(networks, run, configurations.language, word, steps=steps)
    with np.errstate(over="ignore", invalid="ignore"):  # weights that have diverged are followed, too
        _, outputs = forward(networks, run, word)
    plain = reading.counted & (networks.layout.predicted(outputs) != reading.targets).any(axis=1)
    if not (reading.wrong.any() and plain.any() and reading.wrong.argmax() == plain.argmax()):
        return None
    return Refutation.of(word, int(plain.argmax()), reading.predicted, reading.targets)


def find_wrong(
    networks: Networks,
    run: int,
    configurations: Configurations,
    *,
    limit: int,
    nearest: float = 0.0,
    **effort: Any,
) -> tuple[list[Refutation], int]:
    """Words of fewer than `limit` symbols that the network gets wrong, the shortest found first.

    And up to which length words were looked at, with the effort of an `Exploration`. `nearest` is the share
    of its budget for the states nearest to a wrong decision; the rest is for extreme ones. Where the trail
    would take more than `TRAIL_BYTES`, a word is found by exploring again.
    """
    begin = partial(Exploration, networks, run, configurations, boxes=False, **effort)
    here, trail, limits, looked = begin(), Trail(TRAIL_BYTES), list[int](), limit - 1
    beginning, refutations = cache(partial(_again, begin, limits, nearest)), list[Refutation]()
    while (ways := here.ways(limit)) is not None:
        limits.append(limit)
        parents, read, mistakes = _next_layer(here, ways, _WORDS, nearest)
        for configuration, parent, symbol in mistakes:
            origin, path = trail.path(parent)
            start = beginning(trail.forgotten, origin) if trail.forgotten else []
            if start is None:
                return sorted(refutations, key=len), here.length
            ending = configurations.shortest_ending(configuration, int(here.steps == "last"))
            word = (*start, *path, symbol, *ending)
            if confirmed := refutation(networks, run, configurations, word, here.steps):
                refutations.append(confirmed)
                limit = min(limit, len(confirmed) + 1)
        trail.append(parents, read)
    return sorted(refutations, key=len), here.length if here.stopped else looked


def _next_layer(
    here: Exploration, ways: Ways, most: int, nearest: float
) -> tuple[Array, Array, Iterator[tuple[int, int, int]]]:
    """Go on to the next layer, which is thinned out where there are too many states.

    For every state the place of its parent and the symbol read, (place,); and of those that decide wrongly,
    `most` at most of a configuration, the configuration, the parent's place and the symbol.
    """
    places, count = here.places(ways), len(ways.configurations)
    wrong, parents, read = np.zeros(count, np.int64), np.empty(places, np.int32), np.empty(places, np.uint8)
    wrong_parents, wrong_read = np.empty((count, most), np.int32), np.empty((count, most), np.uint8)
    more = here.rows, nearest, parents, read, wrong, wrong_parents, wrong_read
    here.advance(ways, next_layers.thin_states, *more)
    mistakes = (
        (int(ways.configurations[number]), int(wrong_parents[number, n]), int(wrong_read[number, n]))
        for number in np.flatnonzero(wrong)
        for n in range(wrong[number])
    )
    return parents[: here.count].copy(), read[: here.count].copy(), mistakes


def _again(
    begin: Callable[[], Exploration], limits: Sequence[int], nearest: float, length: int, place: int
) -> list[int] | None:
    """The word that led to a state of some length, by exploring again; None where that stops."""
    word: list[int] = []
    while length:
        here, trail = begin(), Trail(TRAIL_BYTES)
        for limit in limits[:length]:
            if (ways := here.ways(limit)) is None:
                return None
            trail.append(*_next_layer(here, ways, 1, nearest)[:2])
        place, path = trail.path(place)
        word, length = [*path, *word], trail.forgotten
    return word


class Trail:
    """Parents and symbols of all states that have descendants in the last layer.

    Where these take more than `most_bytes`, the oldest layers are forgotten, and `forgotten` says how many.
    A state is named by the place that it had when it was new.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most, self._size, self._limit = most_bytes, 0, min(_FIRST, most_bytes)
        self._layers: list[tuple[Array, Array, Array]] = []  # the places, rising; of the parents; the symbols
        self._pruned = self.forgotten = 0

    def append(self, parents: Array, read: Array) -> None:
        """Add the next layer: (place,) the place of the parent of each state, and the symbol read."""
        places = np.arange(len(parents), dtype=np.int32)
        self._layers.append((places, parents.astype(np.int32, copy=False), read.astype(np.uint8, copy=False)))
        self._size += _bytes(self._layers[-1])
        if self._size > self._limit:
            self._prune()
            self._limit = min(max(_FIRST, 2 * self._size), self._most)

    def path(self, place: int) -> tuple[int, list[int]]:
        """The symbols that led to a state of the last layer, and the place of the state they begin with.

        That is a state of the last layer that is forgotten, or the start if none is.
        """
        symbols: list[int] = []
        for places, parents, read in reversed(self._layers):
            at = np.searchsorted(places, place)
            symbols.append(int(read[at]))
            place = int(parents[at])
        return place, symbols[::-1]

    def _prune(self) -> None:
        """Leave out states without descendants in the last layer, and the oldest layers, so that as much
        again fits; the last layer stays."""
        ancestors = self._layers[-1][0]
        for index, layer in reversed(list(enumerate(self._layers))):
            needed = np.zeros(1 + layer[0].max(initial=0), np.bool_)
            needed[ancestors] = True
            alive = needed[layer[0]]
            if index < self._pruned and alive.all():  # so have all states of older layers descendants
                break
            places, parents, read = (array[alive] for array in layer)
            self._layers[index], ancestors = (places, parents, read), parents
        self._size = sum(map(_bytes, self._layers))
        while self._size > self._most // 2 and len(self._layers) > 1:
            self._size -= _bytes(self._layers.pop(0))
            self.forgotten += 1
        self._pruned = len(self._layers)


def _bytes(layer: tuple[Array, ...]) -> int:
    return _LAYER + sum(array.nbytes for array in layer)
