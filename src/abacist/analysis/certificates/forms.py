"""Forms: values as sums of multiples of variables and a rest, for unboundedly many depths at once.

The variables are the language's counters, and for every accumulator its offset from the multiple
of the counters that it holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from abacist.analysis.certificates.floats import (
    Array,
    Grid,
    Truth,
    product_above,
    product_below,
    ranges,
    sum_above,
    sum_below,
)


@dataclass(frozen=True, eq=False)
class Scope:
    """What enclosures are computed in: the precision, and the variables' bounds, (…, variable).

    `whole` says which variables are whole numbers. `sums` is how far rounding can move an affine map, of
    the sum of its terms' magnitudes.
    """

    grid: Grid
    lower: Array
    upper: Array
    whole: Truth
    sums: float

    @property
    def largest(self) -> float:
        """Beyond this nothing is computed, so that nothing overflows."""
        return 1e30 if self.grid.precision == "float32" else 1e130

    @cached_property
    def greatest(self) -> Array:
        """The variables' greatest absolute values."""
        return np.maximum(np.abs(self.lower), np.abs(self.upper))


@dataclass(frozen=True, eq=False)
class Form:
    """Σ coefficient·variable + rest, with coefficients (…, unit, variable) and the rest within bounds."""

    coefficients: Array
    lower: Array
    upper: Array

    @classmethod
    def of_bounds(cls, lower: Array, upper: Array, scope: Scope) -> Form:
        """A value of which only its bounds are known."""
        return cls(np.zeros((*np.shape(lower), len(scope.whole))), lower, upper)

    def __neg__(self) -> Form:
        return Form(0.0 - self.coefficients, 0.0 - self.upper, 0.0 - self.lower)

    def bounds(self, scope: Scope) -> tuple[Array, Array]:
        """The least and the greatest value."""
        lower, upper = (
            np.broadcast_to(b, self.coefficients.shape[:-1]).copy() for b in (self.lower, self.upper)
        )
        for variable in range(len(scope.whole)):
            there = np.nonzero(self.coefficients[..., variable])
            if not len(there[0]):
                continue
            of = self.coefficients[..., variable][there]
            least, greatest = (
                np.broadcast_to(b[..., variable, None], lower.shape)[there]
                for b in (scope.lower, scope.upper)
            )
            low, high = ranges(of, of, least, greatest)
            lower[there], upper[there] = sum_below(lower[there], low), sum_above(upper[there], high)
        return lower, upper

    def plus(self, other: Form) -> Form | None:
        """The exact sum; None where coefficients cannot be added exactly."""
        below, above = (f(self.coefficients, other.coefficients) for f in (sum_below, sum_above))
        if not np.array_equal(below, above):
            return None
        return Form(below, sum_below(self.lower, other.lower), sum_above(self.upper, other.upper))

    def widened(self, error: Array) -> Form:
        """It, give or take an error."""
        return Form(self.coefficients, sum_below(self.lower, -error), sum_above(self.upper, error))

    def rounded(self, scope: Scope, magnitude: Array) -> Form:
        """The form of a sum rounded to the nearest number; `magnitude` bounds the sum.

        Where all parts are multiples of one power of two that is fine enough for every number up to the
        magnitude, the sum is a number of the precision, and nothing is rounded.
        """
        exact = self._multiples(scope, self._step(scope, magnitude))
        error = product_above(magnitude, 1.0000001 * scope.grid.unit) + scope.grid.smallest
        return self.widened(np.where(exact, 0, error))

    def whole_numbers(self, scope: Scope) -> Truth:
        """Whether all values are whole numbers."""
        return self._multiples(scope, np.ones_like(self.lower))

    def _multiples(self, scope: Scope, step: Array) -> Truth:
        """Whether all parts are multiples of a step."""
        points = (scope.lower == scope.upper)[..., None, :]
        at = scope.lower[..., None, :]
        below, above = product_below(self.coefficients, at), product_above(self.coefficients, at)
        terms = np.where(points, below, self.coefficients)
        known = (self.coefficients == 0) | np.where(points, below == above, scope.whole)
        with np.errstate(invalid="ignore"):
            multiples = (known & (np.remainder(terms, step[..., None]) == 0)).all(axis=-1)
            return np.asarray(multiples & (self.lower == self.upper) & (np.remainder(self.lower, step) == 0))

    @staticmethod
    def _step(scope: Scope, magnitude: Array) -> Array:
        """The greatest power of two whose multiples up to a magnitude are numbers of the precision."""
        with np.errstate(divide="ignore", invalid="ignore"):
            exponent = np.ceil(np.log2(np.maximum(magnitude, scope.grid.smallest)))
        exponent = np.where(np.isfinite(exponent), exponent, 0)
        exponent += 2.0**exponent < magnitude  # the logarithm is rounded
        return np.asarray(2.0**exponent * scope.grid.unit)

    def where(self, condition: Truth, other: Form) -> Form:
        """This form where a condition holds, another elsewhere."""
        return Form(
            np.where(condition[..., None], self.coefficients, other.coefficients),
            np.where(condition, self.lower, other.lower),
            np.where(condition, self.upper, other.upper),
        )

    def scaled(self, low: Array, high: Array, least: Array, greatest: Array, scope: Scope) -> Form:
        """Times a factor from `low` to `high`, for values from `least` to `greatest`: A + (F − 1)·A."""
        below, above = ranges(sum_below(low, -1.0), sum_above(high, -1.0), least, greatest)
        one = (low == 1) & (high == 1)
        size = np.maximum(np.abs(least), np.abs(greatest)) * np.maximum(np.abs(low), np.abs(high))
        error = product_above(size, 1.0000001 * scope.grid.unit) + scope.grid.smallest
        below, above = sum_below(below, -error), sum_above(above, error)
        return Form(
            self.coefficients,
            np.where(one, self.lower, sum_below(self.lower, below)),
            np.where(one, self.upper, sum_above(self.upper, above)),
        )

    def mapped(self, matrix: Array) -> Form | None:
        """The exact product of a matrix with it; None where that cannot be computed exactly."""
        products = [
            (product_below(matrix, part), product_above(matrix, part))
            for part in np.moveaxis(self.coefficients, -1, 0)[..., None, :]
        ]
        if not all(np.array_equal(below, above) for below, above in products):
            return None
        several = [(np.count_nonzero(below, axis=-1) > 1).any() for below, _ in products]
        if any(several):
            return None
        coefficients = np.stack([below.sum(axis=-1) for below, _ in products], axis=-1)
        low, high = ranges(matrix, matrix, self.lower[..., None, :], self.upper[..., None, :])
        lower, upper = np.zeros(low.shape[:-1]), np.zeros(low.shape[:-1])
        for column in range(matrix.shape[1]):
            lower, upper = sum_below(lower, low[..., column]), sum_above(upper, high[..., column])
        return Form(coefficients, lower, upper)
