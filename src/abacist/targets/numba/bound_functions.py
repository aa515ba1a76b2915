"""What the bounds of sigmoids and tanhs are made of: as near to the exact ones as the engine's, in fewer
instructions.

A bound is moved outwards by what its own function may be off, so it need not be the engine's to the
last bit. Where the processor can multiply by 2ⁿ whatever n is (AVX-512), the power of two may become 0
or infinite, and no argument has to be cut off. Elsewhere it is the engine's. NaN stays NaN, and what
is infinite may become NaN.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.extending import intrinsic

from abacist.machine_code.compiled_functions import processor
from abacist.targets.numba import lane_functions
from abacist.targets.numba.lane_functions import lane_function, power_of_rest
from abacist.targets.numba.lanes import Lanes, call, lanes_of, register_by_register

#: Beyond, a power of two is taken for this one's: that of e⁴⁰, and more.
_LARGE = 60.0


def _can_scale() -> bool:
    return "+avx512f" in processor()[1]


def split_flops() -> int:
    """The floating-point operations that split an exponent into a whole number and a rest."""
    return 1 if _can_scale() else 5


def _scaled(builder: Any, lanes: Lanes, x: Any, exponent: Any) -> Any:
    """x · 2^exponent, 0 and infinity among the results."""
    one, kind = lanes_of(lanes.element), "ps" if lanes.precision == "float32" else "pd"
    every, nearest = ir.Constant(ir.IntType(one.count), -1), ir.Constant(ir.IntType(32), 4)

    def scale(*parts: Any) -> Any:
        name = f"llvm.x86.avx512.mask.scalef.{kind}.512"
        return call(builder, name, one.vector, *parts, one.constant(0.0), every, nearest)

    return register_by_register(builder, lanes, scale, x, exponent)


def _power(builder: Any, lanes: Lanes, x: Any) -> Any:
    """2ˣ, or what is so large or small that one over 1 and it is 0 or 1."""
    if not _can_scale():
        return lane_functions.power(builder, lanes, lane_functions.clamp(builder, lanes, x, _LARGE), 1.0)
    whole = call(builder, f"llvm.rint.{lanes.suffix}", lanes.vector, x)
    return _scaled(builder, lanes, power_of_rest(builder, lanes, builder.fsub(x, whole)), whole)


def emit_falling(builder: Any, lanes: Lanes, x: Any) -> Any:
    one = lanes.constant(1.0)
    return builder.fdiv(one, builder.fadd(one, _power(builder, lanes, x)))


def emit_twice_falling(builder: Any, lanes: Lanes, x: Any, added: Any) -> Any:
    below = builder.fadd(lanes.constant(1.0), _power(builder, lanes, x))
    return builder.fadd(builder.fdiv(lanes.constant(2.0), below), added)


@intrinsic
def twice_falling(typing: Any, x: Any, added: Any) -> Any:
    """2 / (1 + 2ˣ), and what is added."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return emit_twice_falling(builder, x, *args)

    return x(x, x), generate


falling = lane_function(emit_falling, "1 / (1 + 2ˣ)")
