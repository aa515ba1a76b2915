"""A layer: what words of one length lead to, by configuration; and the way to the next layer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from abacist.analysis.horizons.configurations import NONE, Configurations

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Layer:
    """Configurations, and where the states (or boxes) of each begin; one end more than configurations."""

    configurations: Integers
    starts: Integers

    @property
    def count(self) -> int:
        return int(self.starts[-1])


@dataclass(frozen=True, eq=False)
class Ways:
    """How a layer leads to the next one: for each configuration there, the steps that lead to it.

    Those of configuration n are `symbols` and `sources` (numbers within the layer before) from
    `starts[n]` to `starts[n + 1]`.
    """

    configurations: Integers
    starts: Integers
    symbols: Integers
    sources: Integers


def ways_on(known: Configurations, layer: Layer, length: int, limit: int) -> Ways:
    """The ways from a layer of some length; what is only in words of `limit` symbols or more is left out."""
    known.expand(layer.configurations)
    successors = known.successors[:, layer.configurations]
    alive = successors != NONE
    alive &= length + 1 + known.endings[np.where(alive, successors, 0)] < limit
    symbols, sources = np.nonzero(alive)
    reached, numbers = np.unique(successors[symbols, sources], return_inverse=True)
    order = np.argsort(numbers, kind="stable")
    starts = np.searchsorted(numbers[order], np.arange(len(reached) + 1))
    return Ways(reached, starts, symbols[order], sources[order])
