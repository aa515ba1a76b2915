"""A program: an LLVM function with named arguments, under construction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from llvmlite import ir

from abacist.cells import Layout
from abacist.compiler.statements import Statement
from abacist.targets.llvm.machine import Source, processor
from abacist.targets.llvm.vectors import BYTE, DOUBLE, INTEGER, Vectors, integer

#: The kinds of arguments: arrays of the network's numbers, of bytes and of whole numbers; single numbers.
NUMBERS, BYTES, INTEGERS, WHOLE, REAL = "numbers", "bytes", "integers", "whole", "real"

#: Up to so many vectors are set to zero one by one, more of them in a loop.
_UNROLLED_ZEROS = 512


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
        self._statements: dict[str, Sequence[Statement]] = {}
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

    def noted(self, title: str, statements: Sequence[Statement]) -> Sequence[Statement]:
        """Statements, which listings show under a title."""
        self._statements[title] = statements
        return statements

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
        named = self.title, self._function, self._precision, self._arguments
        return Source(*named, str(self._module), plan, self._statements)
