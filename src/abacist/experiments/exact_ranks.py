"""How unusual the paper's figures are beside our runs, by ranks alone: exact whatever the distribution.

If the paper's runs and ours differ in nothing, all orders of them are equally probable. The number of our
runs below the j-th smallest of the paper's then has a known distribution, the negative hypergeometric one.
Nothing is assumed of accuracies. Where a figure lies beyond all of ours, the p-value is the least that so
many runs can give.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.errors import BadInput, UnknownName
from abacist.experiments.paper import RUNS, STATISTICS
from abacist.experiments.statistics import Shares, numbers_of
from abacist.fields import checked

#: A printed figure stands for all that round to it: half of its last digit, and what float64 makes of that.
ROUNDING = 0.005 + 1e-9


@checked
def exact_p_value(shares: Shares, figure: float, statistic: str, size: int = RUNS) -> float:
    """The probability that `size` further runs of ours give a figure as unusual, two-sided.

    Twice the smaller tail, at most 1. Ties count for the figure's being usual, and so does that the median
    of an even number lies somewhere between two of the runs: the p-value may be too large, never too small.

    >>> exact_p_value([0.0] * 190, 50.0, "max")  # above all of ours: twice 10 of 200
    0.1
    """
    numbers = numbers_of(shares)
    at_most = np.array([(numbers <= figure + ROUNDING).sum()])
    below = np.array([(numbers < figure - ROUNDING).sum()])
    return float(two_sided(at_most, below, statistic, size, len(numbers))[0])


def two_sided(
    at_most: NDArray[Any], below: NDArray[Any], statistic: str, size: int, ours: int
) -> NDArray[np.float64]:
    """The p-values of figures of which so many of our runs are at most as large, and so many below."""
    low, high = _places(statistic, size)
    # From the other end, the j-th smallest is the (size + 1 − j)-th largest.
    lower = smaller_ranks(low, size, ours)[at_most]
    upper = smaller_ranks(size + 1 - high, size, ours)[ours - below]
    return np.asarray(np.minimum(1.0, 2 * np.minimum(lower, upper)))


def _places(statistic: str, size: int) -> tuple[int, int]:
    """The runs, counted from the smallest, between which a statistic of some runs lies."""
    if statistic not in STATISTICS:
        raise UnknownName(f"unknown statistic {statistic!r}; there are {', '.join(STATISTICS)}")
    if size < 1:
        raise BadInput(f"exact_p_value: size must be at least 1, got {size}")
    return {"min": (1, 1), "max": (size, size), "median": ((size + 1) // 2, size // 2 + 1)}[statistic]


@lru_cache(maxsize=256)
def smaller_ranks(place: int, size: int, ours: int) -> NDArray[np.float64]:
    """The probability that at most r of our runs lie below the `place`-th smallest of `size` others, (r).

    Of all C(ours + size, size) orders, those with r of ours below it have place − 1 of the others mixed
    with these r, and size − place mixed with the rest.

    >>> smaller_ranks(1, 1, 3)  # one other run: below, between or above three of ours
    array([0.25, 0.5 , 0.75, 1.  ])
    """
    orders = comb(ours + size, size)
    ways = (
        comb(r + place - 1, place - 1) * comb(ours - r + size - place, size - place) for r in range(ours + 1)
    )
    found = np.array([total / orders for total in accumulate(ways)])
    found.setflags(write=False)
    return found
