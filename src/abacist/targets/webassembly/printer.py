"""Printing statements as WebAssembly: a number of a run becomes a vector of four, a run in each lane."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from abacist.compiler.statements import (
    Apply,
    Clear,
    Constant,
    Dot,
    Expression,
    Filled,
    Gather,
    Given,
    HandOver,
    Let,
    Load,
    Local,
    MultiplyAdd,
    Parameter,
    Place,
    Shared,
    SigmoidTimesTanh,
    Spread,
    Statement,
    Store,
    StoreAll,
    Total,
    UnitLoop,
    Zero,
)
from abacist.targets.webassembly.activations import sigmoid_times_tanh
from abacist.targets.webassembly.assembler import I32, Code
from abacist.targets.webassembly.memory import BYTES, VECTOR
from abacist.targets.webassembly.operations import FUNCTIONS


class Printer:
    """Prints statements into the code of a function.

    `bases` says which local variable holds the address of an array, or of a base in it, and how far behind
    that it begins; `at` is that of the step's targets. The function has set `scale`, `counted`, `alive` and
    `t`, and what is handed over is added to the local variable of its name. Loops over at most `unrolled`
    units are printed unit by unit.
    """

    def __init__(self, code: Code, bases: Mapping[str, tuple[str, int]], unrolled: int) -> None:
        self.code, self._bases, self._unrolled = code, bases, unrolled
        self._sizes: dict[str, int] = {}
        self._unit: int | None = None

    def print(self, statements: Iterable[Statement]) -> None:
        for statement in statements:
            match statement:
                case UnitLoop():
                    self._loop(statement)
                case Clear(place, size, filled, looked_at):
                    self._count(size, filled)
                    self.code.set("u", I32)
                    with self._up_to(size, looked_at):
                        self._statement(Store(place, Constant(0.0)))
                case _:
                    self._statement(statement)

    def _loop(self, loop: UnitLoop) -> None:
        units = range(loop.first, loop.size)
        if len(units) > self._unrolled or loop.filled:
            self.code.integer(loop.first)
            self.code.set("u", I32)
            with self._up_to(loop.size, loop.filled):
                self.print(statement for _, statement in loop.body)
                self.print(loop.spreads)
            return
        for level in sorted({level for level, _ in loop.body}):
            for self._unit in units:
                self.print(statement for own, statement in loop.body if own == level)
        for self._unit in units:
            self.print(loop.spreads)
        self._unit = None

    @contextmanager
    def _up_to(self, size: int, filled: Filled | None) -> Iterator[None]:
        """What is done for every unit from u on, of so many, or of those that may be filled."""
        code = self.code
        self._count(size, filled)
        code.set("units", I32)
        if filled is None:
            with code.until_equal("u", "units"):
                yield
                code.move("u", 1)
            return
        code.get("u", "units", "u", "units")
        code("i32.gt_s", "select")
        code.set("units")
        with code.unless_equal("u", "units"), code.until_equal("u", "units"):
            yield
            code.move("u", 1)

    def _count(self, size: int, filled: Filled | None) -> None:
        """How many units there are, or may be filled in step t, left on the stack."""
        code = self.code
        code.integer(size)
        if filled is not None:
            code.get("t")
            code.integer(filled.growth)
            code("i32.mul")
            code.integer(filled.start)
            code("i32.add")
            code.set("filled", I32)
            code.get("filled")
            code.integer(size)
            code.get("filled")
            code("i32.lt_s", "select")

    def _total(self, total: Total) -> None:
        """A sum of numbers in memory, left on the stack."""
        code, step = self.code, VECTOR * total.step
        base, offset = self._where(total.place)
        code.get(base)
        code.set("term", I32)
        code.get("term")
        self._count(total.count, total.filled)
        code.integer(step)
        code("i32.mul", "i32.add")
        code.set("last term", I32)
        code.number(0.0)
        code.set("total")
        with code.unless_equal("term", "last term"), code.until_equal("term", "last term"):
            code.get("total")
            code.load("term", offset)
            code("f32x4.add")
            code.set("total")
            code.move("term", step)
        code.get("total")

    def _statement(self, statement: Statement) -> None:
        code = self.code
        match statement:
            case Let(name, value):
                self._value(value)
                code.set(self._name(name))
            case Store(place, value, ended):
                base, offset = self._where(place)
                code.get(base)
                self._value(value)
                if ended == Constant(0.0):
                    code.get("alive")
                    code("v128.and")
                elif ended is not None:
                    self._value(ended)
                    code.get("alive")
                    code("v128.bitselect")
                code.store(offset)
            case HandOver(name, value):
                code.get(name)
                self._value(value)
                code("f32x4.add")
                code.set(name)
            case Gather(vector, place, count):
                base, offset = self._where(place)
                for k, part in self.parts(vector, count):
                    code.load(base, offset + VECTOR * k)
                    code.set(part)
            case Zero(vector, count):
                for _, part in self.parts(vector, count):
                    code.number(0.0)
                    code.set(part)
            case Spread(vector, row, value):
                self._value(value)
                code.set("factor")
                base, offset = self._where(row)
                for k, part in self.parts(vector, self._sizes[vector]):
                    code.get(part)
                    code.load(base, offset + VECTOR * k)
                    code.get("factor")
                    code("f32x4.mul", "f32x4.add")
                    code.set(part)
            case StoreAll(place, vector, count, ended):
                base, offset = self._where(place)
                for k, part in self.parts(vector, count):
                    code.get(base, part)
                    if ended is not None:
                        before, first = self._where(ended)
                        code.load(before, first + VECTOR * k)
                        code.get("alive")
                        code("v128.bitselect")
                    code.store(offset + VECTOR * k)
            case _:
                raise TypeError(f"no statement: {statement!r}")

    def parts(self, vector: str, count: int) -> list[tuple[int, str]]:
        """The numbers of a whole vector, each a local variable of its own."""
        self._sizes[vector] = count
        return [(k, f"{vector} {k}") for k in range(count)]

    def _value(self, value: Expression) -> None:
        """An expression, left on the stack."""
        code = self.code
        match value:
            case Constant(number):
                code.number(number)
            case Local(name):
                code.get(self._name(name))
            case Shared(name):
                code.get(name)
            case Total():
                self._total(value)
            case Given("target"):
                code.load_bytes(*self._where(Place("at", per_unit=1), BYTES))
                code("f32x4.convert_i32x4_s")
            case Given(name):
                code.get(name)
            case Load(place) | Parameter(place):
                code.load(*self._where(place))
            case Apply(operation, arguments):
                for argument in arguments:
                    self._value(argument)
                FUNCTIONS[operation](code)
            case MultiplyAdd(a, b, c, negative):
                for operand in (c, a, b):
                    self._value(operand)
                code("f32x4.mul", "f32x4.sub" if negative else "f32x4.add")
            case SigmoidTimesTanh(a, b):
                self._value(a)
                self._value(b)
                sigmoid_times_tanh(code)
            case Dot(row, vector, start):
                self._value(start)
                base, offset = self._where(row)
                for k, part in self.parts(vector, self._sizes[vector]):
                    code.load(base, offset + VECTOR * k)
                    code.get(part)
                    code("f32x4.mul", "f32x4.add")
            case _:
                raise TypeError(f"no expression: {value!r}")

    def _name(self, name: str) -> str:
        return name if self._unit is None else f"{name} of {self._unit}"

    def _where(self, place: Place, size: int = VECTOR) -> tuple[str, int]:
        """A local variable with an address, and how far behind it a place is, for numbers of a size."""
        base, first = self._bases[place.base or place.array]
        offset = first + size * place.offset
        if self._unit is not None or not place.per_unit:
            unit = (self._unit or 0) // place.inner
            unit = unit % place.period if place.period else unit
            return base, offset + size * place.per_unit * unit
        self.code.get(base, "u")
        for number, operation in ((place.inner, "i32.div_u"), (place.period, "i32.rem_u")):
            if number > 1:
                self.code.integer(number)
                self.code(operation)
        self.code.integer(size * place.per_unit)
        self.code("i32.mul", "i32.add")
        if offset < 0:  # of a part that only begins at a later unit
            self.code.integer(offset)
            self.code("i32.add")
        self.code.set("of unit u", I32)
        return "of unit u", max(offset, 0)
