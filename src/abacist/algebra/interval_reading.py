"""The reading of intervals: a formula maps boxes, and no value that its programs compute escapes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from abacist.algebra.interval_extremes import extreme
from abacist.algebra.interval_functions import exponentials, logarithms, quotient, roots, softened
from abacist.algebra.interval_vectors import looked_at
from abacist.algebra.intervals import Interval, IntervalProduct, IntervalSum, enclosed
from abacist.algebra.operation import Operation
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
from abacist.algebra.readings import register

#: e⁻ˣ is 2 to the power of x times this.
_RATE = -1 / math.log(2)

#: What further functions of units make of an interval.
_FUNCTIONS = {exp: exponentials, log: logarithms, softplus: softened, sqrt: roots}


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
        return IntervalSum(vector.outward, products=((self, *vector.ball),))

    def scaled(self, rate: float) -> IntervalMatrix:
        return self if rate == 1 else IntervalMatrix(self.signed * rate, self.magnitudes * abs(rate))


def _enclose(operation: Operation, arguments: Sequence[Any]) -> Interval | IntervalSum:
    """The reading of intervals."""
    if operation is sigmoid:
        return _sigmoid(arguments[0])
    if operation is tanh:
        return _tanh(arguments[0])
    if operation is minimum or operation is maximum:
        return extreme(operation, tuple(arguments))
    arguments = [own.bounds if isinstance(own, IntervalSum | IntervalProduct) else own for own in arguments]
    if operation is linear:
        matrix, vector = arguments
        if not (isinstance(matrix, IntervalMatrix) and isinstance(vector, Interval)):
            raise TypeError("linear needs a matrix and a vector of one reading")
        return matrix.times(vector)
    value: Interval = next(argument for argument in arguments if isinstance(argument, Interval))
    if operation is divide:
        return quotient(*(enclosed(argument, value.outward).bounds for argument in arguments))
    if operation in _FUNCTIONS:
        return _FUNCTIONS[operation](value)
    if operation in (part, repeat, segment_sum):
        return looked_at(operation, *arguments)
    if operation is absolute:
        lower = maximum(maximum(value.lower, 0.0 - value.upper), 0.0)
        return Interval(lower, value.magnitude, value.outward, nonnegative=True)
    if operation is relu:
        return Interval(relu(value.lower), relu(value.upper), value.outward, nonnegative=True)
    raise TypeError(f"{operation.name} has no reading for Interval")


def _sigmoid(value: Interval | IntervalSum | IntervalProduct) -> Interval:
    """Its bounds have room for products: so they reach past 1 by what a product is rounded by."""
    error, most, exponents = value.outward.sigmoid, 1 + value.outward.relative, value.scaled(_RATE)
    lower = maximum(sigmoid_bound(exponents[1]) - error, 0.0)
    upper = minimum(sigmoid_bound(exponents[0]) + error, most)
    return Interval(lower, upper, value.outward, nonnegative=True, roomy=True)


def _tanh(value: Interval | IntervalSum | IntervalProduct) -> Interval:
    """2 / (1 + e⁻²ˣ) − 1; the 1 and the shift are one number."""
    error, exponents = value.outward.tanh, value.scaled(2 * _RATE)
    lower, upper = tanh_bound(exponents[1], -error - 1), tanh_bound(exponents[0], error - 1)
    return Interval(maximum(lower, -1.0), minimum(upper, 1.0), value.outward)


register(Interval, _enclose)
register(IntervalSum, _enclose)
register(IntervalProduct, _enclose)
register(IntervalMatrix, _enclose)
