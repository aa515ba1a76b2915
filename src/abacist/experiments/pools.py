"""Corpora of pools, kept as long as there is room: all networks that are trained on a pool have the same."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from abacist.corpora import Corpora, Recipe, draw

#: Symbols that are kept, about a byte each.
_ROOM = 4 << 30


class Pools:
    """What was drawn, by recipe, the latest used last; threads may share it."""

    def __init__(self, room: int = _ROOM) -> None:
        self._room, self._used, self._lock = room, 0, Lock()
        self._kept: OrderedDict[Recipe, Corpora] = OrderedDict()

    def draw(self, recipe: Recipe) -> Corpora:
        """The corpora of a recipe, drawn where they are not kept."""
        with self._lock:
            if recipe in self._kept:
                self._kept.move_to_end(recipe)
                return self._kept[recipe]
        drawn = draw(recipe)
        with self._lock:
            if recipe not in self._kept:
                self._kept[recipe] = drawn
                self._used += _symbols(drawn)
                while self._used > self._room:
                    self._used -= _symbols(self._kept.popitem(last=False)[1])
        return drawn


def _symbols(corpora: Corpora) -> int:
    return sum(corpus.symbols.size for corpus in corpora)


POOLS = Pools()
