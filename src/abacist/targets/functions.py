"""Polynomials for LLVM and WebAssembly: sigmoid, tanh, exponential, logarithm, softplus.

A power of two is split into a whole part, added to the exponent's bits, and a rest within ±½, whose power is
a polynomial: relative error 2e-7 in float32, 3e-16 in float64. With e = 2^(−x·log₂e), sigmoid is 1 / (1 + e),
and tanh is (1 − e²) / (1 + e²). A logarithm is split the other way round: x = m·2ⁿ with m between √½ and √2,
and log m is 2·artanh((m − 1)/(m + 1)), a sum of odd powers. NaN stays NaN.

`v` are the primitives of a backend: constants, `builder` with LLVM's names of instructions, `keep` for what
is used more than once, and what differs between the two, above all where multiply-adds are fused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

#: The polynomial for 2^r on [−½, ½], lowest power first. It is 1 + r·q(r), so that 2⁰ is exactly 1;
#: q interpolates (2^r − 1) / r at Chebyshev's points, computed with 50 digits.
POWER_COEFFICIENTS = {
    "float32": (
        1.0, 0.6931471805599453, 0.2402234903802036, 0.05550381013796457, 0.009666368515385448,
        0.0013381302537320797,
    ),
    "float64": (
        1.0, 0.6931471805599453, 0.24022650695910097, 0.0555041086648216, 0.009618129107606888,
        0.0013333558146416936, 0.0001540353044173605, 1.525273382983612e-05, 1.321544258792169e-06,
        1.0178062445845774e-07, 7.072585949269223e-09, 4.4549605981865186e-10,
    ),
}  # fmt: skip

#: Its degree.
DEGREE = {precision: len(numbers) - 1 for precision, numbers in POWER_COEFFICIENTS.items()}

LOG2_E = 1 / math.log(2)

#: Bits of the mantissa, and the smallest number that has all of them.
MANTISSA = {"float32": 23, "float64": 52}
_SMALLEST = {"float32": 2.0**-126, "float64": 2.0**-1022}

#: The smallest argument whose exponential is not taken for 0, and the largest whose exponential is a number.
_LIMITS = {"float32": (-87.0, 88.72), "float64": (-708.0, 709.78)}

#: The number of odd powers in the logarithm of m.
_POWERS = {"float32": 5, "float64": 11}


def _polynomial(v: Any, coefficients: Sequence[float], x: Any) -> Any:
    """A polynomial, its lowest power first."""
    value = v.constant(coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        value = v.fma(value, x, v.constant(coefficient))
    return value


def power_of_rest(v: Any, rest: Any) -> Any:
    """2^rest for a rest within ±½, and a little more."""
    return _polynomial(v, POWER_COEFFICIENTS[v.precision], rest)


def power(v: Any, x: Any, limit: float, rate: float) -> Any:
    """2^(rate·x), x within ±limit; |rate·limit| is below 126."""
    rounded, rest = v.split(v.at_least(v.at_most(x, limit), -limit), rate)
    return v.add_exponent(power_of_rest(v, rest), rounded)


def _sigmoid_denominator(v: Any, x: Any) -> Any:
    return v.builder.fadd(v.constant(1.0), power(v, x, 40.0, -LOG2_E))


def _tanh_fraction(v: Any, x: Any) -> tuple[Any, Any]:
    """The numerator and the denominator of tanh, both below 1e18."""
    one, e = v.constant(1.0), v.keep(power(v, x, 20.0, -2 * LOG2_E))
    return v.builder.fsub(one, e), v.builder.fadd(one, e)


def sigmoid(v: Any, x: Any) -> Any:
    return v.builder.fdiv(v.constant(1.0), _sigmoid_denominator(v, x))


def tanh(v: Any, x: Any) -> Any:
    return v.builder.fdiv(*_tanh_fraction(v, x))


def sigmoid_times_tanh(v: Any, x: Any, y: Any) -> Any:
    """sigmoid(x)·tanh(y), with one division."""
    x, y = v.keep_all(x, y)
    below = v.keep(_sigmoid_denominator(v, x))
    above, below2 = _tanh_fraction(v, y)
    return v.builder.fdiv(above, v.builder.fmul(below, below2))


def exponential(v: Any, x: Any) -> Any:
    x, build = v.keep(x), v.builder
    lowest, largest = (v.constant(limit) for limit in _LIMITS[v.precision])
    low, high = (build.fcmp_ordered(sign, x, limit) for sign, limit in (("<", lowest), (">", largest)))
    rounded, rest = v.split_exactly(build.select(low, lowest, build.select(high, largest, x)))
    result = v.add_exponent(power_of_rest(v, rest), rounded)
    result = build.select(high, v.constant(math.inf), result)
    return build.select(low, v.constant(0.0), result)


def logarithm(v: Any, x: Any) -> Any:
    x, build, shift = v.keep(x), v.builder, MANTISSA[v.precision] + 1
    zero, one = v.constant(0.0), v.constant(1.0)
    small = v.keep(build.fcmp_ordered("<", x, v.constant(_SMALLEST[v.precision])))
    m, n = v.mantissa_and_exponent(build.select(small, build.fmul(x, v.constant(2.0**shift)), x))
    n = build.fsub(n, build.select(small, v.constant(float(shift)), zero))
    f = v.keep(build.fdiv(build.fsub(m, one), build.fadd(m, one)))
    square = v.keep(build.fmul(f, f))
    series = _polynomial(v, [2 / (2 * place + 1) for place in range(_POWERS[v.precision])], square)
    result = v.fma(n, v.constant(math.log(2)), build.fmul(series, f))
    result = build.select(build.fcmp_ordered("==", x, v.constant(math.inf)), x, result)
    result = build.select(build.fcmp_ordered("==", x, zero), v.constant(-math.inf), result)
    return build.select(build.fcmp_ordered(">=", x, zero), result, v.constant(math.nan))


def softplus(v: Any, x: Any) -> Any:
    """log(1 + eˣ)."""
    x = v.keep(x)
    power = exponential(v, v.builder.fneg(v.intrinsic("fabs", x)))
    return v.builder.fadd(relu(v, x), logarithm(v, v.builder.fadd(v.constant(1.0), power)))


def relu(v: Any, x: Any) -> Any:
    return v.at_least(x, 0.0)


def where_positive(v: Any, x: Any, y: Any) -> Any:
    zero = v.constant(0.0)
    return v.builder.select(v.builder.fcmp_ordered("<", zero, x), y, zero)


#: Each operation, by its name. A further operation is a further line.
OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": lambda v, a, b: v.builder.fadd(a, b),
    "subtract": lambda v, a, b: v.builder.fsub(a, b),
    "multiply": lambda v, a, b: v.builder.fmul(a, b),
    "divide": lambda v, a, b: v.builder.fdiv(a, b),
    "sigmoid": sigmoid,
    "tanh": tanh,
    "sigmoid_times_tanh": sigmoid_times_tanh,
    "relu": relu,
    "exp": exponential,
    "log": logarithm,
    "softplus": softplus,
    "sqrt": lambda v, x: v.intrinsic("sqrt", x),
    "minimum": lambda v, a, b: v.extreme("<", a, b),
    "maximum": lambda v, a, b: v.extreme(">", a, b),
    "absolute": lambda v, x: v.intrinsic("fabs", x),
    "where_positive": where_positive,
}
