"""Printing statements as CUDA C: a run is shared by a few neighbouring threads, its lanes.

Unit u of every vector belongs to lane u modulo the number of lanes; a lane with several units does them in
rounds, one after the other, each with variables of its own: everything a step works with is in registers.
A whole vector is shuffled together, and a transposed product is summed over lanes by halving. A small network
has one lane, and then none of that is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

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
    Lookup,
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
from abacist.targets.text import Text

#: What each operation on units is in a printed program. A further operation is a further line.
FUNCTIONS: dict[str, str] = {
    "add": "({} + {})",
    "subtract": "({} - {})",
    "multiply": "({} * {})",
    "divide": "({} / {})",
    "sigmoid": "sigmoid({})",
    "tanh": "tangent({})",
    "falling": "falling({})",
    "twice_falling": "twice_falling({}, {})",
    "relu": "relu({})",
    "exponential": "exp({})",
    "logarithm": "log({})",
    "root": "sqrt({})",
    "softplus": "(relu({0}) + log1p(exp(-absolute({0}))))",
    "minimum": "smaller({}, {})",
    "maximum": "larger({}, {})",
    "least_product": "smaller({0} * {2} + {3}, {1} * {2} + {3})",
    "greatest_product": "larger({0} * {2} + {3}, {1} * {2} + {3})",
    "absolute": "absolute({})",
    "where_positive": "({} > 0 ? {} : number(0))",
}


class Printer:
    """Prints statements into a text.

    `given` says what stands for each thing that the surrounding program hands to a step, and `taken` what is
    done with what a step hands over; {} is the value there, {u} the unit, {r} the round. `weight` names a
    number of a row of parameters: by the row's place, the round and the column. `looked_up` names what
    the input's symbol adds, by the place of the matrix or table and the round.
    """

    def __init__(
        self,
        text: Text,
        lanes: int,
        *,
        weight: Callable[[Place, int, int], str],
        looked_up: Callable[[Place, int], str],
        given: Mapping[str, str] | None = None,
        taken: Mapping[str, str | Callable[[str, int], None]] | None = None,
    ) -> None:
        self.text, self.lanes = text, lanes
        self._weight, self._looked_up = weight, looked_up
        self._given, self._taken = dict(given or {}), dict(taken or {})
        self._sizes: dict[str, int] = {"x": 0}
        self._round, self._size = 0, 0

    def print(self, statements: Iterable[Statement]) -> None:
        listed = list(statements)
        for variable in self._room(listed):
            self.text(f"number {variable};")
        for statement in listed:
            if isinstance(statement, UnitLoop):
                self._loop(statement)
            else:
                self._line(statement)

    def rounds(self, size: int) -> range:
        """How often a lane has to do something for a vector of some size."""
        return range(-(-size // self.lanes))

    def variable(self, array: str, offset: int, number: int) -> str:
        """What holds a lane's part of a vector: array and offset are those of its first unit."""
        return f"{array}{offset}_{number}"

    def _room(self, statements: Iterable[Statement]) -> list[str]:
        """The variables for what waits for a later loop."""
        found: dict[str, None] = {}
        for statement in statements:
            places: list[tuple[Place, int]] = []
            if isinstance(statement, UnitLoop):
                stored = (inner for _, inner in statement.body if isinstance(inner, Store))
                places = [(inner.place, statement.size) for inner in stored]
            elif isinstance(statement, StoreAll):
                places = [(statement.place, statement.count)]
            for place, size in places:
                if place.array == "room":
                    found |= {self.variable("room", place.offset, r): None for r in self.rounds(size)}
        return list(found)

    def _loop(self, loop: UnitLoop) -> None:
        self._size = loop.size
        for level in sorted({level for level, _ in loop.body}):
            for r in self.rounds(loop.size):
                self._lines(r, (statement for own, statement in loop.body if own == level))
        for r in self.rounds(loop.size):
            self._lines(r, loop.spreads)

    def _lines(self, r: int, statements: Iterable[Statement]) -> None:
        """What a lane does in one round."""
        self._round = r
        for statement in statements:
            self._line(statement)
        self._round = 0

    def _line(self, statement: Statement) -> None:
        match statement:
            case Let(name, value):
                self.text(f"const number {name}r{self._round} = {self.value(value)};")
            case Store(place, value, _):
                self.text(f"{self._own(place)} = {self.value(value)};")
            case HandOver(name, value):
                self._hand_over(name, self.value(value))
            case Gather(vector, place, count):
                self._sizes[vector] = count
                for k in range(count):
                    own = self.variable(place.array, place.offset, k // self.lanes)
                    self.text(f"const number {vector}_{k} = {self._from_lane(own, k % self.lanes)};")
            case Zero(vector, count):
                self._sizes[vector] = count
                self.text(f"number {', '.join(f'{vector}_{k} = 0' for k in range(count))};")
            case Spread(vector, row, value):
                factor = self.value(value)
                for k in range(self._sizes[vector]):
                    weight = self._weight(row, self._round, k)
                    self.text(f"{vector}_{k} = fma({weight}, {factor}, {vector}_{k});")
            case StoreAll(place, vector, count, _):
                for r in self.rounds(count):
                    parts = [
                        f"{vector}_{k}" if k < count else "number(0)"
                        for k in range(r * self.lanes, (r + 1) * self.lanes)
                    ]
                    whole = self._summed_over_lanes(parts)
                    self.text(f"{self.variable(place.array, place.offset, r)} = {whole};")
            case _:
                raise TypeError(f"no statement: {statement!r}")

    def _hand_over(self, name: str, value: str) -> None:
        taken = self._taken[name]
        if callable(taken):
            taken(value, self._round)
            return
        line = taken.format(value, u=self._unit, r=self._round)
        whole = (self._round + 1) * self.lanes <= self._size
        self.text(line if whole else f"if ({self._unit} < {self._size}) {{ {line} }}")

    @property
    def _unit(self) -> str:
        if self.lanes == 1:
            return str(self._round)
        return f"(lane + {self._round * self.lanes})"

    def _from_lane(self, variable: str, lane: int) -> str:
        return variable if self.lanes == 1 else f"__shfl_sync(mask, {variable}, {lane}, {self.lanes})"

    def _summed_over_lanes(self, parts: list[str]) -> str:
        """Sums over all lanes, the n-th for lane n: half of them are sent away, then half of what is left."""
        while len(parts) > 1:
            half = len(parts) // 2
            name = f"half{len(self.text.lines)}"
            self.text(f"const bool {name} = lane & {half};")
            left = []
            for k in range(half):
                low, high = parts[k], parts[k + half]
                sent = f"__shfl_xor_sync(mask, {name} ? {low} : {high}, {half}, {self.lanes})"
                self.text(f"const number {name}_{k} = ({name} ? {high} : {low}) + {sent};")
                left.append(f"{name}_{k}")
            parts = left
        return parts[0]

    def _own(self, place: Place) -> str:
        return self.variable(place.array, place.offset, self._round)

    def value(self, value: Expression) -> str:
        """The text of an expression."""
        match value:
            case Constant(number):
                return f"number({number!r})"
            case Local(name):
                return f"{name}r{self._round}"
            case Given(name):
                return self._given[name].format(u=self._unit, r=self._round)
            case Load(place):
                return self._own(place)
            case Parameter(place):
                return self._weight(place, self._round, 0)
            case Lookup(place):
                return self._looked_up(place, self._round)
            case Apply(operation, arguments):
                return FUNCTIONS[operation].format(*map(self.value, arguments))
            case MultiplyAdd(a, b, c, negative):
                sign = "-" if negative else ""
                return f"fma({sign}{self.value(a)}, {self.value(b)}, {self.value(c)})"
            case SigmoidTimesTanh(a, b):
                return f"sigmoid_times_tangent({self.value(a)}, {self.value(b)})"
            case Dot(row, "x", start):
                return f"({self.value(start)} + {self._looked_up(row, self._round)})"
            case Dot(row, vector, start):
                total = self.value(start)
                for k in range(self._sizes[vector]):
                    total = f"fma({self._weight(row, self._round, k)}, {vector}_{k}, {total})"
                return total
        raise TypeError(f"no expression: {value!r}")
