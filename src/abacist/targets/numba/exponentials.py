"""Exponential, logarithm and softplus of a vector of lanes.

eˣ is 2^(x·log₂e), split into a whole part, added to the exponent's bits, and a rest whose power is a
polynomial. A logarithm is split the other way round: x = m·2ⁿ with m between √½ and √2, and log m is
2·artanh((m − 1)/(m + 1)), a sum of odd powers. NaN stays NaN.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir

from abacist.targets.numba.lane_functions import LOG2_E, lane_function, power_of_rest
from abacist.targets.numba.lanes import Lanes, call, multiply_add

#: The largest arguments whose exponential is a number, and the smallest for which it is not taken for 0.
_LIMITS = {"float32": (-87.0, 88.72), "float64": (-708.0, 709.78)}

#: Bits of the mantissa.
_BITS = {"float32": 23, "float64": 52}

#: How many odd powers the logarithm of m has.
_POWERS = {"float32": 5, "float64": 11}


def _integers(lanes: Lanes, number: int) -> Any:
    return ir.Constant(lanes.integers, [number] * lanes.count)


#: What float64 lacks of log₂e.
_REST = 2.0355273740931033e-17


def _two_parts(lanes: Lanes) -> tuple[Any, Any]:
    """log₂e as a number of the precision, and what that lacks of it."""
    first = float(np.dtype(lanes.precision).type(LOG2_E))
    return lanes.constant(first), lanes.constant(LOG2_E - first + _REST)


def emit_exponential(builder: Any, lanes: Lanes, x: Any) -> Any:
    mantissa = _BITS[lanes.precision]
    lowest, largest = (lanes.constant(limit) for limit in _LIMITS[lanes.precision])
    low, high = (builder.fcmp_ordered(sign, x, limit) for sign, limit in (("<", lowest), (">", largest)))
    within = builder.select(low, lowest, builder.select(high, largest, x))
    first, second = _two_parts(lanes)
    magic = lanes.constant(1.5 * 2.0**mantissa)  # adding it rounds to a whole number, in the low bits
    rounded = multiply_add(builder, lanes, within, first, magic)
    whole = builder.fsub(rounded, magic)
    rest = multiply_add(builder, lanes, within, first, builder.fneg(whole))
    power = power_of_rest(builder, lanes, multiply_add(builder, lanes, within, second, rest))
    exponent = builder.shl(builder.bitcast(rounded, lanes.integers), _integers(lanes, mantissa))
    found = builder.bitcast(builder.add(builder.bitcast(power, lanes.integers), exponent), lanes.vector)
    found = builder.select(high, lanes.constant(math.inf), found)
    return builder.select(low, lanes.constant(0.0), found)


def emit_logarithm(builder: Any, lanes: Lanes, x: Any) -> Any:
    mantissa = _BITS[lanes.precision]
    kind = np.finfo(lanes.precision)
    zero, one = lanes.constant(0.0), lanes.constant(1.0)
    small = builder.fcmp_ordered("<", x, lanes.constant(float(kind.smallest_normal)))
    scaled = builder.select(small, builder.fmul(x, lanes.constant(2.0 ** (mantissa + 1))), x)
    bits = builder.bitcast(scaled, lanes.integers)
    half = int(np.asarray(math.sqrt(0.5), lanes.precision).view(f"i{np.dtype(lanes.precision).itemsize}"))
    above = builder.ashr(builder.sub(bits, _integers(lanes, half)), _integers(lanes, mantissa))
    m = builder.bitcast(builder.sub(bits, builder.shl(above, _integers(lanes, mantissa))), lanes.vector)
    n = builder.sitofp(above, lanes.vector)
    n = builder.fsub(n, builder.select(small, lanes.constant(mantissa + 1.0), zero))
    f = builder.fdiv(builder.fsub(m, one), builder.fadd(m, one))
    square = builder.fmul(f, f)
    powers = _POWERS[lanes.precision]
    series = lanes.constant(2.0 / (2 * powers - 1))
    for place in range(powers - 2, -1, -1):
        series = multiply_add(builder, lanes, series, square, lanes.constant(2.0 / (2 * place + 1)))
    found = multiply_add(builder, lanes, n, lanes.constant(math.log(2)), builder.fmul(series, f))
    found = builder.select(builder.fcmp_ordered("==", x, lanes.constant(math.inf)), x, found)
    found = builder.select(builder.fcmp_ordered("==", x, zero), lanes.constant(-math.inf), found)
    known = builder.fcmp_ordered(">=", x, zero)
    return builder.select(known, found, lanes.constant(math.nan))


def emit_softplus(builder: Any, lanes: Lanes, x: Any) -> Any:
    zero, one = lanes.constant(0.0), lanes.constant(1.0)
    magnitude = call(builder, f"llvm.fabs.{lanes.suffix}", lanes.vector, x)
    power = emit_exponential(builder, lanes, builder.fneg(magnitude))
    more = emit_logarithm(builder, lanes, builder.fadd(one, power))
    return builder.fadd(builder.select(builder.fcmp_ordered("<", x, zero), zero, x), more)


exponential = lane_function(emit_exponential, "eˣ.")
logarithm = lane_function(emit_logarithm, "The natural logarithm.")
softplus = lane_function(emit_softplus, "log(1 + eˣ).")
