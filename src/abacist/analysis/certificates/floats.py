"""Sums and products of floats bounded from below and from above, exactly where they are exact.

All arrays are float64, whatever the precision that they speak about: the numbers of float32 are among them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import ROUNDING

Array = NDArray[np.float64]
Truth = NDArray[np.bool_]

#: Between these, the error of a product can be computed exactly; outside, it is taken to be inexact.
_SMALL, _LARGE = 1e-140, 1e140

#: 2²⁷ + 1, which splits the digits of a float64 in two halves.
_SPLITTER = 134217729.0


def sum_below(a: Any, b: Any) -> Array:
    """The greatest float64 that is not above a + b."""
    total = np.asarray(a + b)
    return np.where(_sum_error(a, b, total) < 0, np.nextafter(total, -np.inf), total)


def sum_above(a: Any, b: Any) -> Array:
    """The least float64 that is not below a + b."""
    total = np.asarray(a + b)
    return np.where(_sum_error(a, b, total) > 0, np.nextafter(total, np.inf), total)


def product_below(a: Any, b: Any) -> Array:
    """A float64 that is not above a·b, and as near as it gets."""
    return _product_bounds(a, b)[0]


def product_above(a: Any, b: Any) -> Array:
    """A float64 that is not below a·b, and as near as it gets."""
    return _product_bounds(a, b)[1]


def _product_bounds(a: Any, b: Any) -> tuple[Array, Array]:
    product, error, sure = _product(a, b)
    unsure = ~sure
    return (
        np.where(unsure | (error < 0), np.nextafter(product, -np.inf), product),
        np.where(unsure | (error > 0), np.nextafter(product, np.inf), product),
    )


def _sum_error(a: Any, b: Any, total: Array) -> Array:
    """a + b − total, exactly (Knuth's two-sum)."""
    other = total - a
    return np.asarray((a - (total - other)) + (b - other))


def _product(a: Any, b: Any) -> tuple[Array, Array, Truth]:
    """A product, a·b − product, and whether that is exact (Dekker's two-product)."""
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
    return product, np.where(fits & ~trivial, error, 0), trivial | fits


def ranges(lower: Array, upper: Array, other_lower: Array, other_upper: Array) -> tuple[Array, Array]:
    """The bounds of the products of two intervals."""
    pairs = [(a, b) for a in (lower, upper) for b in (other_lower, other_upper)]
    if lower is upper:
        pairs = pairs[:2]
    below, above = zip(*(_product_bounds(a, b) for a, b in pairs), strict=True)
    return reduce(np.minimum, below), reduce(np.maximum, above)


@dataclass(frozen=True)
class Grid:
    """The numbers of a precision."""

    precision: str

    @property
    def unit(self) -> float:
        """How far, relatively, rounding to the nearest moves a number at most."""
        return ROUNDING[self.precision].unit

    @property
    def smallest(self) -> float:
        """The least normal number; what is smaller may be flushed to zero."""
        return ROUNDING[self.precision].smallest

    @property
    def whole(self) -> int:
        """All whole numbers up to this one are numbers of the precision."""
        return round(1 / ROUNDING[self.precision].unit)

    def below(self, x: Array) -> Array:
        """The greatest number that is not above x; zero instead of a tiny one."""
        rounded = self._rounded(x)
        found = np.where(rounded > x, self._next(rounded, -np.inf), rounded)
        return np.where((found != 0) & (np.abs(found) < self.smallest), -self.smallest * (found < 0), found)

    def above(self, x: Array) -> Array:
        """The least number that is not below x; zero instead of a tiny one."""
        return -self.below(-x)

    def inside(self, x: Array) -> Array:
        """A number that is not above any number of the precision from x on: the least of these, mostly."""
        rounded = self._rounded(x)
        found = np.where(rounded < x, self._next(rounded, np.inf), rounded)
        return np.where(np.abs(x) < 2 * self.smallest, self.below(x), found)

    def nearest_sum(self, a: Array, b: Array) -> Array:
        """a + b, rounded as the program rounds it; a and b are numbers of the precision."""
        if self.precision == "float64":
            return np.asarray(a + b)
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(a.astype(np.float32) + b.astype(np.float32)).astype(np.float64)

    def gap_below(self, x: Array) -> Array:
        """The distance from a positive number of the precision to the one before it."""
        before = self._next(x, -np.inf)
        return np.asarray(x - before)

    def _rounded(self, x: Array) -> Array:
        if self.precision == "float64":
            return np.asarray(x)
        with np.errstate(over="ignore"):
            return np.asarray(x).astype(np.float32).astype(np.float64)

    def _next(self, x: Array, towards: float) -> Array:
        if self.precision == "float64":
            return np.nextafter(x, towards)
        return np.nextafter(x.astype(np.float32), np.float32(towards)).astype(np.float64)
