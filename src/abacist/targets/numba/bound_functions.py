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
from abacist.targets.numba.lane_functions import LOG2_E, lane_function, power_of_rest
from abacist.targets.numba.lanes import Lanes, call, lanes_of, register_by_register

#: Where 2ⁿ is large enough for a tanh of −1, and its fraction not ∞/∞.
_LARGE = 60.0


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


def _split_power(builder: Any, lanes: Lanes, x: Any, rate: float) -> tuple[Any, Any]:
    """2^(rate·x) as a number between ½ and 2, and the exponent of a power of two."""
    exponent = builder.fmul(x, lanes.constant(rate))
    whole = call(builder, f"llvm.rint.{lanes.suffix}", lanes.vector, exponent)
    return power_of_rest(builder, lanes, builder.fsub(exponent, whole)), whole


def emit_sigmoid(builder: Any, lanes: Lanes, x: Any) -> Any:
    if not _can_scale():
        return lane_functions.emit_sigmoid(builder, lanes, x)
    one = lanes.constant(1.0)
    e = _scaled(builder, lanes, *_split_power(builder, lanes, x, -LOG2_E))
    return builder.fdiv(one, builder.fadd(one, e))


def emit_tanh(builder: Any, lanes: Lanes, x: Any) -> Any:
    if not _can_scale():
        return lane_functions.emit_tanh(builder, lanes, x)
    one, large = lanes.constant(1.0), lanes.constant(_LARGE)
    power, whole = _split_power(builder, lanes, x, -2 * LOG2_E)
    whole = builder.select(builder.fcmp_ordered("<", whole, large), whole, large)  # a NaN is in the power
    e = _scaled(builder, lanes, power, whole)
    return builder.fdiv(builder.fsub(one, e), builder.fadd(one, e))


sigmoid = lane_function(emit_sigmoid, "1 / (1 + e⁻ˣ)")
tanh = lane_function(emit_tanh, "The hyperbolic tangent.")
