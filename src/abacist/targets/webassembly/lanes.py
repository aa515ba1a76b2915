"""The primitives of four lanes, from which `targets/functions.py` makes operations.

WebAssembly has no fused multiply-adds: for eˣ, k·ln 2 is taken from x in two parts, so that the product with
the first is exact.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

import abacist.targets.webassembly.assembler as wasm
from abacist.targets.functions import LOG2_E, MANTISSA, OPERATIONS
from abacist.targets.webassembly.assembler import Code, integer

#: ln 2 in two parts, the first with few bits; the bits of √½.
_LN_2 = (0.693359375, math.log(2) - 0.693359375)
_HALF = struct.unpack("<i", struct.pack("<f", math.sqrt(0.5)))[0]

_MANTISSA = integer(MANTISSA["float32"])

_COMPARISONS = {"<": wasm.less, ">": wasm.greater, "==": wasm.equal, ">=": wasm.at_least}
_EXTREMES = {"<": wasm.minimum, ">": wasm.maximum}
_INTRINSICS = {"fabs": wasm.absolute, "sqrt": wasm.sqrt}


def applied(code: Code, name: str, operands: Sequence[bytes]) -> bytes:
    """The value of an operation; operands are evaluated before a local variable is set."""
    v = Lanes(code)
    result: bytes = OPERATIONS[name](v, *operands)
    return v.before + result


class Lanes:
    """What an operation is made of; `before` has the code that sets what is used more than once."""

    precision = "float32"
    fadd, fsub, fmul, fdiv, fneg = map(staticmethod, (wasm.add, wasm.sub, wasm.mul, wasm.div, wasm.negative))

    def __init__(self, code: Code) -> None:
        self.code, self.builder, self.before, self._kept = code, self, b"", 0
        self.constant = code.number
        self._magic = code.number(1.5 * 2.0 ** MANTISSA["float32"])  # added, it rounds to a whole number

    def keep(self, value: bytes) -> bytes:
        return self.keep_all(value)[0]

    def keep_all(self, *values: bytes) -> list[bytes]:
        names = [f"kept {self._kept + n}" for n in range(len(values))]
        self._kept += len(names)
        self.before += b"".join(values) + b"".join(self.code.set(name, b"") for name in reversed(names))
        return [self.code.get(name) for name in names]

    def fma(self, a: bytes, b: bytes, c: bytes) -> bytes:
        return wasm.add(wasm.mul(a, b), c)

    def fcmp_ordered(self, comparison: str, a: bytes, b: bytes) -> bytes:
        return _COMPARISONS[comparison](a, b)

    def select(self, mask: bytes, a: bytes, b: bytes) -> bytes:
        return wasm.both(a, mask) if b == self.constant(0.0) else wasm.bitselect(a, b, mask)

    def intrinsic(self, name: str, x: bytes) -> bytes:
        return _INTRINSICS[name](x)

    def extreme(self, comparison: str, a: bytes, b: bytes) -> bytes:
        return _EXTREMES[comparison](a, b)

    def at_most(self, x: bytes, limit: float) -> bytes:
        return wasm.first_or_less(x, self.constant(limit))

    def at_least(self, x: bytes, limit: float) -> bytes:
        return wasm.first_or_more(x, self.constant(limit))

    def split(self, x: bytes, rate: float) -> tuple[bytes, bytes]:
        product = self.keep(wasm.mul(x, self.constant(rate)))
        rounded = self.keep(wasm.add(product, self._magic))
        return rounded, self.keep(wasm.sub(product, wasm.sub(rounded, self._magic)))

    def split_exactly(self, x: bytes) -> tuple[bytes, bytes]:
        rest, log2_e = self.keep(x), self.constant(LOG2_E)
        rounded = self.keep(wasm.add(wasm.mul(rest, log2_e), self._magic))
        whole = self.keep(wasm.sub(rounded, self._magic))
        for part in _LN_2:
            rest = wasm.sub(rest, wasm.mul(whole, self.constant(part)))
        return rounded, self.keep(wasm.mul(rest, log2_e))

    def add_exponent(self, power: bytes, rounded: bytes) -> bytes:
        return wasm.add_integers(power, wasm.shift_left(rounded, _MANTISSA))

    def mantissa_and_exponent(self, x: bytes) -> tuple[bytes, bytes]:
        bits = self.keep(x)
        above = wasm.sub_integers(bits, wasm.splat_integer(integer(_HALF)))
        above = self.keep(wasm.shift_right(above, _MANTISSA))
        return self.keep(wasm.sub_integers(bits, wasm.shift_left(above, _MANTISSA))), wasm.as_numbers(above)
