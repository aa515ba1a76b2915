"""Two samples: whether some runs come from the distribution that others do."""

from __future__ import annotations

from math import exp, sqrt

import numpy as np

from abacist.experiments.statistics import Shares, numbers_of
from abacist.fields import checked

#: Terms of a series that are added up; the last is far below any p-value that is shown.
_TERMS = 100


@checked
def greatest_distance(first: Shares, second: Shares) -> float:
    """How far apart the shares of values up to a number are at most in two samples (Kolmogorov, Smirnov).

    >>> greatest_distance([1, 2, 3], [2, 3, 4, 5])
    0.5
    """
    one, other = np.sort(numbers_of(first)), np.sort(numbers_of(second))
    places = np.concatenate((one, other))
    shares = [np.searchsorted(own, places, "right") / len(own) for own in (one, other)]
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
