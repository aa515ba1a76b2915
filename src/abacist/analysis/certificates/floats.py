"""Bounds whose sums and products hold the exact ones, and are these where they can be.

All arrays are float64, whatever the precision that they speak about: the numbers of float32 are among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra.rounding import ROUNDING, Rounding

Array = NDArray[np.float64]
Truth = NDArray[np.bool_]
Integers = NDArray[np.int64]

#: Between these, the error of a product can be computed exactly; outside, it is taken to be inexact.
_SMALL, _LARGE = 1e-140, 1e140

#: 2²⁷ + 1, which splits the digits of a float64 in two halves.
_SPLITTER = 134217729.0


@dataclass(frozen=True, eq=False)
class Bounds:
    """All numbers from `lower` to `upper`, place by place.

    A bound of a sum is the nearest float64 on its side, that of a product is as near as it gets.
    """

    lower: Array
    upper: Array

    @classmethod
    def point(cls, value: Any) -> Bounds:
        """One number for both bounds."""
        return cls(value, value)

    def __iter__(self) -> Iterator[Array]:
        yield from (self.lower, self.upper)

    def __getitem__(self, places: Any) -> Bounds:
        return Bounds(self.lower[places], self.upper[places])

    def __neg__(self) -> Bounds:
        return Bounds(0.0 - self.upper, 0.0 - self.lower)

    def __add__(self, other: Bounds) -> Bounds:
        return Bounds(_sum(self.lower, other.lower, -np.inf), _sum(self.upper, other.upper, np.inf))

    def __mul__(self, other: Bounds) -> Bounds:
        ends = (self.lower,) if self.lower is self.upper else tuple(self)
        products = [_product(a, b) for a in ends for b in other]
        return reduce(Bounds.__or__, products)

    def __or__(self, other: Bounds) -> Bounds:
        """The hull of both."""
        return Bounds(np.minimum(self.lower, other.lower), np.maximum(self.upper, other.upper))

    def __and__(self, other: Bounds) -> Bounds:
        """What lies in both."""
        return Bounds(np.maximum(self.lower, other.lower), np.minimum(self.upper, other.upper))

    def widened(self, error: Array) -> Bounds:
        """The same, give or take an error."""
        return self + Bounds(-error, error)

    def where(self, condition: Any, other: Bounds) -> Bounds:
        """These bounds where a condition holds, others elsewhere."""
        return self.each(lambda bound, rest: np.where(condition, bound, rest), other)

    def each(self, function: Callable[..., Any], *others: Bounds) -> Bounds:
        """What a function makes of the lower bounds, and of the upper ones."""
        return Bounds(*map(function, self, *others))

    @property
    def is_point(self) -> Truth:
        """Whether both bounds are one number."""
        return np.asarray(self.lower == self.upper)

    def equal(self, number: float) -> Truth:
        """Whether both bounds are this number."""
        return np.asarray((self.lower == number) & (self.upper == number))

    @property
    def greatest(self) -> Array:
        """The greatest absolute value."""
        return np.maximum(np.abs(self.lower), np.abs(self.upper))

    @property
    def least(self) -> Array:
        """The least absolute value."""
        return np.maximum(np.maximum(self.lower, -self.upper), 0)


def _sum(a: Any, b: Any, towards: float) -> Array:
    """The nearest float64 to a + b on one side; the error is exact (Knuth's two-sum)."""
    total = np.asarray(a + b)
    other = total - a
    error = np.asarray((a - (total - other)) + (b - other))
    return np.where(error * np.sign(towards) > 0, np.nextafter(total, towards), total)


def _product(a: Any, b: Any) -> Bounds:
    """The float64 below and above a·b, or both the product where it is exact (Dekker's two-product)."""
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    product = np.asarray(a * b)
    a_size, b_size, size = np.abs(a), np.abs(b), np.abs(product)
    trivial = ((a_size == 0) | (a_size == 1)) | ((b_size == 0) | (b_size == 1))
    fits = (size > _SMALL) & (size < _LARGE) & (a_size < _LARGE) & (b_size < _LARGE)
    a, b = np.where(fits, a, 0), np.where(fits, b, 0)
    a_split, b_split = _SPLITTER * a, _SPLITTER * b
    a_high, b_high = a_split - (a_split - a), b_split - (b_split - b)
    a_low, b_low = a - a_high, b - b_high
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    error, unsure = np.where(fits & ~trivial, error, 0), ~(trivial | fits)
    return Bounds(
        np.where(unsure | (error < 0), np.nextafter(product, -np.inf), product),
        np.where(unsure | (error > 0), np.nextafter(product, np.inf), product),
    )


@dataclass(frozen=True)
class Grid:
    """The numbers of a precision."""

    precision: str

    @property
    def rounding(self) -> Rounding:
        """What programs of the precision promise: what is below its `smallest` may be flushed to zero."""
        return ROUNDING[self.precision]

    @property
    def whole(self) -> int:
        """All whole numbers up to this one are numbers of the precision."""
        return round(1 / self.rounding.unit)

    def outside(self, bounds: Bounds) -> Bounds:
        """The nearest bounds of the precision that hold others; zero instead of a tiny one."""
        return Bounds(self._below(bounds.lower), -self._below(-bounds.upper))

    def inside(self, bounds: Bounds) -> Bounds:
        """Bounds that hold all numbers of the precision that others hold: mostly the narrowest such."""
        return Bounds(self._within(bounds.lower), -self._within(-bounds.upper))

    def nearest_sum(self, a: Array, b: Array) -> Array:
        """a + b, rounded as the program rounds it; a and b are numbers of the precision."""
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(a.astype(self.precision) + b.astype(self.precision)).astype(np.float64)

    def gap_below(self, x: Array) -> Array:
        """The distance from a positive number of the precision to the one before it."""
        return np.asarray(x - self._next(x, -np.inf))

    def _below(self, x: Array) -> Array:
        """The greatest number that is not above x."""
        rounded = self._rounded(x)
        number = np.where(rounded > x, self._next(rounded, -np.inf), rounded)
        smallest = self.rounding.smallest
        tiny = (number != 0) & (np.abs(number) < smallest)
        return np.where(tiny, -smallest * (number < 0), number)

    def _within(self, x: Array) -> Array:
        """A number that is not above any number of the precision from x on: the least of these, mostly."""
        rounded = self._rounded(x)
        number = np.where(rounded < x, self._next(rounded, np.inf), rounded)
        return np.where(np.abs(x) < 2 * self.rounding.smallest, self._below(x), number)

    def _rounded(self, x: Array) -> Array:
        with np.errstate(over="ignore"):
            return np.asarray(x).astype(self.precision).astype(np.float64)

    def _next(self, x: Array, towards: float) -> Array:
        there = np.array(towards, self.precision)
        return np.asarray(np.nextafter(x.astype(self.precision), there), np.float64)
