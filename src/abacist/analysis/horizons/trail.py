"""The trail of an exploration: which word led to each state, in a memory that is bounded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

#: Bytes that a trail may take, and how many it has before states without descendants are looked for.
ROOM, _FIRST = 2**28, 2**22

#: Bytes of a layer, whatever it holds: its arrays are objects of their own.
_LAYER = 256


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

    Where these take more than `room` bytes, the oldest layers are forgotten, and `forgotten` says how many.
    """

    def __init__(self, room: int = ROOM) -> None:
        self._room, self._size, self._limit = room, 0, min(_FIRST, room)
        self._segments = [_Segment(np.zeros(1, np.int32))]
        self.forgotten = 0

    def append(self, parents: Array, read: Array) -> None:
        """Add the next layer: (place,) the place of the parent of each state, and the symbol read."""
        self._segments[-1].layers.append((parents.astype(np.int32), read.astype(np.uint8)))
        self._size += _size(*self._segments[-1].layers[-1])
        if self._size > self._limit:
            self._prune()
            self._forget()
            self._limit = min(max(_FIRST, 2 * self._size), self._room)

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
        """Forget the oldest segments, so that there is room for as much again; the last layer stays."""
        while self._size > self._room // 2 and len(self._segments) > 2:
            oldest = self._segments.pop(0)
            self._size -= oldest.size
            self.forgotten += len(oldest.layers)
