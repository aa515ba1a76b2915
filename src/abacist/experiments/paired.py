"""Paired comparison of two settings: the same seeds under both, so that what a seed brings cancels out.

A value may be a number, or a range in which the number lies: the shortest wrong word of a network that has
none is longer than all words that are proved. Differences, intervals and counts hold whatever the numbers
are; the p-value is of the values as they are known.

Nothing is assumed about the distribution of values. If the two settings do not differ, a pair and the same
pair swapped are equally probable. All tests and intervals follow from that.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import erfc, lgamma, log, log1p, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.errors import BadInput
from abacist.experiments.statistics import Shares, exact_median_interval, numbers_of
from abacist.fields import checked, short_repr

Array = NDArray[np.float64]

#: The lowest and the highest that a value can be.
Range = tuple[float, float]

#: Pairs up to which a permutation p-value is counted out; beyond, its normal limit is near enough.
MOST_COUNTED = 400

#: Pairs that must differ before anything is said of how many more would decide it.
FEWEST = 5

#: How many times as many pairs a larger experiment may have.
MOST_TIMES = 20

#: Repetitions of a larger experiment, and the share of them that must be decided; the seed is fixed, so that
#: a report can be made again.
_REPETITIONS, _POWER = 400, 0.8


@dataclass(frozen=True)
class PairedTest:
    """What pairs (first, second) say of first − second.

    `wins` are the pairs in which the first is larger; the ranges of `undecided` pairs overlap. `difference`
    is the range in which the median difference of these pairs lies, `interval` a confidence interval for
    the median of all possible pairs. `probability` is the range of the share of pairs in which the first is
    larger. `direction` is the sign of the sum of signed ranks, of which `p_value` is a permutation p-value.
    """

    pairs: int
    wins: int
    losses: int
    ties: int
    undecided: int
    difference: Range
    interval: Range
    probability: Range
    probability_interval: Range
    direction: int
    p_value: float


@checked
def paired_test(first: object, second: object, level: float = 0.95) -> PairedTest:
    """Compare paired values, (pair,), or ranges of values, (pair, 2): lowest and highest.

    >>> test = paired_test([3, 5, 7, 9, 11, 13], [1, 2, 3, 4, 5, 6])
    >>> test.wins, test.difference, test.interval, test.p_value
    (6, (4.5, 4.5), (2.0, 7.0), 0.03125)
    """
    if not 0 < level < 1:
        raise BadInput(f"paired_test: level must be between 0 and 1, got {level}")
    low, high = _differences(first, second)
    pairs, wins, losses = len(low), int((low > 0).sum()), int((high < 0).sum())
    ties = int(((low == 0) & (high == 0)).sum())
    undecided = pairs - wins - losses - ties
    most = binomial_interval(wins + undecided, pairs, level)[1]
    sizes, signs = _scores(low, high)
    ranks = (doubled_ranks(sizes[signs != 0]) * signs[signs != 0]).astype(np.int64)
    return PairedTest(
        pairs, wins, losses, ties, undecided,
        (float(np.median(low)), float(np.median(high))),
        (exact_median_interval(low, level)[0], exact_median_interval(high, level)[1]),
        (wins / pairs, (wins + undecided) / pairs),
        (binomial_interval(wins, pairs, level)[0], most),
        int(np.sign(ranks.sum())),
        _p_value(ranks),
    )  # fmt: skip


def _differences(first: object, second: object) -> tuple[Array, Array]:
    """The lowest and the highest difference of each pair, (pair,)."""
    one, other = _ranges(first), _ranges(second)
    if one.shape != other.shape:
        raise BadInput(f"paired values must be as many, got {len(one)} and {len(other)}")
    return one[:, 0] - other[:, 1], one[:, 1] - other[:, 0]


def _ranges(values: object) -> Array:
    """Values as ranges, (pair, 2)."""
    try:
        ranges = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise BadInput(f"paired values must be numbers, got {short_repr(values)}") from None
    if ranges.ndim == 1:
        ranges = np.stack((ranges, ranges), axis=1)
    fits = ranges.shape[1:] == (2,) and len(ranges) and (ranges[:, 0] <= ranges[:, 1]).all()
    if not fits or np.isposinf(ranges[:, 0]).any() or np.isneginf(ranges[:, 1]).any():
        raise BadInput(
            f"paired values must be numbers or ranges, one pair at least, got {short_repr(values)}"
        )
    return ranges


def _scores(low: Array, high: Array) -> tuple[Array, NDArray[np.int64]]:
    """How large each difference is at least, and its sign; 0 where nobody knows the sign."""
    return np.maximum(np.maximum(low, -high), 0.0), np.where(low > 0, 1, np.where(high < 0, -1, 0))


def _p_value(ranks: NDArray[np.int64]) -> float:
    """How often a sum of signed ranks is as far from 0 if a coin swaps each pair, two-sided (Wilcoxon).

    Pairs without a sign have no rank. Equal sizes share the mean of their ranks.
    """
    distance = abs(int(ranks.sum()))
    if not len(ranks):
        return 1.0
    if len(ranks) > MOST_COUNTED:
        return erfc(max(0, distance - 1) / sqrt(2.0 * float((ranks.astype(float) ** 2).sum())))
    return _tail(tuple(sorted(np.abs(ranks).tolist())), distance)


def least_p_value(pairs: int) -> float:
    """The smallest p-value that so many pairs can have."""
    return min(1.0, 2.0 ** (1 - pairs))


@lru_cache(maxsize=1024)
def _tail(ranks: tuple[int, ...], distance: int) -> float:
    """The probability that a sum of ranks, each with a sign by a coin, is at least so far from 0."""
    total = sum(ranks)
    ways = np.zeros(total + 1)  # by the sum of the ranks with a plus
    ways[0] = 1.0
    for rank in ranks:
        ways[rank:] = (ways[rank:] + ways[:-rank]) / 2
        ways[:rank] /= 2
    distances = np.abs(2 * np.arange(total + 1) - total)
    return min(1.0, float(ways[distances >= distance].sum()))


def doubled_ranks(sizes: Array) -> NDArray[np.int64]:
    """Twice the rank of each size, whole numbers even where equal sizes share a mean.

    >>> doubled_ranks(np.array([5.0, 1.0, 5.0]))
    array([5, 2, 5])
    """
    _, places, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((2 * last - counts + 1)[places], np.int64)


@checked
def rank_correlation(first: Shares, second: Shares) -> float | None:
    """Spearman's rank correlation of paired values, some of them infinite; None where one side is constant.

    >>> rank_correlation([1, 2, 3, 4], [10, 30, 20, float("inf")])
    0.8
    """
    one, other = numbers_of(first), numbers_of(second)
    if len(one) != len(other):
        raise BadInput(f"rank_correlation: paired values must be as many, got {len(one)} and {len(other)}")
    ranks = [doubled_ranks(values) - (len(values) + 1.0) for values in (one, other)]
    squares = float((ranks[0] ** 2).sum() * (ranks[1] ** 2).sum())
    return float((ranks[0] * ranks[1]).sum()) / sqrt(squares) if squares else None


@checked
def binomial_interval(successes: int, trials: int, level: float = 0.95) -> Range:
    """An exact interval for a probability (Clopper and Pearson).

    >>> [round(end, 4) for end in binomial_interval(8, 10)]
    [0.4439, 0.9748]
    """
    if not 0 <= successes <= trials or trials < 1 or not 0 < level < 1:
        raise BadInput(f"binomial_interval: got {successes} of {trials} at level {level}")
    return _lower(successes, trials, (1 - level) / 2), 1 - _lower(trials - successes, trials, (1 - level) / 2)


@lru_cache(maxsize=4096)
def _lower(successes: int, trials: int, tail: float) -> float:
    """The probability at which so many successes or more are as rare as `tail`; by bisection."""
    if successes == 0:
        return 0.0
    counts = range(successes, trials + 1)
    ways = np.array([lgamma(trials + 1) - lgamma(n + 1) - lgamma(trials - n + 1) for n in counts])
    numbers, low, high = np.arange(successes, trials + 1), 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        logs = ways + numbers * log(middle) + (trials - numbers) * log1p(-middle)
        low, high = (middle, high) if np.exp(logs).sum() < tail else (low, middle)
    return low


@checked
def further_pairs(first: object, second: object, level: float = 0.95, tests: int = 1) -> int | None:
    """How many more pairs would probably decide it, if they are like these; None if 20 times as many would
    not.

    Larger experiments are drawn from these pairs. A size is enough where four in five experiments have a
    p-value `tests` times as small as the level asks for. None, too, where fewer than five pairs differ.
    """
    sizes, signs = _scores(*_differences(first, second))
    pairs = len(sizes)
    if np.count_nonzero(signs) < FEWEST:
        return None
    kinds, counts = np.unique(np.stack((sizes, signs)), axis=1, return_counts=True)
    rng = np.random.default_rng(2019)
    for times in np.geomspace(1.05, MOST_TIMES, 40):
        count = max(pairs + 1, round(pairs * float(times)))
        drawn = rng.multinomial(count, counts / pairs, _REPETITIONS)
        if float((_limits(kinds, drawn) * tests <= 1 - level).mean()) >= _POWER:
            return count - pairs
    return None


def _limits(kinds: NDArray[Any], drawn: NDArray[np.int64]) -> Array:
    """The normal limit of the p-values of some experiments: how often each has a size and sign of `kinds`."""
    signs = kinds[1]
    sizes, places = np.unique(kinds[0], return_inverse=True)
    decided = drawn * (signs != 0)
    counts = np.zeros((len(drawn), len(sizes)))
    np.add.at(counts.T, places, decided.T)
    ranks = (2 * np.cumsum(counts, axis=1) - counts + 1)[:, places]
    sums = (decided * ranks * signs).sum(axis=1)
    squares = (decided * ranks**2).sum(axis=1)
    limits = [erfc(abs(s) / sqrt(2 * q)) if q else 1.0 for s, q in zip(sums, squares, strict=True)]
    return np.asarray(np.maximum(limits, 2.0 ** (1 - decided.sum(axis=1))))
