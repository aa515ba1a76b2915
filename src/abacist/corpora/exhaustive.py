"""Drawing without replacement from a list, for when most of what exists is asked for.

Repeating draws until enough distinct words have come would take forever near the end
of a list. Removing every drawn word from a weighted list gives the same distribution.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from abacist.corpora.choices import Weight, whole_numbers
from abacist.languages import Word


def draw_most(
    words: Sequence[Word], weights: Sequence[Weight], count: int, bits: np.random.SFC64
) -> list[Word]:
    """Draw `count` words one after the other, each by its weight among those left."""
    tree = _WeightTree([max(1, weight) for weight in whole_numbers(weights)])
    chosen = []
    for _ in range(count):
        place = tree.find(_below(bits, tree.total))
        tree.remove(place)
        chosen.append(words[place])
    return chosen


def _below(bits: np.random.SFC64, bound: int) -> int:
    """A uniform integer below any bound, without bias."""
    size = bound.bit_length()
    while True:
        value = 0
        for _ in range(-(-size // 64)):
            value = value << 64 | int(bits.random_raw())
        value >>= -size % 64
        if value < bound:
            return value


class _WeightTree:
    """A Fenwick tree: find a place by cumulative weight, and remove it, in logarithmic time."""

    def __init__(self, weights: Sequence[int]) -> None:
        self.weights = list(weights)
        self.total = sum(weights)
        self.sums = [0, *weights]
        for i in range(1, len(self.sums)):
            parent = i + (i & -i)
            if parent < len(self.sums):
                self.sums[parent] += self.sums[i]

    def find(self, target: int) -> int:
        """The first place whose cumulative weight exceeds `target`."""
        place, step = 0, 1 << len(self.weights).bit_length()
        while step := step >> 1:
            if place + step < len(self.sums) and self.sums[place + step] <= target:
                place += step
                target -= self.sums[place]
        return place

    def remove(self, place: int) -> None:
        weight, self.weights[place] = self.weights[place], 0
        self.total -= weight
        i = place + 1
        while i < len(self.sums):
            self.sums[i] -= weight
            i += i & -i
