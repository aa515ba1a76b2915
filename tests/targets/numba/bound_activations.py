"""Sigmoid and tanh as bounds have them where they are taken of a state: with a product in the exponent."""

from __future__ import annotations

from typing import Any

from numba.extending import intrinsic

from abacist.targets.numba.bound_functions import emit_falling, emit_twice_falling
from abacist.targets.numba.lane_functions import LOG2_E, lane_function
from abacist.targets.numba.lanes import Lanes


def _exponent(builder: Any, lanes: Lanes, x: Any, rate: float) -> Any:
    return builder.fmul(x, lanes.constant(rate))


def emit_sigmoid(builder: Any, lanes: Lanes, x: Any) -> Any:
    return emit_falling(builder, lanes, _exponent(builder, lanes, x, -LOG2_E))


def emit_tanh(builder: Any, lanes: Lanes, x: Any) -> Any:
    return emit_twice_falling(builder, lanes, _exponent(builder, lanes, x, -2 * LOG2_E), lanes.constant(-1.0))


@intrinsic
def moved_tanh(typing: Any, x: Any, added: Any) -> Any:
    """2 / (1 + e⁻²ˣ), and what is added: a shift outwards, less 1."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return emit_twice_falling(builder, x, _exponent(builder, x, args[0], -2 * LOG2_E), args[1])

    return x(x, x), generate


sigmoid = lane_function(emit_sigmoid, "1 / (1 + e⁻ˣ)")
tanh = lane_function(emit_tanh, "The hyperbolic tangent.")
