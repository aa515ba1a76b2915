"""What more than ten runs can say about the paper's ten: resampling and bootstrap."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from abacist.experiments.paper import RUNS

#: How many times runs are drawn again; the seed is fixed, so that a report can be made again.
RESAMPLES = 20_000

#: Runs that are drawn at once; the stream of random numbers is the same however many they are.
_DRAWN_AT_ONCE = 100_000

_STATISTICS: dict[str, Callable[..., NDArray[np.float64]]] = {
    "min": np.min,
    "max": np.max,
    "median": np.median,
}


def summarise(shares: NDArray[np.float64]) -> dict[str, float]:
    """Minimum, maximum and median of some runs."""
    return {name: float(function(shares)) for name, function in _STATISTICS.items()}


def resampled(shares: NDArray[np.float64], size: int, statistic: str) -> NDArray[np.float64]:
    """The statistic of `size` runs drawn from ours with replacement, many times over.

    A few times at once: all at once, ten thousand runs would fill gigabytes. What is drawn are
    ranks, since small whole numbers are quicker to put in order.
    """
    rng, ordered = np.random.default_rng(2019), np.sort(shares)
    ranks = np.argsort(np.argsort(shares)).astype(np.uint16 if len(ordered) <= 1 << 16 else np.uint32)
    rows = max(1, _DRAWN_AT_ONCE // max(size, 1))
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


def probability(shares: NDArray[np.float64], figure: float, statistic: str, size: int = RUNS) -> float:
    """The probability that ten runs of ours give a statistic at least as far away as the paper's.

    Far away from what ten runs of ours usually give: the median of the resampled statistic.
    """
    values = resampled(shares, size, statistic)
    centre = np.median(values)
    return float((np.abs(values - centre) >= np.abs(figure - centre) - 1e-9).mean())


def median_interval(shares: NDArray[np.float64], level: float = 0.95) -> tuple[float, float]:
    """A bootstrap interval for the median."""
    values = resampled(shares, len(shares), "median")
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
