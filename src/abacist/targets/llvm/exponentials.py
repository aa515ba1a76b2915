"""Exponential, logarithm and softplus of vectors of lanes.

eˣ is 2^(x·log₂e), split into a whole part, added to the exponent's bits, and a rest whose power is a
polynomial. A logarithm is split the other way round: x = m·2ⁿ with m between √½ and √2, and log m is
2·artanh((m − 1)/(m + 1)), a sum of odd powers. NaN stays NaN.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from abacist.targets.llvm.functions import LOG2_E, MANTISSA, add_exponent, magic, power_of_rest, relu
from abacist.targets.llvm.vectors import Vectors

#: The largest argument whose exponential is a number, and the smallest whose exponential is not replaced by
#: 0.
_LIMITS = {"float32": (-87.0, 88.72), "float64": (-708.0, 709.78)}

#: The number of odd powers in the logarithm of m.
_POWERS = {"float32": 5, "float64": 11}

#: log₂e less its float64.
_REST = 2.0355273740931033e-17


def _two_parts(v: Vectors) -> tuple[Any, Any]:
    """log₂e as a number of the precision, and the rest of it."""
    first = float(np.dtype(v.precision).type(LOG2_E))
    return v.constant(first), v.constant(LOG2_E - first + _REST)


def exponential(v: Vectors, x: Any) -> Any:
    build = v.builder
    lowest, largest = (v.constant(limit) for limit in _LIMITS[v.precision])
    low, high = (build.fcmp_ordered(sign, x, limit) for sign, limit in (("<", lowest), (">", largest)))
    within = build.select(low, lowest, build.select(high, largest, x))
    first, second = _two_parts(v)
    rounded = v.fma(within, first, magic(v))
    whole = build.fsub(rounded, magic(v))
    rest = v.fma(within, first, build.fneg(whole))
    result = add_exponent(v, power_of_rest(v, v.fma(within, second, rest)), rounded)
    result = build.select(high, v.constant(math.inf), result)
    return build.select(low, v.constant(0.0), result)


def logarithm(v: Vectors, x: Any) -> Any:
    build, mantissa, kind = v.builder, MANTISSA[v.precision], np.dtype(v.precision)
    zero, one = v.constant(0.0), v.constant(1.0)
    small = v.less(x, v.constant(float(np.finfo(kind).smallest_normal)))
    scaled = build.select(small, build.fmul(x, v.constant(2.0 ** (mantissa + 1))), x)
    bits = v.bitcast_to_integers(scaled)
    half = int(np.asarray(math.sqrt(0.5), kind).view(f"i{kind.itemsize}"))
    above = build.ashr(build.sub(bits, v.whole(half)), v.whole(mantissa))
    m = build.bitcast(build.sub(bits, build.shl(above, v.whole(mantissa))), v.vector)
    n = build.sitofp(above, v.vector)
    n = build.fsub(n, build.select(small, v.constant(mantissa + 1.0), zero))
    f = build.fdiv(build.fsub(m, one), build.fadd(m, one))
    square, powers = build.fmul(f, f), _POWERS[v.precision]
    series = v.constant(2.0 / (2 * powers - 1))
    for place in range(powers - 2, -1, -1):
        series = v.fma(series, square, v.constant(2.0 / (2 * place + 1)))
    result = v.fma(n, v.constant(math.log(2)), build.fmul(series, f))
    result = build.select(build.fcmp_ordered("==", x, v.constant(math.inf)), x, result)
    result = build.select(build.fcmp_ordered("==", x, zero), v.constant(-math.inf), result)
    return build.select(build.fcmp_ordered(">=", x, zero), result, v.constant(math.nan))


def softplus(v: Vectors, x: Any) -> Any:
    """log(1 + eˣ)."""
    power = exponential(v, v.builder.fneg(v.intrinsic("fabs", x)))
    return v.builder.fadd(relu(v, x), logarithm(v, v.builder.fadd(v.constant(1.0), power)))
