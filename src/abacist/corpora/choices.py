"""Weighted choices in integers alone, so that every machine draws the same.

A choice compares 64 random bits with thresholds. The thresholds are computed from
exact or high-precision weights and rounded to 2⁻⁶⁴ once; no float takes part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

Weight = int | Decimal


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

    def first(self, count: int) -> Choices:
        """The first rows alone."""
        end = self.rows[count]
        return Choices(self.rows[: count + 1], self.options[:end], self.thresholds[:end])

    def after(self, count: int) -> Choices:
        """All rows but the first ones."""
        begin = self.rows[count]
        return Choices(self.rows[count:] - begin, self.options[begin:], self.thresholds[begin:])

    def followed_by(self, others: Choices) -> Choices:
        """These rows and then others."""
        return Choices(
            np.concatenate((self.rows, others.rows[1:] + self.rows[-1])),
            np.concatenate((self.options, others.options)),
            np.concatenate((self.thresholds, others.thresholds)),
        )
