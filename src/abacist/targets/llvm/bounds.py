"""Bounds of activations and products: the operations that only boxes need.

A bound is moved outwards by the error of its own function, so it need not have the engine's last bit. Where
the processor can multiply by 2ⁿ for every n (AVX-512), the power of two may become 0 or infinite, and no
argument has to be cut off. Elsewhere it is the engine's. NaN stays NaN, and what is infinite may become NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from abacist.targets import functions
from abacist.targets.llvm.vectors import Vectors

#: Larger exponents of two are replaced by this one: 2⁶⁰ exceeds e⁴⁰.
_LARGEST_EXPONENT = 60.0


def _power(v: Vectors, x: Any) -> Any:
    """2ˣ, or a number so large or small that 1 / (1 + it) is 0 or 1."""
    if not v.has_avx512:
        return functions.power(v, x, _LARGEST_EXPONENT, 1.0)
    whole = v.intrinsic("rint", x)
    return _scaled(v, functions.power_of_rest(v, v.builder.fsub(x, whole)), whole)


def _scaled(v: Vectors, x: Any, exponent: Any) -> Any:
    """x · 2^exponent, 0 and infinity among the results."""
    name = f"llvm.x86.avx512.mask.scalef.{'ps' if v.bits == 32 else 'pd'}.512"
    unchanged = ir.Constant(v.register, [0.0] * v.lanes)
    every_lane, nearest = ir.Constant(ir.IntType(v.lanes), -1), ir.Constant(ir.IntType(32), 4)

    def scale(*parts: Any) -> Any:
        return v.call(name, v.register, *parts, unchanged, every_lane, nearest)

    return v.by_register(scale, x, exponent)


def sigmoid_bound(v: Vectors, x: Any) -> Any:
    """1 / (1 + 2ˣ)."""
    one = v.constant(1.0)
    return v.builder.fdiv(one, v.builder.fadd(one, _power(v, x)))


def tanh_bound(v: Vectors, x: Any, added: Any) -> Any:
    """2 / (1 + 2ˣ), and what is added."""
    below = v.builder.fadd(v.constant(1.0), _power(v, x))
    return v.builder.fadd(v.builder.fdiv(v.constant(2.0), below), added)


def extreme_product_of(comparison: str, last: int) -> Callable[..., Any]:
    """The smaller or the larger of a·x + s and b·x + s.

    An instruction that chooses keeps only the NaN of its second operand, and `last` says which that is: of an
    interval from a to b, a lower bound is NaN where a is, and an upper one where b is.
    """

    def extreme(v: Vectors, a: Any, b: Any, x: Any, s: Any) -> Any:
        ends = (b, a) if last == 0 else (a, b)
        sums = [v.fma(end, x, s) for end in ends]
        return v.builder.select(v.builder.fcmp_ordered(comparison, *sums), *sums)

    return extreme


#: All operations of this target.
OPERATIONS: dict[str, Callable[..., Any]] = functions.OPERATIONS | {
    "sigmoid_bound": sigmoid_bound,
    "tanh_bound": tanh_bound,
    "least_product": extreme_product_of("<", 0),
    "greatest_product": extreme_product_of(">", 1),
}


def split_flops(features: str) -> int:
    """The floating-point operations that split the exponent of a bound into a whole number and a rest."""
    return 1 if "+avx512f" in features else 5
