"""Sigmoid, tanh, ReLU and square root of a vector of lanes.

With e = 2^(−x·log₂e): sigmoid is 1 / (1 + e), and tanh is (1 − e²) / (1 + e²). The power
of two is split into a whole part, added to the exponent's bits, and a rest within ±½,
whose power is a polynomial: relative error 2e-7 in float32, 3e-16 in float64. NaN stays NaN.
"""

from __future__ import annotations

import math
from typing import Any

from llvmlite import ir
from numba.extending import intrinsic

from abacist.targets.numba.lanes import Lanes, call, multiply_add
from abacist.targets.powers import DEGREE, power_coefficients

LOG2_E = 1 / math.log(2)


def clamp(builder: Any, lanes: Lanes, x: Any, limit: float) -> Any:
    """x within ±limit; a NaN passes through, since no comparison with it is true."""
    for sign, comparison in ((limit, ">"), (-limit, "<")):
        bound = lanes.constant(sign)
        x = builder.select(builder.fcmp_ordered(comparison, x, bound), bound, x)
    return x


def power_of_rest(builder: Any, lanes: Lanes, rest: Any) -> Any:
    """2^rest for a rest within ±½, and a little more."""
    coefficients = power_coefficients(DEGREE[lanes.precision])
    power = lanes.constant(coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        power = multiply_add(builder, lanes, power, rest, lanes.constant(coefficient))
    return power


def power(builder: Any, lanes: Lanes, x: Any, rate: float) -> Any:
    """2^(rate·x) for |rate·x| below 126."""
    mantissa = 23 if lanes.precision == "float32" else 52
    magic = lanes.constant(1.5 * 2.0**mantissa)  # adding it rounds to a whole number, in the low bits
    scale = lanes.constant(rate)
    rounded = multiply_add(builder, lanes, x, scale, magic)
    whole = builder.fsub(rounded, magic)
    of_rest = power_of_rest(builder, lanes, multiply_add(builder, lanes, x, scale, builder.fneg(whole)))
    shift = ir.Constant(lanes.integers, [mantissa] * lanes.count)
    exponent = builder.shl(builder.bitcast(rounded, lanes.integers), shift)
    return builder.bitcast(builder.add(builder.bitcast(of_rest, lanes.integers), exponent), lanes.vector)


def _fraction(builder: Any, lanes: Lanes, kind: str, x: Any) -> tuple[Any, Any]:
    """Sigmoid or tanh as a numerator and a denominator below 1e18."""
    one = lanes.constant(1.0)
    if kind == "sigmoid":
        e = power(builder, lanes, clamp(builder, lanes, x, 40.0), -LOG2_E)
        return one, builder.fadd(one, e)
    e = power(builder, lanes, clamp(builder, lanes, x, 20.0), -2 * LOG2_E)
    return builder.fsub(one, e), builder.fadd(one, e)


def emit_sigmoid(builder: Any, lanes: Lanes, x: Any) -> Any:
    return builder.fdiv(*_fraction(builder, lanes, "sigmoid", x))


def emit_tanh(builder: Any, lanes: Lanes, x: Any) -> Any:
    return builder.fdiv(*_fraction(builder, lanes, "tanh", x))


def _relu(builder: Any, lanes: Lanes, x: Any) -> Any:
    zero = lanes.constant(0.0)
    return builder.select(builder.fcmp_ordered("<", x, zero), zero, x)


def _absolute(builder: Any, lanes: Lanes, x: Any) -> Any:
    return call(builder, f"llvm.fabs.{lanes.suffix}", lanes.vector, x)


def _root(builder: Any, lanes: Lanes, x: Any) -> Any:
    return call(builder, f"llvm.sqrt.{lanes.suffix}", lanes.vector, x)


def lane_function(emit: Any, meaning: str) -> Any:
    """A function of one vector that printed programs can call."""

    def typed(typing: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return emit(builder, value, args[0])

        return value(value), generate

    typed.__name__ = emit.__name__.removeprefix("emit").strip("_")
    typed.__doc__ = meaning
    return intrinsic(typed)


@intrinsic
def sigmoid_times_tanh(typing: Any, x: Any, y: Any) -> Any:
    """sigmoid(x)·tanh(y), with one division."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        _, below = _fraction(builder, x, "sigmoid", args[0])
        above, below2 = _fraction(builder, x, "tanh", args[1])
        return builder.fdiv(above, builder.fmul(below, below2))

    return x(x, x), generate


def _extreme(name: str, comparison: str, meaning: str, *, number: bool = False) -> Any:
    """The smaller or the larger of two; NaN if one of them is, and the first is none if it is a `number`."""

    def typed(typing: Any, a: Any, b: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            chosen = builder.select(builder.fcmp_ordered(comparison, *args), *args)  # b if one is NaN
            if number:
                return chosen
            return builder.select(builder.fcmp_unordered("uno", args[0], args[0]), args[0], chosen)

        return a(a, a), generate

    typed.__name__, typed.__doc__ = name, meaning
    return intrinsic(typed)


def _product_extreme(name: str, comparison: str, last: int, meaning: str) -> Any:
    """The smaller or the larger of a·x + s and b·x + s.

    An instruction that chooses keeps only the NaN of its second operand, and `last` says which that is: of
    an interval from a to b, a lower bound is NaN where a is, and an upper one where b is.
    """

    def typed(typing: Any, a: Any, b: Any, x: Any, s: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            ends, factor, added = (args[1 - last], args[last]), args[2], args[3]
            sums = [multiply_add(builder, a, own, factor, added) for own in ends]
            return builder.select(builder.fcmp_ordered(comparison, *sums), *sums)

        return a(a, a, a, a), generate

    typed.__name__, typed.__doc__ = name, meaning
    return intrinsic(typed)


least_product = _product_extreme("least_product", "<", 0, "The smaller of a·x + s and b·x + s.")
greatest_product = _product_extreme("greatest_product", ">", 1, "The larger of a·x + s and b·x + s.")
minimum = _extreme("minimum", "<", "The smaller of two.")
maximum = _extreme("maximum", ">", "The larger of two.")
at_most = _extreme("at_most", "<", "No more than a number, which comes first.", number=True)
at_least = _extreme("at_least", ">", "No less than a number, which comes first.", number=True)
absolute = lane_function(_absolute, "|x|")
sigmoid = lane_function(emit_sigmoid, "1 / (1 + e⁻ˣ)")
tanh = lane_function(emit_tanh, "The hyperbolic tangent.")
relu = lane_function(_relu, "max(x, 0); NaN stays NaN.")
root = lane_function(_root, "The square root.")
