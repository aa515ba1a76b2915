"""Sigmoid, tanh, exponential, logarithm and softplus of four lanes.

They are those of the LLVM target in float32, without fused multiply-adds, which WebAssembly does not have.
With e = 2^(−x·log₂e), sigmoid is 1 / (1 + e), and tanh is (1 − e²) / (1 + e²). A power of two is split into a
whole part, added to the exponent's bits, and a rest, whose power is a polynomial. For eˣ, k·ln 2 is taken
from x in two parts, so that the product with the first is exact. The logarithm of m·2ⁿ, with m between √½ and
√2, is n·ln 2 + 2·artanh((m − 1)/(m + 1)), a sum of odd powers. NaN stays NaN.

A function evaluates its operands before it sets a local variable, so that functions of functions are right.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

import abacist.targets.webassembly.assembler as wasm
from abacist.targets.powers import DEGREE, power_coefficients
from abacist.targets.webassembly.assembler import Code, add, div, integer, mul, sub

_LOG2_E = 1 / math.log(2)

#: ln 2 in two parts, the first with few bits.
_LN_2 = (0.693359375, math.log(2) - 0.693359375)

#: Adding it rounds to a whole number, which is then in the low bits.
_MAGIC = 1.5 * 2.0**23

#: The smallest argument whose exponential is not taken for 0, and the largest whose exponential is a number.
_LOWEST, _LARGEST = -87.0, 88.72

#: The number of odd powers in the logarithm of m; what a number below all normal ones is multiplied by.
_POWERS, _SMALLEST, _SHIFT = 5, 2.0**-126, 24

#: The bits of √½.
_HALF = struct.unpack("<i", struct.pack("<f", math.sqrt(0.5)))[0]


def sigmoid(c: Code, x: bytes) -> bytes:
    one, e = c.number(1.0), c.set("e", _power(c, x, 40.0, -_LOG2_E))
    return e + div(one, add(one, c.get("e")))


def tanh(c: Code, x: bytes) -> bytes:
    return div(_tanh_fraction(c, x))


def sigmoid_times_tanh(c: Code, x: bytes, y: bytes) -> bytes:
    """sigmoid(x)·tanh(y), with one division."""
    operands = c.set("y", x + y)  # x stays on the stack
    below = c.set("below", add(_power(c, operands, 40.0, -_LOG2_E), c.number(1.0)))
    return below + div(mul(_tanh_fraction(c, c.get("y")), c.get("below")))


def _tanh_fraction(c: Code, x: bytes) -> bytes:
    """The numerator and the denominator of tanh, both on the stack."""
    e = c.set("e", _power(c, x, 20.0, -2 * _LOG2_E))
    return e + sub(c.number(1.0), c.get("e")) + add(c.number(1.0), c.get("e"))


def _power(c: Code, x: bytes, limit: float, rate: float) -> bytes:
    """2^(rate·x), with x taken for ±limit beyond that."""
    within = wasm.first_or_more(wasm.first_or_less(x, c.number(limit)), c.number(-limit))
    result = c.set("exponent", mul(within, c.number(rate)))
    exponent, magic = c.get("exponent"), c.number(_MAGIC)
    result += c.set("rounded", add(exponent, magic))
    result += c.set("rest", sub(exponent, sub(c.get("rounded"), magic)))
    return result + _power_of_rest(c)


def _power_of_rest(c: Code) -> bytes:
    """2 to the power of `rest`, times two to the whole number in the low bits of `rounded`."""
    power = _polynomial(c, power_coefficients(DEGREE["float32"]), "rest")
    return wasm.add_integers(power, wasm.shift_left(c.get("rounded"), integer(23)))


def _polynomial(c: Code, coefficients: Sequence[float], name: str) -> bytes:
    """A polynomial of a local variable, its lowest power first."""
    value = c.number(coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        value = add(mul(value, c.get(name)), c.number(coefficient))
    return value


def exponential(c: Code, x: bytes) -> bytes:
    result = c.set("argument", x)
    within = wasm.first_or_less(c.get("argument"), c.number(_LARGEST))
    result += c.set("rest", wasm.first_or_more(within, c.number(_LOWEST)))
    result += c.set("rounded", add(mul(c.get("rest"), c.number(_LOG2_E)), c.number(_MAGIC)))
    result += c.set("whole", sub(c.get("rounded"), c.number(_MAGIC)))
    rest = c.get("rest")
    for part in _LN_2:
        rest = sub(rest, mul(c.get("whole"), c.number(part)))
    result += c.set("rest", mul(rest, c.number(_LOG2_E)))
    value = _power_of_rest(c)
    value = _where(c, wasm.greater, _LARGEST, math.inf, value)
    return result + _where(c, wasm.less, _LOWEST, 0.0, value)


def _where(c: Code, compare: wasm.Instruction, limit: float, special: float, value: bytes) -> bytes:
    """Another value where `argument` compares so with a limit."""
    result = c.set("value", value)
    holds = compare(c.get("argument"), c.number(limit))
    return result + wasm.bitselect(c.number(special), c.get("value"), holds)


def logarithm(c: Code, x: bytes) -> bytes:
    """The natural logarithm."""
    result = c.set("argument", x)
    x = c.get("argument")
    result += c.set("small", wasm.less(x, c.number(_SMALLEST)))
    scaled = mul(x, c.number(2.0**_SHIFT))
    result += c.set("bits", wasm.bitselect(scaled, x, c.get("small")))
    bits = c.get("bits")
    exponent = wasm.sub_integers(bits, wasm.splat_integer(integer(_HALF)))
    result += c.set("exponent", wasm.shift_right(exponent, integer(23)))
    result += c.set("m", wasm.sub_integers(bits, wasm.shift_left(c.get("exponent"), integer(23))))
    m, one = c.get("m"), c.number(1.0)
    result += c.set("f", div(sub(m, one), add(m, one)))
    result += c.set("square", mul(c.get("f"), c.get("f")))
    series = _polynomial(c, [2 / (2 * place + 1) for place in range(_POWERS)], "square")
    n = sub(wasm.as_numbers(c.get("exponent")), wasm.both(c.number(float(_SHIFT)), c.get("small")))
    value = add(mul(series, c.get("f")), mul(n, c.number(math.log(2))))
    value = _where(c, wasm.equal, math.inf, math.inf, value)
    value = _where(c, wasm.equal, 0.0, -math.inf, value)
    positive = wasm.at_least(x, c.number(0.0))
    return result + wasm.bitselect(value, c.number(math.nan), positive)


def softplus(c: Code, x: bytes) -> bytes:
    """log(1 + eˣ)."""
    result = c.set("of softplus", x)
    x = c.get("of softplus")
    power = exponential(c, wasm.negative(wasm.absolute(x)))
    return result + add(relu(c, x), logarithm(c, add(power, c.number(1.0))))


def relu(c: Code, x: bytes) -> bytes:
    return wasm.first_or_more(x, c.number(0.0))


def where_positive(c: Code, x: bytes, y: bytes) -> bytes:
    return wasm.both(wasm.greater(x, c.number(0.0)), y)
