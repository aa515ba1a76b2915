"""Sigmoid, tanh, ReLU and extremes of vectors of lanes.

With e = 2^(−x·log₂e): sigmoid is 1 / (1 + e), and tanh is (1 − e²) / (1 + e²). The power of two is split into
a whole part, added to the exponent's bits, and a rest within ±½, whose power is a polynomial: relative error
2e-7 in float32, 3e-16 in float64. NaN stays NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from llvmlite import ir

from abacist.targets.llvm.vectors import Vectors
from abacist.targets.powers import DEGREE, power_coefficients

LOG2_E = 1 / math.log(2)

#: Bits of the mantissa.
MANTISSA = {"float32": 23, "float64": 52}


def clamp(v: Vectors, x: Any, limit: float) -> Any:
    """x within ±limit; NaN passes through, since no comparison with it is true."""
    for sign, comparison in ((limit, ">"), (-limit, "<")):
        bound = v.constant(sign)
        x = v.builder.select(v.builder.fcmp_ordered(comparison, x, bound), bound, x)
    return x


def power_of_rest(v: Vectors, rest: Any) -> Any:
    """2^rest for a rest within ±½, and a little more."""
    coefficients = power_coefficients(DEGREE[v.precision])
    power = v.constant(coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        power = v.fma(power, rest, v.constant(coefficient))
    return power


def add_exponent(v: Vectors, power: Any, rounded: Any) -> Any:
    """A number times two to the whole number in the low bits of another."""
    exponent = v.builder.shl(v.bitcast_to_integers(rounded), v.whole(MANTISSA[v.precision]))
    return v.builder.bitcast(v.builder.add(v.bitcast_to_integers(power), exponent), v.vector)


def magic(v: Vectors) -> Any:
    """Adding it rounds to a whole number, which is then in the low bits."""
    return v.constant(1.5 * 2.0 ** MANTISSA[v.precision])


def power(v: Vectors, x: Any, rate: float) -> Any:
    """2^(rate·x) for |rate·x| below 126."""
    scale = v.constant(rate)
    rounded = v.fma(x, scale, magic(v))
    whole = v.builder.fsub(rounded, magic(v))
    return add_exponent(v, power_of_rest(v, v.fma(x, scale, v.builder.fneg(whole))), rounded)


def _sigmoid_denominator(v: Vectors, x: Any) -> Any:
    return v.builder.fadd(v.constant(1.0), power(v, clamp(v, x, 40.0), -LOG2_E))


def _tanh_fraction(v: Vectors, x: Any) -> tuple[Any, Any]:
    """The numerator and the denominator of tanh, both below 1e18."""
    one, e = v.constant(1.0), power(v, clamp(v, x, 20.0), -2 * LOG2_E)
    return v.builder.fsub(one, e), v.builder.fadd(one, e)


def sigmoid(v: Vectors, x: Any) -> Any:
    return v.builder.fdiv(v.constant(1.0), _sigmoid_denominator(v, x))


def tanh(v: Vectors, x: Any) -> Any:
    return v.builder.fdiv(*_tanh_fraction(v, x))


def sigmoid_times_tanh(v: Vectors, x: Any, y: Any) -> Any:
    """sigmoid(x)·tanh(y), with one division."""
    below = _sigmoid_denominator(v, x)
    above, below2 = _tanh_fraction(v, y)
    return v.builder.fdiv(above, v.builder.fmul(below, below2))


def relu(v: Vectors, x: Any) -> Any:
    zero = v.constant(0.0)
    return v.builder.select(v.less(x, zero), zero, x)


def where_positive(v: Vectors, x: Any, y: Any) -> Any:
    zero = v.constant(0.0)
    return v.builder.select(v.less(zero, x), y, zero)


def extreme_of(comparison: str) -> Callable[..., Any]:
    """The smaller or the larger of two; NaN if one of them is."""

    def extreme(v: Vectors, a: Any, b: Any) -> Any:
        if _is_number(b):
            a, b = b, a
        chosen = v.builder.select(v.builder.fcmp_ordered(comparison, a, b), a, b)  # b if one is NaN
        if _is_number(a):
            return chosen
        return v.builder.select(v.builder.fcmp_unordered("uno", a, a), a, chosen)

    return extreme


def _is_number(value: Any) -> bool:
    """Whether a value is a constant, and therefore not NaN."""
    return isinstance(value, ir.Constant)


def extreme_product_of(comparison: str, last: int) -> Callable[..., Any]:
    """The smaller or the larger of a·x + s and b·x + s.

    An instruction that chooses keeps only the NaN of its second operand, and `last` says which that is: of an
    interval from a to b, a lower bound is NaN where a is, and an upper one where b is.
    """

    def extreme(v: Vectors, a: Any, b: Any, x: Any, s: Any) -> Any:
        ends = (b, a) if last == 0 else (a, b)
        sums = [v.fma(own, x, s) for own in ends]
        return v.builder.select(v.builder.fcmp_ordered(comparison, *sums), *sums)

    return extreme
