"""Intervals: what formulas and their programs compute lies between two bounds, which are values themselves.

Bounds are values of another reading: arrays, which are computed at once, or symbols, whose graph is
compiled like any other. Every bound is moved outwards by what rounding can do, so an interval holds the exact
value of the formula and whatever a program makes of it in the precision that it is made for, with any
order of the sums of an affine map, with products rounded before a sum or not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from abacist.algebra.operations import (
    absolute,
    divide,
    greatest_product,
    least_product,
    linear,
    maximum,
    minimum,
)
from abacist.algebra.rounding import RoundingMargins


class Enclosing:
    """A value between two bounds, the `lower` and the `upper`.

    A subclass says how it is negated, and with `like` what a value of any kind is in its reading.
    """

    lower: Any

    #: NumPy's arrays leave the work to intervals.
    __array_ufunc__ = None

    @property
    def shape(self) -> tuple[int, ...]:
        """How many units it has, and axes before them, as arrays have them."""
        return tuple(self.lower.shape)

    def __sub__(self: Any, other: Any) -> Any:
        return self.like(other).subtracted_from(self.like(self))

    def __rsub__(self: Any, other: Any) -> Any:
        return self.like(other) + -self

    def subtracted_from(self: Any, other: Any) -> Any:
        """What is left of another."""
        return other + -self

    def __truediv__(self, other: Any) -> Any:
        return divide(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return divide(other, self)


class _Rounded(Enclosing):
    """Values of the reading of intervals, which are moved outwards by margins."""

    margins: RoundingMargins

    def like(self, value: Any) -> Interval | IntervalSum:
        return enclosed(value, self.margins)


class _Deferred(_Rounded):
    """A value whose bounds are computed once they are needed."""

    @property
    def bounds(self) -> Interval:
        """The interval of all its values."""
        raise NotImplementedError

    @property
    def lower(self) -> Any:
        return self.bounds.lower

    @property
    def upper(self) -> Any:
        return self.bounds.upper

    def __mul__(self, other: Any) -> Interval | IntervalProduct:
        return self.bounds.__mul__(other)

    __rmul__ = __mul__


@dataclass(frozen=True, eq=False)
class Interval(_Rounded):
    """All numbers from `lower` to `upper`, unit by unit.

    A `point` has one object for both; a `one_hot` one is a 1 among zeros. Of a `nonnegative` one no value is
    below 0, which saves its products half of the comparisons; the bounds of a `product_safe` one also cover
    what products with it, and the sum of two of these, are rounded by. A `product` may not be rounded where
    it is a term.
    """

    lower: Any
    upper: Any
    margins: RoundingMargins
    nonnegative: bool = False
    product_safe: bool = False
    one_hot: bool = False
    product: bool = False

    @property
    def point(self) -> bool:
        return self.lower is self.upper

    def __add__(self, other: Any) -> Interval | IntervalSum:
        other = self.like(other)
        if isinstance(other, IntervalSum):
            return other + self
        return self.widened(self.lower + other.lower, self.upper + other.upper)

    def __rsub__(self, other: Any) -> Any:
        if self.product_safe and isinstance(other, int | float) and other == 1:  # its room is enough
            return Interval(1.0 - self.upper, 1.0 - self.lower, self.margins, nonnegative=True)
        return super().__rsub__(other)

    def __neg__(self) -> Interval:
        if self.point:
            return replace(self, lower=(bound := 0.0 - self.lower), upper=bound, nonnegative=False)
        return Interval(0.0 - self.upper, 0.0 - self.lower, self.margins)

    def __mul__(self, other: Any) -> Interval | IntervalProduct:
        other = self.like(other).bounds
        for one, factor in ((self, other), (other, self)):
            if one.product_safe:
                return IntervalProduct(one.margins, one, factor)
        return self._product(other)

    def _product(self, other: Interval) -> Interval:
        if other.nonnegative and not self.nonnegative:
            return other._product(self)
        if self.nonnegative:  # only the sign of the other decides which of its own bounds matters
            lower = least_product(self.lower, self.upper, other.lower, 0.0)
            upper = greatest_product(self.lower, self.upper, other.upper, 0.0)
        else:
            ends = (self.lower, self.upper)
            (a, b), (c, d) = ((end * other.lower, end * other.upper) for end in ends)
            lower, upper = minimum(minimum(a, b), minimum(c, d)), maximum(maximum(a, b), maximum(c, d))
        return replace(self.widened(lower, upper), product=True)

    __radd__, __rmul__ = __add__, __mul__

    @property
    def bounds(self) -> Interval:
        return self

    @cached_property
    def ball(self) -> tuple[Any, Any]:
        """A middle, and a radius that holds the interval and what sums of products with it are rounded by."""
        margins = self.margins
        if self.point:
            return self.lower, margins.sums * absolute(self.lower) + margins.tiny
        middle = 0.5 * (self.lower + self.upper)
        half = self.upper - middle
        return middle, half + (margins.sums * (absolute(middle) + half) + margins.tiny)

    @cached_property
    def magnitude(self) -> Any:
        """The largest absolute value in it."""
        return absolute(self.lower) if self.point else maximum(absolute(self.lower), absolute(self.upper))

    def scaled(self, rate: float) -> tuple[Any, Any]:
        """The bounds of a multiple, not moved outwards, with a rate below zero."""
        return rate * self.upper, rate * self.lower

    def widened(self, lower: Any, upper: Any) -> Interval:
        relative, tiny = self.margins.relative, self.margins.tiny
        return Interval(
            lower - (relative * absolute(lower) + tiny),
            upper + (relative * absolute(upper) + tiny),
            self.margins,
        )


@dataclass(frozen=True, eq=False)
class IntervalProduct(_Deferred):
    """A product with a product-safe interval, not computed yet: added to another, it is a part of the sum."""

    margins: RoundingMargins
    product_safe: Interval
    other: Interval

    @cached_property
    def bounds(self) -> Interval:
        return replace(self._and(-self.margins.tiny, self.margins.tiny), product=True)

    def scaled(self, rate: float) -> tuple[Any, Any]:
        return self.bounds.scaled(rate)

    def _and(self, lower: Any, upper: Any) -> Interval:
        """The product and something between two numbers; no rounding is left to pay for."""
        ends = self.product_safe.lower, self.product_safe.upper
        return Interval(
            least_product(*ends, self.other.lower, lower),
            greatest_product(*ends, self.other.upper, upper),
            self.margins,
        )

    def __add__(self, other: Any) -> Interval | IntervalSum:
        if isinstance(other, IntervalProduct):
            return other._and(self.lower, self.upper)
        return self.bounds.__add__(other)

    def __neg__(self) -> Interval:
        return -self.bounds

    __radd__ = __add__


def enclosed(value: Any, margins: RoundingMargins) -> Interval | IntervalSum:
    """A value of any kind in this reading."""
    if isinstance(value, IntervalProduct):
        return value.bounds
    if isinstance(value, Interval | IntervalSum):
        return value
    if isinstance(value, int | float):
        return _constant(float(value), margins)
    return Interval(value, value, margins)


def _constant(number: float, margins: RoundingMargins) -> Interval:
    """A number of a formula; a program in float32 may have another, if it is none of float32."""
    with np.errstate(over="ignore"):
        slack = 0.0 if float(np.float32(number)) == number else margins.relative * abs(number) + margins.tiny
    lower, upper = (number - slack, number + slack) if slack else (number, number)
    return Interval(lower, upper, margins, nonnegative=lower >= 0)


@dataclass(frozen=True, eq=False)
class IntervalSum(_Deferred):
    """A sum of an affine map: programs may add its terms in any order, so the terms' magnitudes count.

    Its points, with the sum of their magnitudes, and its balls, each added up and not yet moved
    outwards, and `products` of matrices with balls, each a matrix, a middle and a radius: rounding is paid
    for once, when the `bounds` are asked for.
    """

    margins: RoundingMargins
    points: Any = None
    magnitudes: Any = None
    middle: Any = None
    radius: Any = None
    products: tuple[tuple[Any, Any, Any], ...] = ()

    def __add__(self, other: Any) -> IntervalSum:
        other = _summed(self.like(other))
        return IntervalSum(
            self.margins,
            _both(self.points, other.points),
            _both(self.magnitudes, other.magnitudes),
            _both(self.middle, other.middle),
            _both(self.radius, other.radius),
            self.products + other.products,
        )

    def __neg__(self) -> IntervalSum:
        middle, radius = self._ball(1)
        points, middle = (None if value is None else 0.0 - value for value in (self.points, middle))
        return IntervalSum(self.margins, points, self.magnitudes, middle, radius)

    __radd__ = __add__

    @cached_property
    def bounds(self) -> Interval:
        return Interval(*self.scaled(1), self.margins)

    def scaled(self, rate: float) -> tuple[Any, Any]:
        """The bounds of a multiple. That of a matrix is taken before anything is computed."""
        middle, radius = self._ball(rate)
        if self.points is not None:
            middle = _both(middle, _times(rate, self.points))
            rounding = self.margins.sums * self.magnitudes + self.margins.tiny
            radius = _both(radius, _times(abs(rate), rounding))
        return middle - radius, middle + radius

    def _ball(self, rate: float) -> tuple[Any, Any]:
        """Of a multiple, the middle and the radius without the points."""
        middle, radius = _times(rate, self.middle), _times(abs(rate), self.radius)
        for matrix, vector_middle, vector_radius in self.products:
            multiple = matrix.scaled(rate)
            middle = _both(middle, linear(multiple.signed, vector_middle))
            radius = _both(radius, linear(multiple.magnitudes, vector_radius))
        if self.points is None and self.radius is None:  # nothing else pays for products that underflow
            radius = radius + self.margins.tiny
        return middle, radius


def _summed(term: Interval | IntervalSum) -> IntervalSum:
    """A term as a sum of its own."""
    if isinstance(term, IntervalSum):
        return term
    if term.point:
        return IntervalSum(term.margins, points=term.lower, magnitudes=absolute(term.lower))
    middle, radius = term.ball
    return IntervalSum(term.margins, middle=middle, radius=radius)


def _times(rate: float, value: Any) -> Any:
    """A multiple of what is there."""
    return value if value is None or rate == 1 else rate * value


def _both(one: Any, other: Any) -> Any:
    """The sum of what is there."""
    return other if one is None else one if other is None else one + other
