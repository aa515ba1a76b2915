"""The vector type: sixteen floats or eight doubles that Numba keeps in one register.

Each lane belongs to another run or word, and lanes never mix: every operation here acts on
each lane alone, so what one lane computes does not depend on its neighbours. No
fast-math: a NaN stays a NaN, and sums keep their order.

A vector may also be several registers side by side. Then every operation is as many independent
instructions next to each other, and the processor need not wait for the result of one
before it begins another; `judging_vectors` and `stepping_vectors` make such vectors.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from abacist.targets.numba.widths import LANES, REGISTERS


class Lanes(types.Type):
    """A vector of `count` numbers, one a lane."""

    def __init__(self, precision: str, registers: int = 1) -> None:
        self.precision, self.registers, self.count = precision, registers, registers * LANES[precision]
        self.element = types.float32 if precision == "float32" else types.float64
        self.bits = ir.IntType(32 if precision == "float32" else 64)
        number = ir.FloatType() if precision == "float32" else ir.DoubleType()
        self.vector = ir.VectorType(number, self.count)
        self.integers = ir.VectorType(self.bits, self.count)
        self.suffix = f"v{self.count}f{self.bits.width}"
        super().__init__(name=f"Lanes({precision}, {self.count})")

    def constant(self, value: float) -> Any:
        return ir.Constant(self.vector, [value] * self.count)


class Mask(types.Type):
    """A truth value a lane."""

    def __init__(self, lanes: Lanes) -> None:
        self.lanes = lanes
        self.vector = ir.VectorType(ir.IntType(1), lanes.count)
        super().__init__(name=f"Mask({lanes.precision}, {lanes.count})")


_ALL = [Lanes(precision, registers) for precision in LANES for registers in REGISTERS]
_BY_ELEMENT = {(lanes.element, lanes.registers): lanes for lanes in _ALL}
_MASKS = {lanes: Mask(lanes) for lanes in _ALL}


def lanes_of(element: Any, registers: int = 1) -> Lanes:
    """The vector type for a type of number."""
    return _BY_ELEMENT[element, registers]


SINGLE, DOUBLE = lanes_of(types.float32), lanes_of(types.float64)


@register_model(Lanes)
@register_model(Mask)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, kind.vector)


def call(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
    """Call an LLVM intrinsic."""
    kind = ir.FunctionType(result, [a.type for a in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), arguments)


def multiply_add(builder: Any, lanes: Lanes, a: Any, b: Any, c: Any) -> Any:
    """a·b + c, in one instruction where the processor has it."""
    return call(builder, f"llvm.fmuladd.{lanes.suffix}", lanes.vector, a, b, c)


def broadcast(builder: Any, lanes: Lanes, scalar: Any) -> Any:
    """The same scalar in every lane."""
    undefined = ir.Constant(lanes.vector, ir.Undefined)
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), lanes.count), [0] * lanes.count)
    first = builder.insert_element(undefined, scalar, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, undefined, zeros)


def register_by_register(builder: Any, lanes: Lanes, function: Any, *values: Any) -> Any:
    """A function of single registers, for values of several side by side, a power of two of them."""
    size = lanes.count // lanes.registers
    parts = []
    for first in range(0, lanes.count, size):
        places = _places(range(first, first + size))
        parts.append(function(*(builder.shuffle_vector(value, value, places) for value in values)))
    while len(parts) > 1:
        size *= 2
        pairs = zip(parts[::2], parts[1::2], strict=True)
        parts = [builder.shuffle_vector(a, b, _places(range(size))) for a, b in pairs]
    return parts[0]


def _places(numbers: Sequence[int]) -> Any:
    return ir.Constant(ir.VectorType(ir.IntType(32), len(numbers)), list(numbers))


for _operator, _instruction in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):

    def _lower(_context: Any, builder: Any, sig: Any, args: Any, instruction: str = _instruction) -> Any:
        return getattr(builder, instruction)(*args)

    for _lanes in _ALL:
        lower_builtin(_operator, _lanes, _lanes)(_lower)

    @infer_global(_operator)
    class _Arithmetic(ConcreteTemplate):
        cases = [signature(lanes, lanes, lanes) for lanes in _ALL]  # noqa: RUF012


def splat_into(registers: int) -> Any:
    """Make the function `splat` for vectors of so many registers."""

    @intrinsic
    def splat(typing: Any, scalar: Any) -> Any:
        """The same number in every lane."""
        lanes = lanes_of(scalar, registers)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return broadcast(builder, lanes, args[0])

        return lanes(scalar), generate

    return splat


splat = splat_into(1)


@intrinsic
def fma(typing: Any, a: Any, b: Any, c: Any) -> Any:
    """a·b + c."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return multiply_add(builder, a, *args)

    return a(a, a, a), generate


@intrinsic
def fnma(typing: Any, a: Any, b: Any, c: Any) -> Any:
    """c − a·b."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return multiply_add(builder, a, builder.fneg(args[0]), args[1], args[2])

    return a(a, a, a), generate


@intrinsic
def less(typing: Any, a: Any, b: Any) -> Any:
    """Where a < b; false where either is NaN."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.fcmp_ordered("<", *args)

    return _MASKS[a](a, a), generate


@intrinsic
def select(typing: Any, mask: Any, chosen: Any, other: Any) -> Any:
    """`chosen` where the mask is true, `other` elsewhere, whatever the values are."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.select(*args)

    return chosen(mask, chosen, chosen), generate


def _logic(name: str, instruction: str, meaning: str) -> Any:
    def typed(typing: Any, a: Any, b: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return getattr(builder, instruction)(*args)

        return a(a, a), generate

    typed.__name__, typed.__doc__ = name, meaning
    return intrinsic(typed)


both = _logic("both", "and_", "Where both masks are true.")
either = _logic("either", "or_", "Where at least one mask is true.")
differs = _logic("differs", "xor", "Where the masks differ.")


@intrinsic
def every(typing: Any, mask: Any) -> Any:
    """Whether a mask is true in all lanes."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        whole = ir.IntType(mask.lanes.count)
        return builder.icmp_unsigned("==", builder.bitcast(args[0], whole), ir.Constant(whole, -1))

    return types.boolean(mask), generate
