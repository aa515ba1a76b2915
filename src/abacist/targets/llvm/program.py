"""A program: an LLVM function with named arguments, under construction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from abacist.cells import Layout
from abacist.targets.llvm.machine import processor
from abacist.targets.llvm.vectors import BYTE, DOUBLE, INTEGER, Vectors, integer

#: The kinds of arguments: arrays of the network's numbers, of bytes and of whole numbers; single numbers.
NUMBERS, BYTES, INTEGERS, WHOLE, REAL = "numbers", "bytes", "integers", "whole", "real"

#: Up to so many vectors are set to zero one by one, more of them in a loop.
_UNROLLED_ZEROS = 512


@dataclass(frozen=True)
class Source:
    """The IR of a program, its title for people, the kinds of its arguments by name, and its plan.

    Equal layouts may have formulas with other names, and then plans with other places of named values.
    """

    title: str
    function: str
    precision: str
    arguments: Mapping[str, str]
    ir: str
    plan: Any = None


class Program:
    """A function under construction: its arguments by name, and the vectors to write it with."""

    def __init__(
        self, layout: Layout, precision: str, function: str, arguments: Mapping[str, str], registers: int = 1
    ) -> None:
        self.title = (
            f"{function} {layout.cell.name}, {layout.inputs} inputs, {layout.hidden} hidden, "
            f"{layout.outputs} outputs, {precision}"
        )
        self._function, self._arguments, self._precision = function, arguments, precision
        number = ir.FloatType() if precision == "float32" else DOUBLE
        kinds = {
            NUMBERS: number.as_pointer(), BYTES: BYTE.as_pointer(), INTEGERS: INTEGER.as_pointer(),
            WHOLE: INTEGER, REAL: DOUBLE,
        }  # fmt: skip
        self._module = ir.Module(name=self.title)
        kind = ir.FunctionType(INTEGER, [kinds[own] for own in arguments.values()])
        own = ir.Function(self._module, kind, function)
        for argument, name in zip(own.args, arguments, strict=True):
            argument.name = name
        self.arguments = dict(zip(arguments, own.args, strict=True))
        self.build = ir.IRBuilder(own.append_basic_block("entry"))
        self.v = Vectors(self.build, precision, registers, processor()[1])

    def number(self, array: str, index: Any) -> Any:
        """A number of an array of whole numbers."""
        return self.build.load(self.build.gep(self.arguments[array], [index]))

    def store_zeros(self, array: str, count: int) -> None:
        """Set the first vectors of an array to zero."""
        zero, place = self.v.constant(0.0), self.arguments[array]
        if count <= _UNROLLED_ZEROS:
            for n in range(count):
                self.v.store(place, integer(n), zero)
            return
        with self.v.loop(integer(0), integer(count)) as (number, _):
            self.v.store(place, number, zero)

    def one_hot(self, code: Any, count: int) -> list[Any]:
        """In each lane, one at the place of the code and zero at all others."""
        one, zero = self.v.constant(1.0), self.v.constant(0.0)
        hot = (self.build.fcmp_ordered("==", code, self.v.constant(float(n))) for n in range(count))
        return [self.build.select(own, one, zero) for own in hot]

    def source(self, result: Any = None, plan: Any = None) -> Source:
        """The finished program; it returns a whole number."""
        self.build.ret(integer(0) if result is None else result)
        return Source(self.title, self._function, self._precision, self._arguments, str(self._module), plan)
