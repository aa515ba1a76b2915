"""The reading of program intervals: whatever a program of a precision computes lies within the bounds.

Every sum is rounded to the nearest number, products before a sum are rounded or not (fused), affine maps
are summed in any order, activations keep the promises of `ROUNDING`. The exact formula is not meant: its
sigmoid is never 1, a program's is. So where gates are saturated the bounds hold for programs alone.

A value may also be known as a *form*, a sum of multiples of variables and a rest: c = 1·depth + e. A form
speaks about unboundedly many depths at once, and stays exact where the program's arithmetic does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from abacist.algebra import (
    Operation,
    absolute,
    linear,
    maximum,
    minimum,
    register,
    relu,
    sigmoid,
    tanh,
)
from abacist.algebra.operations import Enclosing
from abacist.analysis.certificates.activations import Argument, activated, one_division
from abacist.analysis.certificates.floats import Array, Truth, ranges, sum_above, sum_below
from abacist.analysis.certificates.forms import Form, Scope


@dataclass(frozen=True, eq=False)
class Enclosure(Enclosing):
    """Values between `lower` and `upper`, numbers of the precision, (…, unit), and perhaps of a form.

    Of an affine map, `magnitude` bounds the sum of its terms' absolute values (None for other values),
    `whole` says whether all its terms are whole numbers, and `exact` bounds it before rounding. A value is
    `rounded` unless it is a product that the program may fuse with a sum. `argument` says which activation
    of what it is.
    """

    lower: Array
    upper: Array
    scope: Scope
    form: Form | None = None
    magnitude: Array | None = None
    whole: Truth | None = None
    exact: tuple[Array, Array] | None = None
    rounded: Truth | bool = True
    argument: Argument | None = None

    def __add__(self, other: Any) -> Enclosure:
        return _sum(self, self._like(other))

    def __sub__(self, other: Any) -> Enclosure:
        return _sum(self, -self._like(other))

    def __rsub__(self, other: Any) -> Enclosure:
        return _sum(self._like(other), -self)

    def __neg__(self) -> Enclosure:
        form = None if self.form is None else -self.form
        exact = None if self.exact is None else (0.0 - self.exact[1], 0.0 - self.exact[0])
        lower, upper = 0.0 - self.upper, 0.0 - self.lower
        return replace(self, lower=lower, upper=upper, form=form, exact=exact, argument=None)

    def __mul__(self, other: Any) -> Enclosure:
        return _product(self.settled(), self._like(other).settled())

    __radd__, __rmul__ = __add__, __mul__

    def _like(self, other: Any) -> Enclosure:
        if isinstance(other, Enclosure):
            return other
        bound = np.asarray(other, np.float64)  # a formula's 0.1 is another number in float32
        return Enclosure(self.scope.grid.below(bound), self.scope.grid.above(bound), self.scope)

    @property
    def greatest(self) -> Array:
        """The greatest absolute value."""
        return np.maximum(np.abs(self.lower), np.abs(self.upper))

    @property
    def least(self) -> Array:
        """The least absolute value."""
        return np.maximum(np.maximum(self.lower, -self.upper), 0)

    @property
    def whole_numbers(self) -> Truth:
        """Whether all values are whole numbers."""
        if self.whole is not None:
            return self.whole
        if self.form is not None:
            return self.form.whole_numbers(self.scope)
        return np.asarray((self.lower == self.upper) & (np.rint(self.lower) == self.lower))

    def settled(self) -> Enclosure:
        """The same as a value in its own right: no affine map any more to which terms are added."""
        if self.magnitude is None:
            return self
        return enclosed(self.lower, self.upper, self.scope, self.form)

    def known_form(self) -> Form:
        """Its form; without one, that of its bounds."""
        if self.form is not None:
            return self.form
        return Form.of_bounds(*self.before_rounding(), self.scope)

    def before_rounding(self) -> tuple[Array, Array]:
        """Bounds before the sums of an affine map are rounded, as far as they are known."""
        return (self.lower, self.upper) if self.exact is None else self.exact


def enclosed(lower: Array, upper: Array, scope: Scope, form: Form | None = None, **more: Any) -> Enclosure:
    """What lies within bounds and has a form; bounds too large to compute with become unknown, NaN.

    The form says no more about the terms of an affine map that are still to be added up in another order.
    """
    if form is not None and more.get("magnitude") is None:
        low, high = form.bounds(scope)
        lower, upper = np.maximum(lower, scope.grid.below(low)), np.minimum(upper, scope.grid.above(high))
    unknown = ~((np.abs(lower) < scope.largest) & (np.abs(upper) < scope.largest))
    lower, upper = np.where(unknown, np.nan, lower), np.where(unknown, np.nan, upper)
    return Enclosure(lower, upper, scope, form, **more)


def _sum(a: Enclosure, b: Enclosure) -> Enclosure:
    grid, scope = a.scope.grid, a.scope
    form = None if a.form is None and b.form is None else a.known_form().plus(b.known_form())
    if a.magnitude is not None or b.magnitude is not None:
        sizes = [x.greatest if x.magnitude is None else x.magnitude for x in (a, b)]
        magnitude = sum_above(sizes[0], sizes[1])
        (low, high), (low2, high2) = (
            _term(x.lower, x.upper, scope) if x.magnitude is None else (x.lower, x.upper) for x in (a, b)
        )
        lower, upper = low + low2, high + high2
        whole = a.whole_numbers & b.whole_numbers
        form = None if form is None else form.widened(_affine_error(magnitude, whole, scope))
        (low, high), (low2, high2) = a.before_rounding(), b.before_rounding()
        return enclosed(
            grid.below(lower),
            grid.above(upper),
            scope,
            form,
            magnitude=magnitude,
            whole=whole,
            exact=(sum_below(low, low2), sum_above(high, high2)),
        )
    lower, upper = grid.nearest_sum(a.lower, b.lower), grid.nearest_sum(a.upper, b.upper)
    if form is not None:
        ends = sum_below(a.lower, b.lower), sum_above(a.upper, b.upper)
        form = form.rounded(scope, np.maximum(np.abs(ends[0]), np.abs(ends[1])))
        for value, other in ((a, b), (b, a)):
            if value.form is not None:  # what is too small beside a number does not change it
                lost = (value.least > 0) & (other.greatest < 0.5 * grid.gap_below(value.least))
                form = value.form.where((lost | (other.greatest == 0)) & value.rounded, form)
    return enclosed(grid.below(lower), grid.above(upper), scope, form)


def _product(a: Enclosure, b: Enclosure) -> Enclosure:
    grid, scope = a.scope.grid, a.scope
    lower, upper = ranges(a.lower, a.upper, b.lower, b.upper)
    lower, upper = grid.below(lower), grid.above(upper)
    fused = one_division(a.argument, b.argument, scope.grid.precision)
    if fused is not None:
        lower, upper = np.minimum(lower, grid.below(fused[0])), np.maximum(upper, grid.above(fused[1]))
    form = None
    if a.form is not None and b.form is None:
        form = a.form.scaled(b.lower, b.upper, a.lower, a.upper, scope)
    elif b.form is not None and a.form is None:
        form = b.form.scaled(a.lower, a.upper, b.lower, b.upper, scope)
    # a product with 1 is the other factor, which need not be rounded again
    kept = (_is_one(a) & b.rounded) | (_is_one(b) & a.rounded)
    return enclosed(lower, upper, scope, form, rounded=kept)


def _is_one(value: Enclosure) -> Truth:
    return np.asarray((value.lower == 1) & (value.upper == 1))


def _affine(matrix: Array, vector: Enclosure) -> Enclosure:
    """The product of a matrix, (row, column), with a vector, (…, column), summed in any order."""
    scope, grid = vector.scope, vector.scope.grid
    matrix = np.asarray(matrix, np.float64)
    low, high = ranges(matrix, matrix, vector.lower[..., None, :], vector.upper[..., None, :])
    exact = None
    if bool(
        (np.count_nonzero(vector.greatest, axis=-1) <= 1).all()
    ):  # such as a one-hot input: nothing is added
        exact = low.sum(axis=-1), high.sum(axis=-1)
    low, high = _term(low, high, scope)
    magnitude = np.asarray((np.abs(matrix) @ vector.greatest[..., None])[..., 0])
    absent = (matrix == 0) | (vector.greatest == 0)[..., None, :]
    whole = (absent | ((np.rint(matrix) == matrix) & vector.whole_numbers[..., None, :])).all(axis=-1)
    magnitude = np.where(whole & (magnitude < 2.0**52), magnitude, magnitude * (1 + 1e-12))  # it was rounded
    form = None if vector.form is None else vector.form.mapped(matrix)
    form = None if form is None else form.widened(_affine_error(magnitude, whole, scope))
    lower, upper = grid.below(low.sum(axis=-1)), grid.above(high.sum(axis=-1))
    return enclosed(lower, upper, scope, form, magnitude=magnitude, whole=whole, exact=exact)


def _term(lower: Array, upper: Array, scope: Scope) -> tuple[Array, Array]:
    """What becomes of a term of an affine map: in whichever order terms are added, each is multiplied by
    factors near 1, one for every sum that it goes through."""
    tiny = scope.grid.smallest
    return (
        lower - np.where(lower == 0, 0, scope.sums * np.abs(lower) + tiny),
        upper + np.where(upper == 0, 0, scope.sums * np.abs(upper) + tiny),
    )


def _affine_error(magnitude: Array, whole: Truth, scope: Scope) -> Array:
    """How far rounding can move an affine map: not at all where all partial sums are whole numbers."""
    exact = whole & (magnitude <= scope.grid.whole)
    return np.where(exact | (magnitude == 0), 0, scope.sums * magnitude + scope.grid.smallest)


def _enclose(operation: Operation, arguments: Sequence[Any]) -> Enclosure:
    """The reading of program intervals."""
    if operation is linear:
        return _affine(arguments[0], arguments[1].settled())
    first = next(value for value in arguments if isinstance(value, Enclosure))
    values = [first._like(value).settled() for value in arguments]
    value, scope = values[0], first.scope
    if operation is sigmoid or operation is tanh:
        argument = Argument(operation, value.lower, value.upper)
        lower, upper = activated(argument, scope.grid)
        return enclosed(lower, upper, scope, argument=argument)
    if operation is relu:
        lower, upper = np.maximum(value.lower, 0), np.maximum(value.upper, 0)
        form = None
        if value.form is not None:
            form = value.form.where(value.lower >= 0, Form.of_bounds(lower, upper, scope))
        return enclosed(lower, upper, scope, form)
    if operation is minimum or operation is maximum:
        other = values[1]
        return enclosed(operation(value.lower, other.lower), operation(value.upper, other.upper), scope)
    if operation is absolute:
        return enclosed(value.least, value.greatest, scope)
    raise TypeError(f"certificates do not know {operation.name}")


register(Enclosure, _enclose)
