"""Printing statements as JavaScript: a number of a run is a number, a whole vector a variable for each.

Loops over units stay loops: unrolled, programs would be a sixth faster and three times as long.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from abacist.cells import Layout
from abacist.compiler import plan_training
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
from abacist.targets.text import Text, sum_of, times

#: What each operation on units is in a printed program. A further operation is a further line.
FUNCTIONS: dict[str, str] = {
    "add": "{} + {}",
    "subtract": "{} - {}",
    "multiply": "{} * {}",
    "divide": "{} / {}",
    "sigmoid": "(1 / (1 + decay({})))",  # engines inline only so many calls, and not if they are too deep
    "tanh": "tanh({})",
    "relu": "Math.max({}, 0)",
    "exponential": "Math.exp({})",
    "logarithm": "Math.log({})",
    "root": "Math.sqrt({})",
    "softplus": "(Math.max({0}, 0) + Math.log1p(Math.exp(-Math.abs({0}))))",
    "minimum": "Math.min({}, {})",
    "maximum": "Math.max({}, {})",
    "absolute": "Math.abs({})",
    "where_positive": "({} > 0 ? {} : 0)",
}

#: What programs do with whole vectors; parts and repeated units are only looked at.
_OF_VECTORS = {"linear", "transposed", "part", "spread", "total"}

#: Signs from the loosest to the tightest.
_BINDING = {"add": 1, "subtract": 1, "multiply": 2, "divide": 2}


def refusal(layout: Layout) -> str | None:
    """Why programs for a layout cannot be printed, None if they can."""
    if layout.threshold is not None:
        return "the JavaScript target decides every output by itself, and these are probabilities"
    unknown = plan_training(layout).operations - FUNCTIONS.keys() - _OF_VECTORS
    if not unknown:
        return None
    return f"{layout.cell.name}: the JavaScript target cannot compute {', '.join(sorted(unknown))}"


class Printer:
    """Prints statements into a text.

    `given` says what stands for each thing that the surrounding program hands to a step, and `taken` what is
    done with what a step hands over; {} is the value there, {u} the unit. The input x is one-hot, so a
    product with it is the column of `symbol`.
    """

    def __init__(
        self, text: Text, *, given: Mapping[str, str] | None = None, taken: Mapping[str, str] | None = None
    ) -> None:
        self.text = text
        self._given, self._taken = dict(given or {}), dict(taken or {})
        self._sizes: dict[str, int] = {}
        self._unit = ""

    def print(self, statements: Iterable[Statement]) -> None:
        for statement in statements:
            match statement:
                case UnitLoop():
                    self._loop(statement)
                case Clear(place, size, filled, looked_at):
                    first, end, self._unit = _count(size, filled), _count(size, looked_at), "u"
                    self.text(f"for (let u = {first}, end = {end}; u < end; u++) {self._at(place)} = 0;")
                    self._unit = ""
                case _:
                    self.text(self._line(statement))

    def _loop(self, loop: UnitLoop) -> None:
        head, self._unit = "{", str(loop.first)
        if loop.size - loop.first > 1 or loop.filled:
            end = _count(loop.size, loop.filled)
            bound = f", end = {end}" if loop.filled else ""
            head = f"for (let u = {loop.first}{bound}; u < {'end' if bound else end}; u++) {{"
            self._unit = "u"
        with self.text.block(head):
            self.print(statement for _, statement in loop.body)
            self.print(loop.spreads)
        self._unit = ""

    def _line(self, statement: Statement) -> str:
        match statement:
            case Let(name, value):
                declared = "const" if self._unit else "var"  # what loops share is set before each of them
                return f"{declared} {name} = {self.value(value)};"
            case Store(place, value, _):  # a word is alone here, and never ends before its last step
                return f"{self._at(place)} = {self.value(value)};"
            case HandOver(name, value):
                return self._taken[name].format(self.value(value), u=self._unit)
            case Gather(vector, place, count):
                parts = (f"{name} = {self._at(place, k)}" for k, name in self._parts(vector, count))
                return f"const {', '.join(parts)};"
            case Zero(vector, count):
                return f"let {', '.join(f'{name} = 0' for _, name in self._parts(vector, count))};"
            case Spread(vector, row, value):
                factor = self._operand(value, 3)
                sums = self._parts(vector, self._sizes[vector])
                return " ".join(f"{name} += {self._at(row, k)} * {factor};" for k, name in sums)
            case StoreAll(place, vector, count, _):
                return " ".join(f"{self._at(place, k)} = {name};" for k, name in self._parts(vector, count))
        raise TypeError(f"no statement: {statement!r}")

    def _parts(self, vector: str, count: int) -> list[tuple[int, str]]:
        """The numbers of a whole vector, each a variable of its own: no symbol's name has a $."""
        self._sizes[vector] = count
        return [(k, f"{vector}${k}") for k in range(count)]

    def value(self, value: Expression) -> str:
        """The text of an expression."""
        match value:
            case Constant(number):
                return json.dumps(number)
            case Local(name) | Shared(name):
                return name
            case Given(name):
                return self._given[name].format(u=self._unit)
            case Load(place) | Parameter(place):
                return self._at(place)
            case Apply(operation, arguments):
                tight = _BINDING.get(operation, 0)
                shown = (self._operand(argument, tight + (n > 0)) for n, argument in enumerate(arguments))
                return FUNCTIONS[operation].format(*shown)
            case MultiplyAdd(a, b, c, negative):
                product = f"{self._operand(a, 2)} * {self._operand(b, 3)}"
                return f"{self._operand(c, 1)} {'-' if negative else '+'} {product}"
            case SigmoidTimesTanh(a, b):
                return f"sigmoidTimesTanh({self.value(a)}, {self.value(b)})"
            case Dot(row, "x", start):
                return f"{self._operand(start, 1)} + {self._at(row, 'symbol')}"
            case Dot(row, vector, start):
                parts = self._parts(vector, self._sizes[vector])
                products = (f"{self._at(row, k)} * {name}" for k, name in parts)
                return " + ".join((self._operand(start, 1), *products))
            case Total(place, count, step, filled):
                return f"total({place.array}, {self._index(place)}, {_count(count, filled)}, {step})"
        raise TypeError(f"no expression: {value!r}")

    def _operand(self, value: Expression, tight: int) -> str:
        """The text of an expression, in brackets where it binds less tightly than that."""
        match value:
            case Apply(operation, _):
                own = _BINDING.get(operation, 9)
            case MultiplyAdd() | Dot():
                own = 1
            case _:
                own = 9
        return f"({self.value(value)})" if own < tight else self.value(value)

    def _at(self, place: Place, more: str | int = "") -> str:
        """A number of an array, for this unit; `more` goes further from there."""
        return f"{place.array}[{self._index(place, more)}]"

    def _index(self, place: Place, more: str | int = "") -> str:
        """Where a number of an array is."""
        unit, offset = "", place.offset + (more if isinstance(more, int) else 0)
        if place.per_unit and self._unit == "u":
            unit = times(place.per_unit, _turned(place))
        elif place.per_unit:
            own = int(self._unit or 0) // place.inner
            offset += place.per_unit * (own % place.period if place.period else own)
        return sum_of(_base(place), unit, offset, more if isinstance(more, str) else "")


def _turned(place: Place) -> str:
    """Unit u, or the one that stands there where units are repeated."""
    unit = "u" if place.inner == 1 else f"(u / {place.inner} | 0)"
    return f"({unit} % {place.period})" if place.period else unit


def _count(size: int, filled: Filled | None) -> str:
    """How many there are, or may be filled in step t."""
    if filled is None:
        return str(size)
    return f"Math.min({size}, {sum_of(filled.start, times(filled.growth, 't') if filled.growth else 0)})"


def _base(place: Place) -> str:
    """The name of a place's base; `new` is a word of JavaScript."""
    return "new$" if place.base == "new" else place.base
