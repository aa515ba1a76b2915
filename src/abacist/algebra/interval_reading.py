"""The reading of intervals: a formula maps boxes, and no value that its programs compute escapes.

Where a program could compute something that is no number, or larger than any proof allows, both bounds are
NaN: that is what becomes of everything that follows, and it is never sure.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import abacist.algebra.compositions as compositions
from abacist.algebra.compositions import size_of
from abacist.algebra.intervals import Interval, IntervalProduct, IntervalSum, enclosed
from abacist.algebra.operation import Operation, register, specialise
from abacist.algebra.operations import (
    absolute,
    divide,
    exp,
    linear,
    log,
    maximum,
    minimum,
    part,
    relu,
    repeat,
    segment_sum,
    sigmoid,
    sigmoid_bound,
    softplus,
    sqrt,
    tanh,
    tanh_bound,
)
from abacist.algebra.rounding import LARGEST, RoundingMargins

_KINDS = (Interval, IntervalSum, IntervalProduct)


@dataclass(frozen=True, eq=False)
class IntervalExtreme(Interval):
    """The smaller or the larger of two values, which are in `given`.

    What is left of a value without the larger of it and another is at most zero, however wide the two are:
    a − max(a, b) is min(a − b, 0), in every program, since a choice is exact. So the gates of an sLSTM stay
    below 1. The same holds of a − min(a, b), which is how strengths are popped.
    """

    operation: Operation = maximum
    given: tuple[Any, ...] = ()

    def subtracted_from(self, other: Any) -> Any:
        bounds: Interval = other.bounds
        for one, another in (self.given, self.given[::-1]):
            if getattr(one, "bounds", None) is bounds and not bounds.product:
                difference = other - another
                clipped = minimum if self.operation is maximum else maximum
                return Interval(
                    clipped(difference.lower, 0.0), clipped(difference.upper, 0.0), self.margins,
                    nonnegative=self.operation is minimum,
                )  # fmt: skip
        return super().subtracted_from(other)


def _extreme(operation: Operation, given: tuple[Any, ...]) -> Interval:
    """Exact, and it grows with each argument."""
    margins = next(value.margins for value in given if isinstance(value, _KINDS))
    a, b = (enclosed(value, margins).bounds for value in given)
    lower, upper = operation(a.lower, b.lower), operation(a.upper, b.upper)
    return IntervalExtreme(lower, upper, margins, operation=operation, given=given)


def _quotient(above: Interval, below: Interval) -> Interval:
    """The extremes of all corners, if no divisor is zero."""
    lower, upper = ((bound / below.lower, bound / below.upper) for bound in (above.lower, above.upper))
    least, most, distance = minimum(*lower), maximum(*upper), below.lower
    if not below.nonnegative:
        least, most = minimum(least, minimum(*upper)), maximum(maximum(*lower), most)
        distance = maximum(below.lower, 0.0 - below.upper)
    result = above.widened(least, most)
    return _only_if(result, relu(distance) * relu(LARGEST - result.magnitude))


#: Functions that grow, by how much a program's result may differ, by the result and the argument.
_ERRORS: dict[Operation, Callable[[RoundingMargins, Any, Any], Any]] = {
    exp: lambda margins, y, x: y * (margins.exponential + margins.exponent * absolute(x)) + margins.tiny,
    log: lambda margins, y, x: margins.logarithm * absolute(y) + margins.tiny,
    sqrt: lambda margins, y, x: margins.relative * absolute(y) + margins.tiny,
    softplus: lambda margins, y, x: margins.relative * y + margins.softplus,
}


def _rising(operation: Operation, value: Interval) -> Interval:
    """A function that grows: of a logarithm and a root all arguments must be above zero."""
    margins, (low, high) = value.margins, (operation(value.lower), operation(value.upper))
    lower = low - _ERRORS[operation](margins, low, value.lower)
    upper = high + _ERRORS[operation](margins, high, value.upper)
    if operation.nonnegative:
        lower = maximum(lower, 0.0)
    result = Interval(lower, upper, margins, operation.nonnegative)
    if operation is softplus:
        return result
    return _only_if(result, relu(LARGEST - upper) if operation is exp else relu(value.lower))


def _only_if(result: Interval, positive: Any) -> Interval:
    """An interval where some number is above zero; elsewhere nothing is known."""
    nothing = 0.0 / positive
    return Interval(result.lower + nothing, result.upper + nothing, result.margins, result.nonnegative)


#: Softmax of more units is written as one loop over all pairs of them, and not unit by unit.
_FEW = 8


def _whole(operation: Operation, value: Interval, size: int, place: int) -> Interval:
    """A part of an interval's units, its units repeated, or sums of them."""
    if operation is segment_sum:
        margins, terms = value.margins, size_of(value) // size
        lost = margins.total(terms) * segment_sum(value.magnitude, size, place) + margins.tiny
        lower, upper = (segment_sum(bound, size, place) for bound in (value.lower, value.upper))
        return Interval(lower - lost, upper + lost, margins, value.nonnegative)
    lower = operation(value.lower, size, place)
    upper = lower if value.point else operation(value.upper, size, place)
    return Interval(lower, upper, value.margins, value.nonnegative, value.product_safe)


def _alike(composition: Callable[..., Any], *given: Any) -> Interval:
    """A composition that is exact and grows with every unit: of all lower bounds, and of all upper ones."""
    intervals = [value.bounds for value in given if isinstance(value, _KINDS)]
    lower, upper = (
        composition(*(getattr(value.bounds, end) if isinstance(value, _KINDS) else value for value in given))
        for end in ("lower", "upper")
    )
    nonnegative = all(interval.nonnegative for interval in intervals)
    product_safe = all(interval.product_safe for interval in intervals)
    return Interval(lower, upper, intervals[0].margins, nonnegative, product_safe)


def _along(composition: Callable[..., Any], given: Any) -> Interval:
    """Sums of units before or behind each: they grow with every unit, and are rounded like all together."""
    value = given.bounds
    margins = value.margins
    lost = margins.total(size_of(value)) * segment_sum(value.magnitude, 1, 1) + margins.tiny
    lower, upper = (composition(bound) for bound in (value.lower, value.upper))
    return Interval(lower - lost, upper + lost, margins)  # a difference of sums may be just below zero


def _softmax(given: Any) -> Interval:
    """1 / (1 + Σ e^(xⱼ − xᵢ)): it grows with its own unit, and falls with all others.

    Like a sigmoid's, its bounds have room for products.
    """
    x = given.bounds
    margins, units = x.margins, size_of(x)
    error, undefined = margins.softmax(units), 0.0 * (x.lower + x.upper)
    lower = maximum(_share(x.lower, x.upper, units) + undefined - error, 0.0)
    upper = minimum(_share(x.upper, x.lower, units) + undefined + error, 1 + margins.relative)
    return Interval(lower, upper, margins, nonnegative=True, product_safe=True)


def _share(value: Any, others: Any, units: int) -> Any:
    """The weight of every unit, if the others are so large."""
    powers = 1.0 + 0.0 * value
    if units > _FEW:
        return 1.0 / (powers + _powers_of_others(value, others, units))
    for place in range(1, units):
        other = part(others, units, place) + part(others, units, place - units)
        powers = powers + exp(other - value)
    return 1.0 / powers


def _powers_of_others(value: Any, others: Any, units: int) -> Any:
    """Σ e^(xⱼ − xᵢ) over all j but i, for every i: all differences are one vector, and so one loop.

    The others, repeated in rows that are a unit too wide, begin a unit later in every row. So row m, from 0,
    has unit i + m + 1 above unit i: in all rows but one, all others come by.
    """
    wide = units + 1
    all_pairs = (units - 1) * wide
    above = repeat(compositions.rotated_up(others, 1), all_pairs, 1)
    powers = exp(above - repeat(part(value, wide, 0), all_pairs, 1))
    return part(segment_sum(powers, wide, 1), units, 0)


for _kind in _KINDS:
    for _name in ("joined", "highest", "pushed", "popped", "rotated_up", "rotated_down"):
        _composition = getattr(compositions, _name)
        specialise(_kind, _composition, partial(_alike, _composition))
    for _name in ("cumulative_sum", "sum_behind"):
        _composition = getattr(compositions, _name)
        specialise(_kind, _composition, partial(_along, _composition))
    specialise(_kind, compositions.softmax, _softmax)


#: e⁻ˣ is 2 to the power of x times this.
_RATE = -1 / math.log(2)


@dataclass(frozen=True, eq=False)
class IntervalMatrix:
    """Rows of a parameter tensor, and their absolute values."""

    signed: Any
    magnitudes: Any

    def times(self, vector: Interval) -> IntervalSum:
        """The product with a vector, by its middle and its radius."""
        if vector.one_hot:  # the product is a column, whatever the order of its sums
            column = linear(self.signed, vector.lower)
            return IntervalSum(vector.margins, points=column, magnitudes=absolute(column))
        return IntervalSum(vector.margins, products=((self, *vector.ball),))

    def scaled(self, rate: float) -> IntervalMatrix:
        return self if rate == 1 else IntervalMatrix(self.signed * rate, self.magnitudes * abs(rate))


def _enclose(operation: Operation, arguments: Sequence[Any]) -> Interval | IntervalSum:
    """The reading of intervals."""
    if operation is sigmoid:
        return _sigmoid(arguments[0])
    if operation is tanh:
        return _tanh(arguments[0])
    if operation is minimum or operation is maximum:
        return _extreme(operation, tuple(arguments))
    arguments = [a.bounds if isinstance(a, _KINDS) else a for a in arguments]
    if operation is linear:
        matrix, vector = arguments
        if not (isinstance(matrix, IntervalMatrix) and isinstance(vector, Interval)):
            raise TypeError("linear needs a matrix and a vector of one reading")
        return matrix.times(vector)
    value: Interval = next(argument for argument in arguments if isinstance(argument, Interval))
    if operation is divide:
        return _quotient(*(enclosed(argument, value.margins).bounds for argument in arguments))
    if operation in _ERRORS:
        return _rising(operation, value)
    if operation in (part, repeat, segment_sum):
        return _whole(operation, *arguments)
    if operation is absolute:
        lower = maximum(maximum(value.lower, 0.0 - value.upper), 0.0)
        return Interval(lower, value.magnitude, value.margins, nonnegative=True)
    if operation is relu:
        return Interval(relu(value.lower), relu(value.upper), value.margins, nonnegative=True)
    raise TypeError(f"{operation.name} has no reading for Interval")


def _sigmoid(value: Interval | IntervalSum | IntervalProduct) -> Interval:
    """Its bounds have room for products: so they reach past 1 by what a product is rounded by."""
    error, most, exponents = value.margins.sigmoid, 1 + value.margins.relative, value.scaled(_RATE)
    lower = maximum(sigmoid_bound(exponents[1]) - error, 0.0)
    upper = minimum(sigmoid_bound(exponents[0]) + error, most)
    return Interval(lower, upper, value.margins, nonnegative=True, product_safe=True)


def _tanh(value: Interval | IntervalSum | IntervalProduct) -> Interval:
    """2 / (1 + e⁻²ˣ) − 1; the 1 and the shift are one number."""
    error, exponents = value.margins.tanh, value.scaled(2 * _RATE)
    lower, upper = tanh_bound(exponents[1], -error - 1), tanh_bound(exponents[0], error - 1)
    return Interval(maximum(lower, -1.0), minimum(upper, 1.0), value.margins)


for _class in (*_KINDS, IntervalMatrix):
    register(_class, _enclose)
