"""The reading of intervals for quotients, exponentials, logarithms and roots.

Where a program could compute something that is no number, or larger than any proof allows, both bounds are
NaN: that is what becomes of everything that follows, and it is never sure.
"""

from __future__ import annotations

from typing import Any

from abacist.algebra.intervals import Interval
from abacist.algebra.operations import (
    absolute,
    exp,
    log,
    maximum,
    minimum,
    relu,
    softplus,
    sqrt,
)
from abacist.algebra.outward import LARGEST


def quotient(above: Interval, below: Interval) -> Interval:
    """The extremes of all corners, if no divisor is zero."""
    if below.nonnegative:
        distance = below.lower
        lower, upper = ((own / below.lower, own / below.upper) for own in (above.lower, above.upper))
        found = above.widened(minimum(*lower), maximum(*upper))
    else:
        distance = maximum(below.lower, 0.0 - below.upper)
        (a, b), (c, d) = ((own / below.lower, own / below.upper) for own in (above.lower, above.upper))
        least, most = minimum(minimum(a, b), minimum(c, d)), maximum(maximum(a, b), maximum(c, d))
        found = above.widened(least, most)
    return _only_if(found, relu(distance) * relu(LARGEST - found.magnitude))


def exponentials(value: Interval) -> Interval:
    """It grows, and its error is a part of itself."""
    outward = value.outward
    low, high = exp(value.lower), exp(value.upper)
    below, above = (
        own * (outward.exponential + outward.exponent * absolute(bound)) + outward.tiny
        for own, bound in ((low, value.lower), (high, value.upper))
    )
    lower, upper = maximum(low - below, 0.0), high + above
    return _only_if(Interval(lower, upper, outward, nonnegative=True), relu(LARGEST - upper))


def logarithms(value: Interval) -> Interval:
    """It grows, where there is one."""
    outward, (low, high) = value.outward, (log(value.lower), log(value.upper))
    lower = low - (outward.logarithm * absolute(low) + outward.tiny)
    upper = high + (outward.logarithm * absolute(high) + outward.tiny)
    return _only_if(Interval(lower, upper, outward), relu(value.lower))


def roots(value: Interval) -> Interval:
    """It grows, is rounded once, and is a number above zero where its argument is."""
    found = value.widened(sqrt(value.lower), sqrt(value.upper))
    lower = maximum(found.lower, 0.0)
    return _only_if(Interval(lower, found.upper, value.outward, nonnegative=True), relu(value.lower))


def softened(value: Interval) -> Interval:
    """log(1 + eˣ) grows, and is never negative."""
    outward, (low, high) = value.outward, (softplus(value.lower), softplus(value.upper))
    lower = maximum(low - (outward.relative * low + outward.softplus), 0.0)
    return Interval(lower, high + (outward.relative * high + outward.softplus), outward, nonnegative=True)


def _only_if(found: Interval, room: Any) -> Interval:
    """An interval where some number is above zero; elsewhere nothing is known."""
    known = 0.0 / room
    return Interval(found.lower + known, found.upper + known, found.outward, found.nonnegative)
