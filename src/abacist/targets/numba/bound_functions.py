"""Sigmoid and tanh of the bounds of boxes: as near to the exact ones as the engine's, in fewer instructions.

A bound is moved outwards by what its own function may be off, so it need not be the engine's to the
last bit. Where the processor can multiply by 2ⁿ whatever n is (AVX-512), the power of two may become 0
or infinite, and no argument has to be cut off. Elsewhere they are the engine's. NaN stays NaN, and what
is infinite, or nearly (10³⁸ in float32), may become NaN.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from abacist.machine_code.compiled_functions import processor
from abacist.targets.numba import lane_functions
from abacist.targets.numba.lane_functions import LOG2_E, lane_function, power_of_rest, shifted_function
from abacist.targets.numba.lanes import Lanes, call, lanes_of, register_by_register


def _can_scale() -> bool:
    return "+avx512f" in processor()[1]


def split_flops() -> int:
    """The floating-point operations that split an exponent into a whole number and a rest."""
    return 2 if _can_scale() else 5


def _scaled(builder: Any, lanes: Lanes, x: Any, exponent: Any) -> Any:
    """x · 2^exponent, 0 and infinity among the results."""
    one, kind = lanes_of(lanes.element), "ps" if lanes.precision == "float32" else "pd"
    every, nearest = ir.Constant(ir.IntType(one.count), -1), ir.Constant(ir.IntType(32), 4)

    def scale(*parts: Any) -> Any:
        name = f"llvm.x86.avx512.mask.scalef.{kind}.512"
        return call(builder, name, one.vector, *parts, one.constant(0.0), every, nearest)

    return register_by_register(builder, lanes, scale, x, exponent)


def _over_one_and_power(builder: Any, lanes: Lanes, above: float, rate: float, x: Any) -> Any:
    """above / (1 + 2^(rate·x))."""
    exponent = builder.fmul(x, lanes.constant(rate))
    whole = call(builder, f"llvm.rint.{lanes.suffix}", lanes.vector, exponent)
    power = _scaled(builder, lanes, power_of_rest(builder, lanes, builder.fsub(exponent, whole)), whole)
    return builder.fdiv(lanes.constant(above), builder.fadd(lanes.constant(1.0), power))


def emit_sigmoid(builder: Any, lanes: Lanes, x: Any) -> Any:
    if not _can_scale():
        return lane_functions.emit_sigmoid(builder, lanes, x)
    return _over_one_and_power(builder, lanes, 1.0, -LOG2_E, x)


def emit_tanh(builder: Any, lanes: Lanes, x: Any) -> Any:
    if not _can_scale():
        return lane_functions.emit_tanh(builder, lanes, x)
    return builder.fsub(_over_one_and_power(builder, lanes, 2.0, -2 * LOG2_E, x), lanes.constant(1.0))


def emit_tanh_plus(builder: Any, lanes: Lanes, x: Any, shift: Any) -> Any:
    """A constant shift and the 1 that is taken away become one number."""
    if not _can_scale():
        return lane_functions.emit_tanh_plus(builder, lanes, x, shift)
    return builder.fadd(
        _over_one_and_power(builder, lanes, 2.0, -2 * LOG2_E, x), builder.fsub(shift, lanes.constant(1.0))
    )


sigmoid = lane_function(emit_sigmoid, "1 / (1 + e⁻ˣ)")
tanh = lane_function(emit_tanh, "The hyperbolic tangent.")
tanh_plus = shifted_function(emit_tanh_plus, "The hyperbolic tangent of the first, and the second.")
