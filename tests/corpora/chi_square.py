"""Pearson's chi-square test, so that the tests need no statistics package."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from decimal import Decimal
from fractions import Fraction
from math import exp, lgamma, log
from typing import TypeVar

T = TypeVar("T", bound=Hashable)

#: Seeds are fixed, so a fit is found good once and for all; a wrong law falls far below this.
PLAUSIBLE = 1e-3

#: Cells that expect fewer are thrown together.
_FEWEST = 5.0


def upper_gamma(a: float, x: float) -> float:
    """The regularised incomplete gamma function Q(a, x): a series below a + 1, a fraction above."""
    if x <= 0:
        return 1.0
    front = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while abs(term) > 1e-16 * abs(total):
            n += 1
            term *= x / n
            total += term
        return 1 - front * total
    b = x + 1 - a
    c, d = 1e300, 1 / b
    value = d
    for i in range(1, 10_000):
        factor = -i * (i - a)
        b += 2
        d = 1 / (factor * d + b)
        c = b + factor / c
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * value


def p_value(observed: Mapping[T, int], weights: Mapping[T, int | float | Decimal | Fraction]) -> float:
    """How likely so bad a fit of counts to weights is, if the weights are true; 0 for the impossible."""
    shares = {key: Fraction(weight) for key, weight in weights.items()}
    if any(count and not shares.get(key) for key, count in observed.items()):
        return 0.0
    total, weight = sum(observed.values()), sum(shares.values())
    cells = sorted((float(share * total / weight), observed.get(key, 0)) for key, share in shares.items())
    bins: list[tuple[float, int]] = []
    expected, count = 0.0, 0
    for more, seen in cells:
        expected, count = expected + more, count + seen
        if expected >= _FEWEST:
            bins.append((expected, count))
            expected, count = 0.0, 0
    if expected and bins:  # what is left of rounding joins the last
        last, seen = bins.pop()
        bins.append((last + expected, seen + count))
    if len(bins) < 2:
        raise ValueError(f"{total} draws are too few for {len(cells)} cells")
    statistic = sum((seen - expected) ** 2 / expected for expected, seen in bins)
    return upper_gamma((len(bins) - 1) / 2, statistic / 2)
