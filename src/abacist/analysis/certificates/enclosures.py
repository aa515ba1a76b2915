"""The reading of program intervals: whatever a program of a precision computes lies within the bounds.

Every sum is rounded to the nearest number, a product before a sum is rounded or fused, affine maps are
summed in any order, and activations keep the promises of `ROUNDING`. The intervals of `algebra` cannot
replace these: they also hold the exact formula, whose sigmoid is never 1. A program's sigmoid is, so the
bounds of saturated gates hold for programs alone.

A value may also have a *form*, a sum of multiples of variables and a rest: c = 1·depth + e. A form speaks
about unboundedly many depths at once, and stays exact where the program's arithmetic does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from abacist.algebra import (
    ROUNDING,
    SIGMOID_TIMES_TANH,
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
from abacist.algebra.intervals import Enclosing
from abacist.analysis.certificates.floats import Array, Bounds, Grid, Truth
from abacist.analysis.certificates.forms import Form, Scope

#: What an activation is computed of: values within bounds.
Argument = tuple[Operation, Bounds]


def activated(operation: Operation, argument: Bounds, grid: Grid) -> Bounds:
    """The bounds of a program's sigmoid or tanh of values within bounds."""
    promise, ours, name = grid.rounding, ROUNDING["float64"], operation.name
    (low, high), exact = argument, argument.each(operation)  # the ends as NumPy has them, in float64
    error = promise.activation[name] + ours.activation[name]
    lower, upper = exact.lower - error, exact.upper + error
    if operation is sigmoid:
        least, relative = 0, (1 + promise.sigmoid_relative) * (1 + ours.sigmoid_relative) - 1 + 1e-15
        small = sigmoid(np.maximum(high, -promise.sigmoid_clamp)) * (1 + relative)
        upper = np.where(high <= 0, np.minimum(upper, small), upper)
        near = (low <= 0) & (low >= -promise.sigmoid_clamp)
        lower = np.where(near, np.maximum(lower, exact.lower * (1 - relative)), lower)
        lower = np.where(low >= promise.sigmoid_one, 1, lower)
    else:
        least = -1
        lower = np.where(low >= 0, np.maximum(lower, 0), lower)
        upper = np.where(high <= 0, np.minimum(upper, 0), upper)
        lower = np.where(low >= promise.tanh_one, 1, lower)
        upper = np.where(high <= -promise.tanh_one, -1, upper)
    return grid.outside(Bounds(np.clip(lower, least, 1), np.clip(upper, least, 1)))


def one_division(a: Argument | None, b: Argument | None, grid: Grid) -> Bounds | None:
    """The bounds of sigmoid·tanh computed with one division; None where the factors are not these."""
    if a is None or b is None or (a[0] is sigmoid) == (b[0] is sigmoid):
        return None
    gate, candidate = (a[1], b[1]) if a[0] is sigmoid else (b[1], a[1])
    promise, ours = grid.rounding, ROUNDING["float64"]
    error = promise.activation[SIGMOID_TIMES_TANH] + 2 * ours.activation[SIGMOID_TIMES_TANH]
    (low, high), (least, greatest) = gate.each(sigmoid), candidate.each(tanh)
    lower = np.where(least < 0, high * least, low * least) - error
    upper = np.where(greatest > 0, high * greatest, low * greatest) + error
    most = activated(sigmoid, gate, grid).upper * (1 + 4 * promise.unit)
    most = np.minimum(np.where(gate.upper < 0, most, 1), 1)
    lower, upper = np.maximum(lower, -most), np.minimum(upper, most)
    lower = np.where(candidate.lower >= 0, np.maximum(lower, 0), lower)
    upper = np.where(candidate.upper <= 0, np.minimum(upper, 0), upper)
    open_ = gate.lower >= promise.sigmoid_one
    lower = np.where(open_ & (candidate.lower >= promise.tanh_one), 1, lower)
    upper = np.where(open_ & (candidate.upper <= -promise.tanh_one), -1, upper)
    return grid.outside(Bounds(lower, upper))


@dataclass(frozen=True, eq=False)
class Affine:
    """What is known of an affine map as long as terms are added to it, in any order.

    `magnitude` bounds the sum of its terms' absolute values, `whole` says whether all of them are whole
    numbers, and `exact` bounds the map before rounding, where that is known.
    """

    magnitude: Array
    whole: Truth
    exact: Bounds | None

    def error(self, scope: Scope) -> Array:
        """How far rounding can move it: not at all where all partial sums are whole numbers."""
        exact = self.whole & (self.magnitude <= scope.grid.whole)
        still = exact | (self.magnitude == 0)
        return np.where(still, 0, scope.sums * self.magnitude + scope.grid.rounding.smallest)


@dataclass(frozen=True, eq=False)
class Enclosure(Enclosing):
    """Values within bounds, numbers of the precision, (…, unit), and perhaps of a form.

    `affine` is for affine maps alone. A value is `rounded` unless it is a product that the program may fuse
    with a sum. `argument` says which activation of what it is.
    """

    bounds: Bounds
    scope: Scope
    form: Form | None = None
    affine: Affine | None = None
    rounded: Truth | bool = True
    argument: Argument | None = None

    @property
    def lower(self) -> Array:
        return self.bounds.lower

    def __add__(self, other: Any) -> Enclosure:
        return _sum(self, self.like(other))

    def __neg__(self) -> Enclosure:
        form, affine = self.form, self.affine
        if affine is not None and affine.exact is not None:
            affine = replace(affine, exact=-affine.exact)
        return replace(
            self, bounds=-self.bounds, form=None if form is None else -form, affine=affine, argument=None
        )

    def __mul__(self, other: Any) -> Enclosure:
        return _product(self.settled(), self.like(other).settled())

    __radd__, __rmul__ = __add__, __mul__

    def like(self, other: Any) -> Enclosure:
        if isinstance(other, Enclosure):
            return other
        number = Bounds.point(np.asarray(other, np.float64))  # a formula's 0.1 is another number in float32
        return Enclosure(self.scope.grid.outside(number), self.scope)

    def as_affine(self) -> Affine:
        """As an affine map, if need be of one term."""
        if self.affine is not None:
            return self.affine
        whole = self.bounds.is_point & (np.rint(self.lower) == self.lower)
        if self.form is not None:
            whole = self.form.whole_numbers(self.scope)
        return Affine(self.bounds.greatest, whole, None)

    def settled(self) -> Enclosure:
        """The same as a value in its own right: no affine map any more to which terms are added."""
        return self if self.affine is None else enclosed(self.bounds, self.scope, self.form)

    def known_form(self) -> Form:
        """Its form; without one, that of its bounds."""
        return self.form or Form.of_bounds(self.before_rounding(), self.scope)

    def before_rounding(self) -> Bounds:
        """Bounds before the sums of an affine map are rounded, as far as they are known."""
        return self.bounds if self.affine is None or self.affine.exact is None else self.affine.exact


def enclosed(bounds: Bounds, scope: Scope, form: Form | None = None, **more: Any) -> Enclosure:
    """What lies within bounds and has a form; bounds too large to compute with become unknown, NaN.

    The form says no more about the terms of an affine map that are still to be added up in another order.
    """
    if form is not None and more.get("affine") is None:
        bounds &= scope.grid.outside(form.bounds(scope))
    unknown = ~((np.abs(bounds.lower) < scope.largest) & (np.abs(bounds.upper) < scope.largest))
    return Enclosure(bounds.each(lambda bound: np.where(unknown, np.nan, bound)), scope, form, **more)


def _sum(a: Enclosure, b: Enclosure) -> Enclosure:
    grid, scope = a.scope.grid, a.scope
    form = None if a.form is None and b.form is None else a.known_form() + b.known_form()
    if a.affine is not None or b.affine is not None:
        one, other = a.as_affine(), b.as_affine()
        magnitude = (Bounds.point(one.magnitude) + Bounds.point(other.magnitude)).upper
        exact = a.before_rounding() + b.before_rounding()
        affine = Affine(magnitude, one.whole & other.whole, exact)
        form = None if form is None else form.widened(affine.error(scope))
        left, right = (_term(x.bounds, scope) if x.affine is None else x.bounds for x in (a, b))
        return enclosed(grid.outside(left.each(np.add, right)), scope, form, affine=affine)
    bounds = a.bounds.each(grid.nearest_sum, b.bounds)
    if form is not None:
        form = form.rounded(scope, (a.bounds + b.bounds).greatest)
        for value, other_value in ((a, b.bounds), (b, a.bounds)):
            if value.form is not None:  # what is too small beside a number does not change it
                least, added = value.bounds.least, other_value.greatest
                lost = (least > 0) & (added < 0.5 * grid.gap_below(least))
                form = value.form.where((lost | (added == 0)) & value.rounded, form)
    return enclosed(grid.outside(bounds), scope, form)


def _product(a: Enclosure, b: Enclosure) -> Enclosure:
    grid, scope = a.scope.grid, a.scope
    bounds = grid.outside(a.bounds * b.bounds)
    fused = one_division(a.argument, b.argument, grid)
    if fused is not None:
        bounds |= fused
    form = None
    if a.form is not None and b.form is None:
        form = a.form.scaled(b.bounds, a.bounds, scope)
    elif b.form is not None and a.form is None:
        form = b.form.scaled(a.bounds, b.bounds, scope)
    # a product with 1 is the other factor, which need not be rounded again
    kept = (a.bounds.equal(1) & b.rounded) | (b.bounds.equal(1) & a.rounded)
    return enclosed(bounds, scope, form, rounded=kept)


def _affine(matrix: Array, vector: Enclosure) -> Enclosure:
    """The product of a matrix, (row, column), with a vector, (…, column), summed in any order."""
    scope, greatest = vector.scope, vector.bounds.greatest
    matrix = np.asarray(matrix, np.float64)
    terms = Bounds.point(matrix) * vector.bounds[..., None, :]
    exact = None
    if (np.count_nonzero(greatest, axis=-1) <= 1).all():  # such as a one-hot input: nothing is added
        exact = terms.each(lambda bound: bound.sum(axis=-1))
    magnitude = np.asarray((np.abs(matrix) @ greatest[..., None])[..., 0])
    absent = (matrix == 0) | (greatest == 0)[..., None, :]
    whole_vector = vector.as_affine().whole[..., None, :]
    whole = (absent | ((np.rint(matrix) == matrix) & whole_vector)).all(axis=-1)
    magnitude = np.where(whole & (magnitude < 2.0**52), magnitude, magnitude * (1 + 1e-12))  # it was rounded
    affine = Affine(magnitude, whole, exact)
    form = None if vector.form is None else vector.form.mapped(matrix)
    form = None if form is None else form.widened(affine.error(scope))
    sums = _term(terms, scope).each(lambda bound: bound.sum(axis=-1))
    return enclosed(scope.grid.outside(sums), scope, form, affine=affine)


def _term(bounds: Bounds, scope: Scope) -> Bounds:
    """What becomes of a term of an affine map: in whichever order terms are added, each is multiplied by
    factors near 1, one for every sum that it goes through."""
    lower, upper = bounds.each(
        lambda bound: np.where(bound == 0, 0, scope.sums * np.abs(bound) + scope.grid.rounding.smallest)
    )
    return Bounds(bounds.lower - lower, bounds.upper + upper)


def _enclose(operation: Operation, arguments: Sequence[Any]) -> Enclosure:
    """The reading of program intervals."""
    if operation is linear:
        return _affine(arguments[0], arguments[1].settled())
    first = next(value for value in arguments if isinstance(value, Enclosure))
    values = [first.like(value).settled() for value in arguments]
    value, scope = values[0], first.scope
    if operation is sigmoid or operation is tanh:
        bounds = activated(operation, value.bounds, scope.grid)
        return enclosed(bounds, scope, argument=(operation, value.bounds))
    if operation is relu:
        bounds = value.bounds.each(lambda bound: np.maximum(bound, 0))
        form = None
        if value.form is not None:
            form = value.form.where(value.lower >= 0, Form.of_bounds(bounds, scope))
        return enclosed(bounds, scope, form)
    if operation is minimum or operation is maximum:
        return enclosed(value.bounds.each(operation, values[1].bounds), scope)
    if operation is absolute:
        return enclosed(Bounds(value.bounds.least, value.bounds.greatest), scope)
    raise TypeError(f"certificates do not know {operation.name}")


register(Enclosure, _enclose)
