"""What more than ten runs say about the paper's ten: resampling and bootstrap."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from abacist.experiments.paper import RUNS

#: How many times runs are drawn again; the seed is fixed, so that a report can be made again.
RESAMPLES = 20_000

_STATISTICS: dict[str, Callable[..., NDArray[np.float64]]] = {
    "min": np.min,
    "max": np.max,
    "median": np.median,
}


def summarise(shares: NDArray[np.float64]) -> dict[str, float]:
    """Minimum, maximum and median of some runs."""
    return {name: float(function(shares)) for name, function in _STATISTICS.items()}


def resampled(shares: NDArray[np.float64], size: int, statistic: str) -> NDArray[np.float64]:
    """The statistic of `size` runs drawn from ours with replacement, many times over."""
    rng = np.random.default_rng(2019)
    drawn = np.asarray(shares)[rng.integers(0, len(shares), (RESAMPLES, size))]
    return np.asarray(_STATISTICS[statistic](drawn, axis=1))


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
