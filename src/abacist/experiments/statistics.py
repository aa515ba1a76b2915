"""Figures of some runs: summaries, also by groups, intervals for medians, and the distance of two samples."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from math import exp, inf, isnan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.errors import BadInput, UnknownName
from abacist.experiments.paper_table import STATISTICS
from abacist.fields import checked, short_repr
from abacist.wording import unknown

#: How many times runs are drawn again; the seed is fixed, so that a report can be made again.
RESAMPLES = 20_000

#: What gives the smallest, largest and median number of a row.
FUNCTIONS: dict[str, Callable[..., NDArray[np.float64]]] = dict(
    zip(STATISTICS, (np.min, np.max, np.median), strict=True)
)

#: What can be said of the known values of a group; the standard deviation is that of a sample.
_OF_GROUPS: dict[str, Callable[..., Any]] = {"mean": np.mean, "std": partial(np.std, ddof=1), **FUNCTIONS}

#: The quantiles that `quantiles` stands for.
_QUANTILES = ("q5", "q25", "median", "q75", "q95")

GROUP_STATISTICS = ("count", *_OF_GROUPS, "quantiles")

#: How often an interval has the median.
_LEVEL = 0.95

#: The accuracies of some runs, (run).
Shares = NDArray[np.float64] | Sequence[float]

#: Terms of a series that are added up; the last is far below any p-value that is shown.
_TERMS = 100

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
    return {name: float(function(numbers_of(shares))) for name, function in FUNCTIONS.items()}


@checked
def median_interval(shares: Shares) -> tuple[float, float]:
    """A 95 % bootstrap interval for the median: of as many runs drawn from ours with replacement, many times.

    A few times at once: all at once, ten thousand runs would fill gigabytes. What is drawn are
    ranks, since small whole numbers are quicker to put in order.
    """
    numbers, rng = numbers_of(shares), np.random.default_rng(2019)
    ordered, size = np.sort(numbers), len(numbers)
    ranks = np.argsort(np.argsort(numbers)).astype(np.uint16 if size <= 1 << 16 else np.uint32)
    rows, middle = max(1, _DRAWN_AT_ONCE // size), sorted({(size - 1) // 2, size // 2})
    medians = []
    for first in range(0, RESAMPLES, rows):
        places = rng.integers(0, size, (min(rows, RESAMPLES - first), size))
        drawn = np.partition(ranks[places], middle, axis=1)[:, middle]
        medians.append(ordered[drawn].mean(axis=1))
    low, high = np.quantile(np.concatenate(medians), [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
    return float(low), float(high)


@checked
def exact_median_interval(values: Shares, level: float = _LEVEL) -> tuple[float, float]:
    """An interval from one of the values to another for the median of all possible ones, whatever their
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


@checked
def greatest_distance(first: Shares, second: Shares) -> float:
    """How far apart the shares of values up to a number are at most in two samples (Kolmogorov, Smirnov).

    >>> greatest_distance([1, 2, 3], [2, 3, 4, 5])
    0.5
    """
    one, other = np.sort(numbers_of(first)), np.sort(numbers_of(second))
    places = np.concatenate((one, other))
    shares = [np.searchsorted(values, places, "right") / len(values) for values in (one, other)]
    return float(np.abs(shares[0] - shares[1]).max())


@checked
def two_sample_p_value(first: Shares, second: Shares) -> float:
    """The probability that two samples of one distribution are at least so far apart.

    By Kolmogorov's limit, which is near for some dozens of values; where many are equal, as at a ceiling, it
    is too large.
    """
    one, other = len(numbers_of(first)), len(numbers_of(second))
    root = sqrt(one * other / (one + other))
    scaled = greatest_distance(first, second) * (root + 0.12 + 0.11 / root)
    if scaled < 0.2:  # the series does not settle there; what it comes to is 1
        return 1.0
    total = sum((1.0 if k % 2 else -1.0) * exp(-2 * (k * scaled) ** 2) for k in range(1, _TERMS + 1))
    return min(1.0, max(0.0, 2 * total))


@checked
def statistics_named(names: Sequence[str]) -> tuple[str, ...]:
    """Statistics that are asked for, each once: `quantiles` are five of them, `q90` is one."""
    statistics: list[str] = []
    for name in names:
        plain = name.strip().lower()
        if plain == "quantiles":
            statistics += _QUANTILES
        elif plain in GROUP_STATISTICS or (re.fullmatch(r"q[0-9]{1,3}", plain) and int(plain[1:]) <= 100):
            statistics.append(plain)
        else:
            raise UnknownName(unknown("statistic", name, GROUP_STATISTICS, "q90 and the like work, too"))
    return tuple(dict.fromkeys(statistics))


@checked
def grouped(
    rows: Sequence[Mapping[str, Any]], by: Sequence[str], of: Sequence[str], show: Sequence[str]
) -> list[dict[str, Any]]:
    """A row for every group of rows that agree in the fields `by`, in the order of their values.

    It has these values, the number of `runs`, and the statistics of every field in `of` over the values that
    are known, as `long mean`; None where there are none.
    """
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(row.get(name) for name in by), []).append(row)
    summaries = []
    for key in sorted(groups, key=lambda values: tuple(map(in_order, values))):
        row = dict(zip(by, key, strict=True)) | {"runs": len(groups[key])}
        for field in of:
            present = (member.get(field) for member in groups[key])
            values = np.array([value for value in present if value is not None], np.float64)
            row |= {f"{field} {name}": statistic(name, values) for name in show}
        summaries.append(row)
    return summaries


def in_order(value: Any) -> tuple[int, Any]:
    """What values of any kind are sorted by: numbers, then texts, then what is not known."""
    if value is None or (isinstance(value, float) and isnan(value)):
        return 2, 0
    return int(isinstance(value, str)), value


def statistic(name: str, values: Any) -> float | int | None:
    """A statistic of the known values of a group, (value,); None where they are too few."""
    if name == "count":
        return len(values)
    if len(values) < (2 if name == "std" else 1):
        return None
    if name in _OF_GROUPS:
        return float(_OF_GROUPS[name](values))
    return float(np.quantile(values, int(name[1:]) / 100))
