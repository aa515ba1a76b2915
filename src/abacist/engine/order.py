"""The order in which a run visits its words.

`shared`: words sorted by length into slots, which every epoch visits in one shuffled order, the same
for all runs. Words of nearly equal length then lie side by side, so that sixteen runs hardly wait for
each other. `own`: every run lays its words into slots in an order of its own, and epochs shuffle the
slots. `fixed`: as they were drawn, in every epoch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.corpora import Purpose, Words, bit_generator
from abacist.errors import BadInput
from abacist.fields import checked


@checked
def slots_of(order: str, seed: int, lengths: NDArray[Any]) -> NDArray[np.int64]:
    """Which word of a run lies in each slot."""
    if order == "shared":
        return np.argsort(lengths, kind="stable")
    if order == "own":
        return np.argsort(bit_generator(seed, Purpose.OWN_ORDER).random_raw(len(lengths)), kind="stable")
    return np.arange(len(lengths))


@checked
def slots_of_all(order: str, seeds: Sequence[int], words: Sequence[Words]) -> list[NDArray[np.int64]]:
    """The same for several runs; those with the very same words share one array, unless each has its own."""
    if order == "own":
        return [slots_of(order, seed, own.lengths) for seed, own in zip(seeds, words, strict=True)]
    found: dict[int, NDArray[np.int64]] = {}
    for own in words:
        if id(own) not in found:
            found[id(own)] = slots_of(order, 0, own.lengths)
    return [found[id(own)] for own in words]


@checked
def epoch_order(words: int, epoch: int, order: str = "shared") -> NDArray[np.int64]:
    """The order in which an epoch visits the slots: the same for every run."""
    for name, value in (("words", words), ("epoch", epoch)):
        if value < 0:
            raise BadInput(f"epoch_order: {name} must be at least 0, got {value}")
    if order == "fixed":
        return np.arange(words)
    return np.argsort(bit_generator(0, Purpose.ORDER, epoch).random_raw(words), kind="stable")
