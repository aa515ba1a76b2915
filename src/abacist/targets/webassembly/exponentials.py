"""Exponential, logarithm and softplus of four lanes: what they are computed from lies on the stack.

They are those of the Numba target in float32, without fused multiply-adds: eˣ is 2ᵏ·2ʳ with k a whole
number, and r is found by taking k·ln 2 from x in two parts, so that the product with the first is exact. The
logarithm of m·2ⁿ, with m between √½ and √2, is n·ln 2 + 2·artanh((m − 1)/(m + 1)), a sum of odd powers. NaN
stays NaN.
"""

from __future__ import annotations

import math
import struct

from abacist.targets.powers import DEGREE, power_coefficients
from abacist.targets.webassembly.assembler import Code

#: The smallest argument whose exponential is not taken for 0, and the largest whose exponential is a number.
_LOWEST, _LARGEST = -87.0, 88.72

#: ln 2 in two parts, the first with few bits.
_LN_2 = (0.693359375, math.log(2) - 0.693359375)

#: Adding it rounds to a whole number, which is then in the low bits.
_MAGIC = 1.5 * 2.0**23

#: How many odd powers the logarithm of m has, and what a number below all normal ones is multiplied by.
_POWERS, _SMALLEST, _SHIFT = 5, 2.0**-126, 24

#: The bits of √½.
_HALF = struct.unpack("<i", struct.pack("<f", math.sqrt(0.5)))[0]


def exponential(code: Code) -> None:
    """eˣ."""
    code.set("argument")
    code.get("argument")
    code.number(_LARGEST)
    code("f32x4.pmin")  # the first one if it is NaN
    code.number(_LOWEST)
    code("f32x4.pmax")
    code.set("rest")
    code.get("rest")
    code.number(1 / math.log(2))
    code("f32x4.mul")
    code.number(_MAGIC)
    code("f32x4.add")
    code.set("rounded")
    code.get("rounded")
    code.number(_MAGIC)
    code("f32x4.sub")
    code.set("whole")
    code.get("rest")
    for part in _LN_2:
        code.get("whole")
        code.number(part)
        code("f32x4.mul", "f32x4.sub")
    code.number(1 / math.log(2))
    code("f32x4.mul")
    code.set("rest")
    coefficients = power_coefficients(DEGREE["float32"])
    code.number(coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        code.get("rest")
        code("f32x4.mul")
        code.number(coefficient)
        code("f32x4.add")
    code.get("rounded")
    code.integer(23)
    code("i32x4.shl", "i32x4.add")
    code.set("found")
    _choose(code, math.inf, "f32x4.gt", _LARGEST)
    _choose(code, 0.0, "f32x4.lt", _LOWEST)
    code.get("found")


def _choose(code: Code, value: float, comparison: str, limit: float) -> None:
    """Another value for what was found, where the argument compares so with a limit."""
    code.number(value)
    code.get("found", "argument")
    code.number(limit)
    code(comparison, "v128.bitselect")
    code.set("found")


def logarithm(code: Code) -> None:
    """The natural logarithm."""
    code.set("argument")
    code.get("argument")
    code.number(_SMALLEST)
    code("f32x4.lt")
    code.set("small")
    code.get("argument")
    code.number(2.0**_SHIFT)
    code("f32x4.mul")
    code.get("argument", "small")
    code("v128.bitselect")
    code.set("bits")
    code.get("bits")
    code.integer(_HALF)
    code("i32x4.splat", "i32x4.sub")
    code.integer(23)
    code("i32x4.shr_s")
    code.set("above")
    code.get("bits", "above")
    code.integer(23)
    code("i32x4.shl", "i32x4.sub")
    code.set("m")
    for operation in ("f32x4.sub", "f32x4.add"):
        code.get("m")
        code.number(1.0)
        code(operation)
    code("f32x4.div")
    code.set("f")
    code.get("f", "f")
    code("f32x4.mul")
    code.set("square")
    code.number(2 / (2 * _POWERS - 1))
    for place in range(_POWERS - 2, -1, -1):
        code.get("square")
        code("f32x4.mul")
        code.number(2 / (2 * place + 1))
        code("f32x4.add")
    code.get("f")
    code("f32x4.mul")
    code.get("above")
    code("f32x4.convert_i32x4_s")
    code.number(float(_SHIFT))
    code.get("small")
    code("v128.and", "f32x4.sub")
    code.number(math.log(2))
    code("f32x4.mul", "f32x4.add")
    code.set("found")
    _choose(code, math.inf, "f32x4.eq", math.inf)
    _choose(code, -math.inf, "f32x4.eq", 0.0)
    code.get("found")
    code.number(math.nan)
    code.get("argument")
    code.number(0.0)
    code("f32x4.ge", "v128.bitselect")


def softplus(code: Code) -> None:
    """log(1 + eˣ)."""
    code.set("of softplus")
    code.get("of softplus")
    code.number(0.0)
    code("f32x4.pmax")
    code.get("of softplus")
    code("f32x4.abs", "f32x4.neg")
    exponential(code)
    code.number(1.0)
    code("f32x4.add")
    logarithm(code)
    code("f32x4.add")
