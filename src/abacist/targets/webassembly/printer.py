"""Printing statements as WebAssembly: a number of a run becomes a vector of four, a run in each lane."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from abacist.cells import Layout
from abacist.compiler import plan_training
from abacist.compiler.statements import (
    Apply,
    Constant,
    Dot,
    Expression,
    Gather,
    Given,
    HandOver,
    Let,
    Load,
    Local,
    MultiplyAdd,
    Parameter,
    Place,
    SigmoidTimesTanh,
    Spread,
    Statement,
    Store,
    StoreAll,
    UnitLoop,
    Zero,
)
from abacist.targets.webassembly.activations import sigmoid, sigmoid_times_tanh, tanh
from abacist.targets.webassembly.assembler import I32, Code
from abacist.targets.webassembly.memory import BYTES, VECTOR


def _relu(code: Code) -> None:
    code.number(0.0)
    code("f32x4.pmax")  # the first one if it is NaN


def _where_positive(code: Code) -> None:
    code.set("chosen")
    code.number(0.0)
    code("f32x4.gt")
    code.get("chosen")
    code("v128.and")


#: What each operation on units does with its operands on the stack. A further operation is a further line.
FUNCTIONS: dict[str, Callable[[Code], None]] = {
    "add": lambda code: code("f32x4.add"),
    "subtract": lambda code: code("f32x4.sub"),
    "multiply": lambda code: code("f32x4.mul"),
    "divide": lambda code: code("f32x4.div"),
    "sigmoid": sigmoid,
    "tanh": tanh,
    "relu": _relu,
    "minimum": lambda code: code("f32x4.min"),
    "maximum": lambda code: code("f32x4.max"),
    "absolute": lambda code: code("f32x4.abs"),
    "where_positive": _where_positive,
}


def refusal(layout: Layout) -> str | None:
    """Why a layout has no program, None if it has one."""
    if layout.threshold is not None:
        return "the WebAssembly target decides every output by itself, and these are probabilities"
    unknown = plan_training(layout).operations - FUNCTIONS.keys() - {"linear", "transposed"}
    if not unknown:
        return None
    return f"{layout.cell.name}: the WebAssembly target cannot compute {', '.join(sorted(unknown))}"


class Printer:
    """Prints statements into the code of a function.

    `bases` says which local variable holds the address of an array, or of a base in it, and how far behind
    that it begins; `at` is that of the step's targets. The function has set `scale`, `counted` and `alive`,
    and what is handed over is added to the local variable of its name. Loops over at most `unrolled` units
    are printed unit by unit.
    """

    def __init__(self, code: Code, bases: Mapping[str, tuple[str, int]], unrolled: int) -> None:
        self.code, self._bases, self._unrolled = code, bases, unrolled
        self._sizes: dict[str, int] = {}
        self._unit: int | None = None

    def print(self, statements: Iterable[Statement]) -> None:
        for statement in statements:
            if isinstance(statement, UnitLoop):
                self._loop(statement)
            else:
                self._statement(statement)

    def _loop(self, loop: UnitLoop) -> None:
        code = self.code
        if loop.size > self._unrolled:
            code.integer(0)
            code.set("u", I32)
            code.integer(loop.size)
            code.set("units", I32)
            with code.until_equal("u", "units"):
                self.print(statement for _, statement in loop.body)
                self.print(loop.spreads)
                code.move("u", 1)
            return
        for level in sorted({level for level, _ in loop.body}):
            for self._unit in range(loop.size):
                self.print(statement for own, statement in loop.body if own == level)
        for self._unit in range(loop.size):
            self.print(loop.spreads)
        self._unit = None

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
            return base, offset + size * place.per_unit * (self._unit or 0)
        self.code.get(base, "u")
        self.code.integer(size * place.per_unit)
        self.code("i32.mul", "i32.add")
        self.code.set("of unit u", I32)
        return "of unit u", offset
