"""The reading of intervals for whole vectors: parts, repeated units, sums, and what is made of them.

What only moves units about is exact: it does the same with both bounds. Softmax and sums along a vector have
their own way, since their operations one by one would forget how much the terms have in common.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import abacist.algebra.compositions as compositions
from abacist.algebra.compositions import size_of
from abacist.algebra.intervals import Interval, IntervalProduct, IntervalSum
from abacist.algebra.operation import Operation
from abacist.algebra.operations import exp, maximum, minimum, part, repeat, segment_sum
from abacist.algebra.own_ways import own_way

#: Softmax of more units is written as one loop over all pairs of them, and not unit by unit.
_FEW = 8


def looked_at(operation: Operation, value: Interval, size: int, place: int) -> Interval:
    """A part of an interval's units, its units repeated, or sums of them."""
    if operation is segment_sum:
        outward, terms = value.outward, size_of(value) // size
        lost = outward.total(terms) * segment_sum(value.magnitude, size, place) + outward.tiny
        lower, upper = (segment_sum(bound, size, place) for bound in (value.lower, value.upper))
        return Interval(lower - lost, upper + lost, outward, value.nonnegative)
    lower = operation(value.lower, size, place)
    upper = lower if value.point else operation(value.upper, size, place)
    return Interval(lower, upper, value.outward, value.nonnegative, value.roomy)


def _alike(composition: Callable[..., Any], *given: Any) -> Interval:
    """A composition that is exact and grows with every unit: of all lower bounds, and of all upper ones."""
    values = [own.bounds if isinstance(own, _KINDS) else own for own in given]
    found = [own for own in values if isinstance(own, Interval)]
    lower, upper = (
        composition(*(getattr(own, bound) if isinstance(own, Interval) else own for own in values))
        for bound in ("lower", "upper")
    )
    nonnegative, roomy = all(own.nonnegative for own in found), all(own.roomy for own in found)
    return Interval(lower, upper, found[0].outward, nonnegative, roomy)


def _along(composition: Callable[..., Any], given: Any) -> Interval:
    """Sums of units before or behind each: they grow with every unit, and are rounded like all together."""
    value = given.bounds
    outward = value.outward
    lost = outward.total(size_of(value)) * segment_sum(value.magnitude, 1, 1) + outward.tiny
    lower, upper = (composition(bound) for bound in (value.lower, value.upper))
    return Interval(lower - lost, upper + lost, outward)  # a difference of sums may be just below zero


def _softmax(given: Any) -> Interval:
    """1 / (1 + Σ e^(xⱼ − xᵢ)): it grows with its own unit, and falls with all others.

    Like a sigmoid's, its bounds have room for products.
    """
    x = given.bounds
    outward, units = x.outward, size_of(x)
    error, known = outward.softmax(units), 0.0 * (x.lower + x.upper)
    lower = maximum(_share(x.lower, x.upper, units) + known - error, 0.0)
    upper = minimum(_share(x.upper, x.lower, units) + known + error, 1 + outward.relative)
    return Interval(lower, upper, outward, nonnegative=True, roomy=True)


def _share(own: Any, others: Any, units: int) -> Any:
    """The weight of every unit, if the others are so large."""
    powers = 1.0 + 0.0 * own
    if units > _FEW:
        return 1.0 / (powers + _powers_of_others(own, others, units))
    for place in range(1, units):
        other = part(others, units, place) + part(others, units, place - units)
        powers = powers + exp(other - own)
    return 1.0 / powers


def _powers_of_others(own: Any, others: Any, units: int) -> Any:
    """Σ e^(xⱼ − xᵢ) over all j but i, for every i: all differences are one vector, and so one loop.

    The others, repeated in rows that are a unit too wide, begin a unit later in every row. So row m, from 0,
    has unit i + m + 1 above unit i: in all rows but one, all others come by.
    """
    wide = units + 1
    all_pairs = (units - 1) * wide
    above = repeat(compositions.rotated_up(others, 1), all_pairs, 1)
    powers = exp(above - repeat(part(own, wide, 0), all_pairs, 1))
    return part(segment_sum(powers, wide, 1), units, 0)


_KINDS = (Interval, IntervalSum, IntervalProduct)

for _kind in _KINDS:
    for _name in ("joined", "highest", "pushed", "popped", "rotated_up", "rotated_down"):
        _composition = getattr(compositions, _name)
        own_way(_kind, _composition, partial(_alike, _composition))
    for _name in ("cumulative_sum", "sum_behind"):
        _composition = getattr(compositions, _name)
        own_way(_kind, _composition, partial(_along, _composition))
    own_way(_kind, compositions.softmax, _softmax)
