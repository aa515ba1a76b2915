"""Vectors of lanes as LLVM values: sixteen floats or eight doubles a register.

Each lane belongs to another run or word, and lanes never mix: every operation acts on each lane alone, so the
result of a lane does not depend on its neighbours. No fast-math: NaN stays NaN, and sums keep their order.

A vector may be several registers side by side. Then every operation is several independent instructions, and
the processor need not wait for the result of one before it begins another.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Any

import numpy as np
from llvmlite import ir

from abacist.targets.functions import LOG2_E, MANTISSA
from abacist.targets.llvm import LANES

#: log₂e less its float64.
_REST_OF_LOG2_E = 2.0355273740931033e-17

INTEGER, BYTE, DOUBLE = ir.IntType(64), ir.IntType(8), ir.DoubleType()


def integer(value: int) -> Any:
    return ir.Constant(INTEGER, value)


class _LaneType(ir.VectorType):  # type: ignore[misc]
    """A vector whose constants are written once, not lane by lane: LLVM reads them faster."""

    def format_constant(self, value: Sequence[Any]) -> str:
        alike = all(number is value[0] for number in value)
        return f"splat ({value[0]})" if alike else str(super().format_constant(value))


class Vectors:
    """Emits operations on vectors of a precision, so many registers wide, where a builder stands."""

    def __init__(self, builder: Any, precision: str, registers: int, features: str) -> None:
        self.builder, self.precision, self.features = builder, precision, features
        self.lanes = LANES[precision]
        self.count = registers * self.lanes
        self.bits = 32 if precision == "float32" else 64
        self.number = ir.FloatType() if precision == "float32" else DOUBLE
        self.vector = _LaneType(self.number, self.count)
        self.register = ir.VectorType(self.number, self.lanes)
        self.integers = _LaneType(ir.IntType(self.bits), self.count)
        self._first = ir.Constant(_LaneType(ir.IntType(32), self.count), 0)

    @property
    def has_avx512(self) -> bool:
        return "+avx512f" in self.features

    # Values.

    def constant(self, value: float) -> Any:
        return ir.Constant(self.vector, value)

    def whole(self, value: int) -> Any:
        """A whole number in every lane."""
        return ir.Constant(self.integers, value)

    def splat(self, scalar: Any) -> Any:
        """The same scalar in every lane."""
        undefined = ir.Constant(self.vector, ir.Undefined)
        first = self.builder.insert_element(undefined, scalar, ir.Constant(ir.IntType(32), 0))
        return self.builder.shuffle_vector(first, undefined, self._first)

    def splat_double(self, scalar: Any) -> Any:
        """A double, rounded to the precision, in every lane."""
        return self.splat(scalar if self.bits == 64 else self.builder.fptrunc(scalar, self.number))

    def call(self, name: str, result: Any, *arguments: Any) -> Any:
        """Call an LLVM intrinsic."""
        module = self.builder.module
        function = module.globals.get(name)
        if function is None:
            kind = ir.FunctionType(result, [argument.type for argument in arguments])
            function = ir.Function(module, kind, name)
        return self.builder.call(function, arguments)

    def intrinsic(self, name: str, *arguments: Any) -> Any:
        """Call an LLVM intrinsic from vectors to a vector, such as `sqrt`."""
        return self.call(f"llvm.{name}.v{self.count}f{self.bits}", self.vector, *arguments)

    def fma(self, a: Any, b: Any, c: Any) -> Any:
        """a·b + c, in one instruction where the processor has it."""
        return self.intrinsic("fmuladd", a, b, c)

    def less(self, a: Any, b: Any) -> Any:
        """Where a < b; false where either is NaN."""
        return self.builder.fcmp_ordered("<", a, b)

    def at_most(self, x: Any, limit: float) -> Any:
        """The smaller of x and a limit; NaN passes through, since no comparison with it is true."""
        bound = self.constant(limit)
        return self.builder.select(self.builder.fcmp_ordered(">", x, bound), bound, x)

    def at_least(self, x: Any, limit: float) -> Any:
        bound = self.constant(limit)
        return self.builder.select(self.builder.fcmp_ordered("<", x, bound), bound, x)

    def extreme(self, comparison: str, a: Any, b: Any) -> Any:
        """The smaller or the larger of two; NaN if one of them is, which a constant is not."""
        if isinstance(b, ir.Constant):
            a, b = b, a
        chosen = self.builder.select(self.builder.fcmp_ordered(comparison, a, b), a, b)  # b if one is NaN
        if isinstance(a, ir.Constant):
            return chosen
        return self.builder.select(self.builder.fcmp_unordered("uno", a, a), a, chosen)

    def keep(self, value: Any) -> Any:
        """A value that is used more than once."""
        return value

    def keep_all(self, *values: Any) -> tuple[Any, ...]:
        return values

    # Numbers as a whole number of powers of two, and a rest.

    def split(self, x: Any, rate: float) -> tuple[Any, Any]:
        """rate·x as a number with the nearest whole one in its low bits, and a rest."""
        scale = self.constant(rate)
        magic = self.constant(1.5 * 2.0 ** MANTISSA[self.precision])  # added, it rounds to a whole number
        rounded = self.fma(x, scale, magic)
        whole = self.builder.fsub(rounded, magic)
        return rounded, self.fma(x, scale, self.builder.fneg(whole))

    def split_exactly(self, x: Any) -> tuple[Any, Any]:
        """The same of x·log₂e, which is more than a number of the precision."""
        first = float(np.dtype(self.precision).type(LOG2_E))
        rounded, rest = self.split(x, first)
        return rounded, self.fma(x, self.constant(LOG2_E - first + _REST_OF_LOG2_E), rest)

    def add_exponent(self, power: Any, rounded: Any) -> Any:
        """A number times two to the whole number in the low bits of another."""
        build = self.builder
        exponent = build.shl(build.bitcast(rounded, self.integers), self.whole(MANTISSA[self.precision]))
        return build.bitcast(build.add(build.bitcast(power, self.integers), exponent), self.vector)

    def mantissa_and_exponent(self, x: Any) -> tuple[Any, Any]:
        """A number m between √½ and √2, and the whole number n, with x = m·2ⁿ."""
        build, mantissa, kind = self.builder, self.whole(MANTISSA[self.precision]), np.dtype(self.precision)
        bits = build.bitcast(x, self.integers)
        half = int(np.asarray(math.sqrt(0.5), kind).view(f"i{kind.itemsize}"))
        above = build.ashr(build.sub(bits, self.whole(half)), mantissa)
        m = build.bitcast(build.sub(bits, build.shl(above, mantissa)), self.vector)
        return m, build.sitofp(above, self.vector)

    def every(self, mask: Any) -> Any:
        """Whether a mask is true in all lanes."""
        whole = ir.IntType(self.count)
        return self.builder.icmp_unsigned("==", self.builder.bitcast(mask, whole), ir.Constant(whole, -1))

    def by_register(self, function: Callable[..., Any], *values: Any) -> Any:
        """A function of single registers, for vectors of several, a power of two of them."""
        builder, size, parts = self.builder, self.lanes, []
        for first in range(0, self.count, size):
            places = _places(range(first, first + size))
            parts.append(function(*(builder.shuffle_vector(value, value, places) for value in values)))
        while len(parts) > 1:
            size *= 2
            pairs = zip(parts[::2], parts[1::2], strict=True)
            parts = [builder.shuffle_vector(a, b, _places(range(size))) for a, b in pairs]
        return parts[0]

    # Memory: an array of numbers is read as vectors, index i means the lanes at i·count.

    def load(self, array: Any, index: Any, kind: Any = None) -> Any:
        return self._read(array, index, kind or self.vector)

    def load_shared(self, array: Any, index: Any) -> Any:
        """Number `index` of an array, the same in every lane."""
        return self.splat(self.builder.load(self.builder.gep(array, [index])))

    def load_bytes(self, array: Any, index: Any) -> Any:
        """Small whole numbers, a byte a lane, as a vector."""
        value = self._read(array, index, ir.VectorType(BYTE, self.count), self.count)
        return self.builder.uitofp(self.builder.zext(value, self.integers), self.vector)

    def store(self, array: Any, index: Any, value: Any) -> None:
        self.builder.store(value, self._place(array, index, self.vector)).align = 64

    def _read(self, array: Any, index: Any, kind: Any, align: int = 64) -> Any:
        value = self.builder.load(self._place(array, index, kind))
        value.align = align
        return value

    def _place(self, array: Any, index: Any, kind: Any) -> Any:
        return self.builder.gep(self.builder.bitcast(array, kind.as_pointer()), [index])

    def variable(self, value: Any) -> Any:
        """A place for a value that changes; optimisation puts it into a register."""
        with self.builder.goto_entry_block():
            place = self.builder.alloca(value.type)
        self.builder.store(value, place)
        return place

    # Control.

    @contextmanager
    def loop(self, first: Any, last: Any, step: int = 1, name: str = "n") -> Iterator[tuple[Any, Any]]:
        """A loop over whole numbers: the number, and the block behind the loop."""
        builder = self.builder
        before, test, inside, onwards, end = (
            builder.block,
            *(builder.append_basic_block(f"{part}.{name}") for part in ("test", "loop", "next", "end")),
        )
        builder.branch(test)
        builder.position_at_end(test)
        number = builder.phi(INTEGER, name)
        number.add_incoming(first, before)
        builder.cbranch(builder.icmp_signed("<" if step > 0 else ">", number, last), inside, end)
        builder.position_at_end(inside)
        yield number, end
        builder.branch(onwards)
        builder.position_at_end(onwards)
        number.add_incoming(builder.add(number, integer(step), flags=["nsw"]), onwards)
        builder.branch(test)
        builder.position_at_end(end)

    def smaller(self, a: Any, b: Any) -> Any:
        """The smaller of two whole numbers."""
        return self.builder.select(self.builder.icmp_signed("<", a, b), a, b)

    def sum_of(self, *terms: Any) -> Any:
        """An index: whole numbers added, some of which may be plain."""
        plain = sum(term for term in terms if isinstance(term, int))
        values = [term for term in terms if not isinstance(term, int)]
        if plain or not values:
            values.append(integer(plain))
        return reduce(self.builder.add, values)

    def times(self, factor: int, value: Any) -> Any:
        return value if factor == 1 else self.builder.mul(value, integer(factor))


def _places(numbers: Sequence[int]) -> Any:
    return ir.Constant(_LaneType(ir.IntType(32), len(numbers)), list(numbers))
