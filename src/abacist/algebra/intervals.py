"""The reading of intervals: a formula maps boxes, and no value that its programs compute escapes.

Bounds are values of another reading: arrays, which are computed at once, or symbols, whose graph is
compiled like any other. Every bound is moved outwards by what rounding can do, so an interval holds the exact
value of the formula and whatever a program makes of it in the precision that it is made for, with any
order of the sums of an affine map, with products rounded before a sum or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from abacist.algebra.operations import (
    Operation,
    absolute,
    greatest_product,
    least_product,
    linear,
    maximum,
    minimum,
    relu,
    sigmoid,
    tanh,
)
from abacist.algebra.readings import register
from abacist.algebra.rounding import ROUNDING


@dataclass(frozen=True)
class Outward:
    """How far rounding can move a value, and so how far bounds move outwards.

    `relative`: of the result of one operation. `sums`: of all terms of an affine map together, of the
    sum of their magnitudes. `sigmoid` and `tanh`: absolutely. `tiny`: where numbers underflow.
    """

    relative: float
    sums: float
    sigmoid: float
    tanh: float
    tiny: float


def outward_of(precision: str, terms: int) -> Outward:
    """What rounding to a precision can do, in affine maps of at most so many terms.

    Bounds are themselves computed in that precision, or in a better one: so an operation is given four
    times its own rounding, sums four times that of all their terms and some more, and an activation twice its
    error, and the rounding of that shift. `docs/horizon.md` counts them one by one.
    """
    promise = ROUNDING[precision]
    return Outward(
        relative=4 * promise.unit,
        sums=4 * (terms + 4) * promise.unit,
        sigmoid=2 * promise.activation["sigmoid"] + promise.unit,
        tanh=2 * promise.activation["tanh"] + promise.unit,
        tiny=promise.smallest**0.75,
    )


def decision_margin(precision: str) -> float:
    """A sum of the output layer so far from zero is decided alike by its sign and by its rounded score.

    The slope of the sigmoid is 1/4 there, so that an error of its value is four times that of the sum.
    """
    return 8 * ROUNDING[precision].activation["sigmoid"]


@dataclass(frozen=True, eq=False)
class Interval:
    """All numbers from `lower` to `upper`, unit by unit.

    A `point` has one object for both; a `one_hot` one is a 1 among zeros; a `nonnegative` one saves its
    products half of the comparisons.
    """

    lower: Any
    upper: Any
    outward: Outward
    nonnegative: bool = False
    one_hot: bool = False

    @property
    def point(self) -> bool:
        return self.lower is self.upper

    def __add__(self, other: Any) -> Interval | IntervalSum:
        other = _enclosed(other, self.outward)
        if isinstance(other, IntervalSum):
            return other + self
        return self._widened(self.lower + other.lower, self.upper + other.upper)

    def __sub__(self, other: Any) -> Interval | IntervalSum:
        return self + -_enclosed(other, self.outward)

    def __rsub__(self, other: Any) -> Interval | IntervalSum:
        return _enclosed(other, self.outward) + -self

    def __neg__(self) -> Interval:
        if self.point:
            return replace(self, lower=(bound := 0.0 - self.lower), upper=bound, nonnegative=False)
        return replace(self, lower=0.0 - self.upper, upper=0.0 - self.lower, nonnegative=False)

    def __mul__(self, other: Any) -> Interval:
        return self._product(_enclosed(other, self.outward).bounds)

    def _product(self, other: Interval) -> Interval:
        if other.nonnegative and not self.nonnegative:
            return other._product(self)
        if self.nonnegative:  # only the sign of the other decides which of its own bounds matters
            lower = least_product(self.lower, self.upper, other.lower)
            upper = greatest_product(self.lower, self.upper, other.upper)
        else:
            (a, b), (c, d) = ((own * other.lower, own * other.upper) for own in (self.lower, self.upper))
            lower, upper = minimum(minimum(a, b), minimum(c, d)), maximum(maximum(a, b), maximum(c, d))
        return self._widened(lower, upper)

    __radd__, __rmul__ = __add__, __mul__

    #: NumPy's arrays leave the work to intervals.
    __array_ufunc__ = None

    @property
    def bounds(self) -> Interval:
        return self

    @cached_property
    def ball(self) -> tuple[Any, Any]:
        """A middle, and a radius that holds the interval and what sums of products with it are rounded by."""
        outward = self.outward
        if self.point:
            return self.lower, outward.sums * absolute(self.lower) + outward.tiny
        middle = 0.5 * (self.lower + self.upper)
        half = self.upper - middle
        return middle, half + (outward.sums * (absolute(middle) + half) + outward.tiny)

    @cached_property
    def magnitude(self) -> Any:
        """The largest absolute value in it."""
        return absolute(self.lower) if self.point else maximum(absolute(self.lower), absolute(self.upper))

    def _widened(self, lower: Any, upper: Any) -> Interval:
        relative, tiny = self.outward.relative, self.outward.tiny
        return Interval(
            lower - (relative * absolute(lower) + tiny),
            upper + (relative * absolute(upper) + tiny),
            self.outward,
        )

    def activated(self, function: Operation, least: float, error: float) -> Interval:
        """A function that grows, with values from `least` to 1."""
        return Interval(
            maximum(function(self.lower) - error, least),
            minimum(function(self.upper) + error, 1.0),
            self.outward,
            nonnegative=least == 0,
        )


def _enclosed(value: Any, outward: Outward) -> Interval | IntervalSum:
    """A value of any kind in this reading."""
    if isinstance(value, Interval | IntervalSum):
        return value
    if isinstance(value, int | float):
        return _constant(float(value), outward)
    return Interval(value, value, outward)


def _constant(number: float, outward: Outward) -> Interval:
    """A number of a formula; a program in float32 may have another, if it is none of float32."""
    with np.errstate(over="ignore"):
        slack = 0.0 if float(np.float32(number)) == number else outward.relative * abs(number) + outward.tiny
    lower, upper = (number - slack, number + slack) if slack else (number, number)
    return Interval(lower, upper, outward, nonnegative=lower >= 0)


@dataclass(frozen=True, eq=False)
class IntervalSum:
    """A sum of an affine map: programs may add its terms in any order, so the terms' magnitudes count.

    Its points, with the sum of their magnitudes, and its balls, each added up and not yet moved
    outwards: rounding is paid for once, when the `bounds` are asked for.
    """

    outward: Outward
    points: Any = None
    magnitudes: Any = None
    middle: Any = None
    radius: Any = None

    def __add__(self, other: Any) -> IntervalSum:
        other = _summed(_enclosed(other, self.outward))
        return IntervalSum(
            self.outward,
            _both(self.points, other.points),
            _both(self.magnitudes, other.magnitudes),
            _both(self.middle, other.middle),
            _both(self.radius, other.radius),
        )

    def __neg__(self) -> IntervalSum:
        points, middle = (None if part is None else 0.0 - part for part in (self.points, self.middle))
        return replace(self, points=points, middle=middle)

    def __sub__(self, other: Any) -> IntervalSum:
        return self + -_enclosed(other, self.outward)

    def __rsub__(self, other: Any) -> IntervalSum:
        return (-self).__add__(other)

    def __mul__(self, other: Any) -> Interval:
        return self.bounds.__mul__(other)

    __radd__, __rmul__ = __add__, __mul__

    #: NumPy's arrays leave the work to sums, too.
    __array_ufunc__ = None

    @cached_property
    def bounds(self) -> Interval:
        """The interval of all its values."""
        middle, radius = _both(self.middle, self.points), self.radius
        if self.points is not None:
            radius = _both(radius, self.outward.sums * self.magnitudes + self.outward.tiny)
        return Interval(middle - radius, middle + radius, self.outward)

    @property
    def lower(self) -> Any:
        return self.bounds.lower

    @property
    def upper(self) -> Any:
        return self.bounds.upper


def _summed(term: Interval | IntervalSum) -> IntervalSum:
    """A term as a sum of its own."""
    if isinstance(term, IntervalSum):
        return term
    if term.point:
        return IntervalSum(term.outward, points=term.lower, magnitudes=absolute(term.lower))
    middle, radius = term.ball
    return IntervalSum(term.outward, middle=middle, radius=radius)


def _both(one: Any, other: Any) -> Any:
    """The sum of what is there."""
    return other if one is None else one if other is None else one + other


@dataclass(frozen=True, eq=False)
class IntervalMatrix:
    """Rows of a parameter tensor, and their absolute values."""

    signed: Any
    magnitudes: Any

    def times(self, vector: Interval) -> IntervalSum:
        """The product with a vector, by its middle and its radius."""
        if vector.one_hot:  # the product is a column, whatever the order of its sums
            column = linear(self.signed, vector.lower)
            return IntervalSum(vector.outward, points=column, magnitudes=absolute(column))
        middle, radius = vector.ball
        return IntervalSum(
            vector.outward, middle=linear(self.signed, middle), radius=linear(self.magnitudes, radius)
        )


def _enclose(operation: Operation, arguments: Sequence[Any]) -> Interval | IntervalSum:
    """The reading of intervals."""
    arguments = [own.bounds if isinstance(own, IntervalSum) else own for own in arguments]
    if operation is linear:
        matrix, vector = arguments
        if not (isinstance(matrix, IntervalMatrix) and isinstance(vector, Interval)):
            raise TypeError("linear needs a matrix and a vector of one reading")
        return matrix.times(vector)
    value: Interval = next(argument for argument in arguments if isinstance(argument, Interval))
    if operation is minimum or operation is maximum:  # exact, and they grow with each argument
        a, b = (_enclosed(argument, value.outward) for argument in arguments)
        return Interval(operation(a.lower, b.lower), operation(a.upper, b.upper), value.outward)
    if operation is absolute:
        lower = maximum(maximum(value.lower, 0.0 - value.upper), 0.0)
        return Interval(lower, value.magnitude, value.outward, nonnegative=True)
    if operation is sigmoid:
        return value.activated(operation, 0.0, value.outward.sigmoid)
    if operation is tanh:
        return value.activated(operation, -1.0, value.outward.tanh)
    if operation is relu:
        return Interval(relu(value.lower), relu(value.upper), value.outward, nonnegative=True)
    raise TypeError(f"{operation.name} has no reading for Interval")


register(Interval, _enclose)
register(IntervalSum, _enclose)
register(IntervalMatrix, _enclose)
