"""Forms: values as sums of multiples of variables and a rest, for unboundedly many depths at once.

The variables are the language's counters, and for every accumulator its offset from the multiple
of the counters that it holds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from abacist.analysis.certificates.floats import Array, Bounds, Grid, Truth


@dataclass(frozen=True, eq=False)
class Scope:
    """What enclosures are computed in: the precision, and the variables' `bounds`, (…, variable).

    `whole` says which variables are whole numbers. `sums` is how far rounding can move an affine map, of
    the sum of its terms' magnitudes.
    """

    grid: Grid
    bounds: Bounds
    whole: Truth
    sums: float

    @property
    def largest(self) -> float:
        """Beyond this nothing is computed, so that nothing overflows."""
        return 1e30 if self.grid.precision == "float32" else 1e130

    def product_error(self, size: Array) -> Array:
        """How far rounding to the nearest moves a number of a size."""
        unit = Bounds.point(1.0000001 * self.grid.rounding.unit)
        return (Bounds.point(size) * unit).upper + self.grid.rounding.smallest


@dataclass(frozen=True, eq=False)
class Form:
    """Σ coefficient·variable + rest, with coefficients (…, unit, variable) and the rest within bounds."""

    coefficients: Array
    rest: Bounds

    @classmethod
    def of_bounds(cls, bounds: Bounds, scope: Scope) -> Form:
        """A value of which only its bounds are known."""
        return cls(np.zeros((*np.shape(bounds.lower), len(scope.whole))), bounds)

    def __neg__(self) -> Form:
        return Form(0.0 - self.coefficients, -self.rest)

    def bounds(self, scope: Scope) -> Bounds:
        """The least and the greatest value."""
        shape = self.coefficients.shape[:-1]
        bounds = self.rest.each(lambda bound: np.broadcast_to(bound, shape).copy())
        for variable in range(len(scope.whole)):
            places = np.nonzero(self.coefficients[..., variable])
            if len(places[0]):
                values = scope.bounds[..., variable, None].each(lambda b: np.broadcast_to(b, shape))
                term = Bounds.point(self.coefficients[..., variable][places]) * values[places]
                bounds.lower[places], bounds.upper[places] = bounds[places] + term
        return bounds

    def __add__(self, other: Form) -> Form | None:
        """The exact sum; None where coefficients cannot be added exactly."""
        sums = Bounds.point(self.coefficients) + Bounds.point(other.coefficients)
        return Form(sums.lower, self.rest + other.rest) if sums.is_point.all() else None

    def widened(self, error: Array) -> Form:
        """It, give or take an error."""
        return Form(self.coefficients, self.rest.widened(error))

    def rounded(self, scope: Scope, magnitude: Array) -> Form:
        """The form of a sum rounded to the nearest number; `magnitude` bounds the sum.

        Where all parts are multiples of one power of two that is fine enough for every number up to the
        magnitude, the sum is a number of the precision, and nothing is rounded.
        """
        exact = self._multiples(scope, self._step(scope, magnitude))
        return self.widened(np.where(exact, 0, scope.product_error(magnitude)))

    def whole_numbers(self, scope: Scope) -> Truth:
        """Whether all values are whole numbers."""
        return self._multiples(scope, np.ones_like(self.rest.lower))

    def _multiples(self, scope: Scope, step: Array) -> Truth:
        """Whether all parts are multiples of a step."""
        points = scope.bounds.is_point[..., None, :]
        products = Bounds.point(self.coefficients) * Bounds.point(scope.bounds.lower[..., None, :])
        terms = np.where(points, products.lower, self.coefficients)
        exact = (self.coefficients == 0) | np.where(points, products.is_point, scope.whole)
        with np.errstate(invalid="ignore"):
            multiples = (exact & (np.remainder(terms, step[..., None]) == 0)).all(axis=-1)
            return np.asarray(multiples & self.rest.is_point & (np.remainder(self.rest.lower, step) == 0))

    @staticmethod
    def _step(scope: Scope, magnitude: Array) -> Array:
        """The greatest power of two whose multiples up to a magnitude are numbers of the precision."""
        with np.errstate(divide="ignore", invalid="ignore"):
            exponent = np.ceil(np.log2(np.maximum(magnitude, scope.grid.rounding.smallest)))
        exponent = np.where(np.isfinite(exponent), exponent, 0)
        exponent += 2.0**exponent < magnitude  # the logarithm is rounded
        return np.asarray(2.0**exponent * scope.grid.rounding.unit)

    def where(self, condition: Truth, other: Form) -> Form:
        """This form where a condition holds, another elsewhere."""
        coefficients = np.where(condition[..., None], self.coefficients, other.coefficients)
        return Form(coefficients, self.rest.where(condition, other.rest))

    def scaled(self, factor: Bounds, values: Bounds, scope: Scope) -> Form:
        """Times a factor, for values within bounds: A + (F − 1)·A."""
        change = (factor + Bounds.point(-1.0)) * values
        change = change.widened(scope.product_error(values.greatest * factor.greatest))
        return Form(self.coefficients, self.rest.where(factor.equal(1), self.rest + change))

    def mapped(self, matrix: Array) -> Form | None:
        """The exact product of a matrix with it; None where that cannot be computed exactly."""
        variables = np.moveaxis(self.coefficients, -1, 0)[..., None, :]
        products = [Bounds.point(matrix) * Bounds.point(column) for column in variables]
        if not all(product.is_point.all() for product in products):
            return None
        if any((np.count_nonzero(product.lower, axis=-1) > 1).any() for product in products):
            return None
        coefficients = np.stack([product.lower.sum(axis=-1) for product in products], axis=-1)
        terms = Bounds.point(matrix) * self.rest[..., None, :]
        rest = Bounds.point(np.zeros(terms.lower.shape[:-1]))
        for column in range(matrix.shape[1]):
            rest += terms[..., column]
        return Form(coefficients, rest)
