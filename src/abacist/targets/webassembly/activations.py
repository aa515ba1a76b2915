"""Sigmoid and tanh of four lanes: what they are computed from lies on the stack.

They are those of the Numba target in float32, without fused multiply-adds, which WebAssembly does not have:
with e = 2^(−x·log₂e), sigmoid is 1 / (1 + e), and tanh is (1 − e²) / (1 + e²). NaN stays NaN.
"""

from __future__ import annotations

import math

from abacist.targets.powers import DEGREE, power_coefficients
from abacist.targets.webassembly.assembler import Code

_LOG2_E = 1 / math.log(2)

#: Adding it rounds to a whole number, which is then in the low bits.
_MAGIC = 1.5 * 2.0**23

_COEFFICIENTS = power_coefficients(DEGREE["float32"])


def sigmoid(code: Code) -> None:
    """1 / (1 + e⁻ˣ)."""
    _power(code, 40.0, -_LOG2_E)
    code.set("e")
    code.number(1.0)
    code.number(1.0)
    code.get("e")
    code("f32x4.add", "f32x4.div")


def tanh(code: Code) -> None:
    """The hyperbolic tangent."""
    _tanh_fraction(code)
    code("f32x4.div")


def sigmoid_times_tanh(code: Code) -> None:
    """sigmoid(x)·tanh(y), with one division; y lies on top."""
    code.set("y")
    _power(code, 40.0, -_LOG2_E)
    code.number(1.0)
    code("f32x4.add")
    code.set("below")
    code.get("y")
    _tanh_fraction(code)
    code.get("below")
    code("f32x4.mul", "f32x4.div")


def _tanh_fraction(code: Code) -> None:
    """The numerator and the denominator of tanh."""
    _power(code, 20.0, -2 * _LOG2_E)
    code.set("e")
    for operation in ("f32x4.sub", "f32x4.add"):
        code.number(1.0)
        code.get("e")
        code(operation)


def _power(code: Code, limit: float, rate: float) -> None:
    """2^(rate·x), with x taken for ±limit beyond that."""
    code.number(limit)
    code("f32x4.pmin")  # the first one if it is NaN
    code.number(-limit)
    code("f32x4.pmax")
    code.number(rate)
    code("f32x4.mul")
    code.set("exponent")
    code.get("exponent")
    code.number(_MAGIC)
    code("f32x4.add")
    code.set("rounded")
    code.get("exponent", "rounded")
    code.number(_MAGIC)
    code("f32x4.sub", "f32x4.sub")
    code.set("rest")
    code.number(_COEFFICIENTS[-1])
    for coefficient in _COEFFICIENTS[-2::-1]:
        code.get("rest")
        code("f32x4.mul")
        code.number(coefficient)
        code("f32x4.add")
    code.get("rounded")
    code.integer(23)
    code("i32x4.shl", "i32x4.add")
