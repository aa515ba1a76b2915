"""Random choices: the bits of a seed, weighted choices in integers alone, draws without replacement.

Every machine draws the same. NumPy promises that the bits of SFC64 and of SeedSequence never change. A choice
compares 64 of them with thresholds, which are computed from exact or high-precision weights and rounded to
2⁻⁶⁴ once; no float takes part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from enum import IntEnum
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from abacist.errors import BadInput
from abacist.fields import expect
from abacist.languages import Word

Weight = int | Decimal


class Purpose(IntEnum):
    """What a stream is for; the numbers are part of what a seed means."""

    CORPORA = 0
    WEIGHTS = 1
    ORDER = 2
    STRESS = 3
    EDITS = 4
    OWN_ORDER = 5
    STATES = 6


def bit_generator(seed: int, purpose: Purpose, *path: int) -> np.random.SFC64:
    """The stream of one purpose of a seed, and of a part of it such as a split's number."""
    expect("seed", seed, int)
    if not 0 <= seed < 2**63:
        raise BadInput(f"seed must be at least 0 and below 2**63, got {seed}")
    return np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(purpose, *path)))


def stream_state(seed: int, purpose: Purpose, *path: int) -> NDArray[np.uint64]:
    """The four words of the generator's state, for compiled code to continue from."""
    state = bit_generator(seed, purpose, *path).state
    return np.array(state["state"]["state"], np.uint64)


def whole_numbers(weights: Sequence[Weight]) -> list[int]:
    """Weights in proportion as integers: exactly, or the largest as 2⁹⁶ where they are decimals."""
    if all(isinstance(weight, int) for weight in weights):
        return [int(weight) for weight in weights]
    with localcontext(prec=60):
        decimals = [Decimal(weight) for weight in weights]
        unit = 2**96 / max(decimals)
        return [int(weight * unit) for weight in decimals]


@dataclass(frozen=True)
class Choices:
    """Rows of weighted options.

    Row r spans `rows[r]` to `rows[r + 1]` of `options` and `thresholds`; it yields the
    first option whose threshold exceeds 64 random bits, or else its last.
    """

    rows: NDArray[np.int64]
    options: NDArray[np.int64]
    thresholds: NDArray[np.uint64]

    @property
    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint64]]:
        """Rows, options and thresholds, for compiled code."""
        return self.rows, self.options, self.thresholds

    @classmethod
    def of(cls, rows: Iterable[Sequence[tuple[int, Weight]]]) -> Choices:
        """Build rows of (option, weight); likely options come first, so that a scan ends early."""
        starts, options, thresholds = [0], [], []
        for row in rows:
            ordered = sorted((pair for pair in row if pair[1] > 0), key=lambda pair: (-pair[1], pair[0]))
            weights = whole_numbers([weight for _, weight in ordered])
            total = sum(weights)
            options += [option for option, _ in ordered]
            thresholds += [min(2**64 - 1, (below << 64) // total) for below in accumulate(weights)]
            starts.append(len(options))
        return cls(np.array(starts, np.int64), np.array(options, np.int64), np.array(thresholds, np.uint64))


def draw_most(
    words: Sequence[Word], weights: Sequence[Weight], count: int, bits: np.random.SFC64
) -> list[Word]:
    """Draw `count` words one after the other, each by its weight among those left.

    It is for when most of what exists is wanted: repeated draws until enough distinct words have come would
    take forever near the end of a list. To remove every drawn word gives the same distribution.
    """
    size = 1 << (len(words) - 1).bit_length()
    leaves = [max(1, weight) for weight in whole_numbers(weights)]
    sums = (
        [0] * size + leaves + [0] * (size - len(leaves))
    )  # a binary tree: node i has those below 2i and 2i + 1
    for node in reversed(range(1, size)):
        sums[node] = sums[2 * node] + sums[2 * node + 1]
    chosen = []
    for _ in range(count):
        node, target = 1, _below(bits, sums[1])
        while node < size:
            node *= 2
            if target >= sums[node]:
                target -= sums[node]
                node += 1
        chosen.append(words[node - size])
        weight = sums[node]
        while node:
            sums[node] -= weight
            node //= 2
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
