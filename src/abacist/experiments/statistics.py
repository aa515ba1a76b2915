"""Figures of some runs: their summaries, and intervals for their medians."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import inf

import numpy as np
from numpy.typing import NDArray

from abacist.errors import BadInput, UnknownName
from abacist.experiments.paper import STATISTICS
from abacist.fields import checked, short_repr

#: How many times runs are drawn again; the seed is fixed, so that a report can be made again.
RESAMPLES = 20_000

_FUNCTIONS: dict[str, Callable[..., NDArray[np.float64]]] = dict(
    zip(STATISTICS, (np.min, np.max, np.median), strict=True)
)

#: The accuracies of some runs, (run).
Shares = NDArray[np.float64] | Sequence[float]

#: Runs that are drawn at once; the stream of random numbers is the same however many they are.
_DRAWN_AT_ONCE = 100_000


def numbers_of(shares: Shares) -> NDArray[np.float64]:
    """The accuracies of at least one run as an array."""
    try:
        numbers = np.asarray(shares, np.float64)
    except (TypeError, ValueError):
        raise BadInput(f"accuracies must be numbers, got {short_repr(shares)}") from None
    if numbers.ndim != 1 or not numbers.size:
        raise BadInput(f"accuracies must be a row of numbers, one a run at least, got {short_repr(shares)}")
    return numbers


@checked
def summarise(shares: Shares) -> dict[str, float]:
    """Minimum, maximum and median of some runs."""
    return {name: float(function(numbers_of(shares))) for name, function in _FUNCTIONS.items()}


def summary_of(values: NDArray[np.float64], statistic: str) -> NDArray[np.float64]:
    """The minimum, maximum or median of every row, (row)."""
    return _FUNCTIONS[statistic](values, axis=1)


@checked
def resampled(shares: Shares, size: int, statistic: str) -> NDArray[np.float64]:
    """The statistic of `size` runs drawn from ours with replacement, many times over.

    A few times at once: all at once, ten thousand runs would fill gigabytes. What is drawn are
    ranks, since small whole numbers are quicker to put in order.
    """
    if statistic not in _RANKS:
        raise UnknownName(f"unknown statistic {statistic!r}; there are {', '.join(_RANKS)}")
    if size < 1:
        raise BadInput(f"resampled: size must be at least 1, got {size}")
    numbers, rng = numbers_of(shares), np.random.default_rng(2019)
    ordered = np.sort(numbers)
    ranks = np.argsort(np.argsort(numbers)).astype(np.uint16 if len(ordered) <= 1 << 16 else np.uint32)
    rows = max(1, _DRAWN_AT_ONCE // size)
    found = []
    for first in range(0, RESAMPLES, rows):
        places = rng.integers(0, len(ordered), (min(rows, RESAMPLES - first), size))
        middle = _RANKS[statistic](ranks[places], size)
        found.append(ordered[middle].mean(axis=1))
    return np.concatenate(found)


def _middle(drawn: NDArray[np.unsignedinteger], size: int) -> NDArray[np.unsignedinteger]:
    """The one or two ranks in the middle, (resample, rank)."""
    middle = sorted({(size - 1) // 2, size // 2})
    return np.partition(drawn, middle, axis=1)[:, middle]


#: Which ranks of those drawn, (resample, run), a statistic is the mean of.
_RANKS: dict[str, Callable[..., NDArray[np.unsignedinteger]]] = {
    "min": lambda drawn, _: drawn.min(axis=1, keepdims=True),
    "max": lambda drawn, _: drawn.max(axis=1, keepdims=True),
    "median": _middle,
}


@checked
def median_interval(shares: Shares, level: float = 0.95) -> tuple[float, float]:
    """A bootstrap interval for the median."""
    if not 0 < level < 1:
        raise BadInput(f"median_interval: level must be between 0 and 1, got {level}")
    values = resampled(shares, len(numbers_of(shares)), "median")
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


@checked
def exact_median_interval(values: Shares, level: float = 0.95) -> tuple[float, float]:
    """An interval from one of the values to another that has the median of all possible ones, whatever their
    distribution; without end where there are too few values for the level.

    A value is below the median in half of all cases, so that how many are is known exactly (the sign test).
    Unlike a bootstrap interval it is never too narrow, however few runs there are.

    >>> exact_median_interval([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    (2.0, 9.0)
    """
    if not 0 < level < 1:
        raise BadInput(f"exact_median_interval: level must be between 0 and 1, got {level}")
    ordered = np.sort(numbers_of(values))
    cut = _cut(len(ordered), level)
    return (float(ordered[cut - 1]), float(ordered[len(ordered) - cut])) if cut else (-inf, inf)


@lru_cache(maxsize=64)
def _cut(count: int, level: float) -> int:
    """How many values may be left out at either end: fewer of them on one side of the median are too rare."""
    below = np.arange(count // 2)
    ways = np.cumsum(np.log(count - below) - np.log(below + 1))  # of having one more below, as logarithms
    logs = np.concatenate(([0.0], ways))[: count // 2] - count * np.log(2)
    return int((2 * np.cumsum(np.exp(logs)) <= 1 - level + 1e-12).sum())
