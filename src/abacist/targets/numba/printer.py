"""Printing statements as Python for Numba: a number of a run becomes a vector, a run in each lane."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

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
    Lookup,
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

#: Loops over at most this many units are printed unit by unit.
_UNROLLED = 4

#: As many vectors are set to zero one by one; more are in a loop.
_ZEROS = 512

#: Products with at most so many vectors are printed term by term. Longer ones are loops over memory where all
#: lanes share the weights: they take no longer to compile, however long they are.
_LONG = 256

#: What each operation on units is in a printed program. A further operation is a further line.
FUNCTIONS: dict[str, str] = {
    "add": "{} + {}",
    "subtract": "{} - {}",
    "multiply": "{} * {}",
    "divide": "{} / {}",
    "sigmoid": "sigmoid({})",
    "tanh": "tanh({})",
    "falling": "falling({})",
    "twice_falling": "twice_falling({}, {})",
    "relu": "relu({})",
    "exponential": "exponential({})",
    "logarithm": "logarithm({})",
    "root": "root({})",
    "softplus": "softplus({})",
    "minimum": "minimum({}, {})",
    "maximum": "maximum({}, {})",
    "least_product": "least_product({}, {}, {}, {})",
    "greatest_product": "greatest_product({}, {}, {}, {})",
    "absolute": "absolute({})",
    "where_positive": "select(less(zero, {}), {}, zero)",
}

#: Signs from the loosest to the tightest.
_BINDING = {"add": 1, "subtract": 1, "multiply": 2, "divide": 2}


@dataclass(frozen=True)
class Piece:
    """A statement, its level in a loop that is printed unit by unit, and the unit; 0 and None elsewhere."""

    statement: Statement
    level: int = 0
    unit: int | None = None


def pieces(statements: Iterable[Statement]) -> Iterator[Piece]:
    """Statements in the order in which they are printed; loops over a few units level by level."""
    for statement in statements:
        units = range(statement.first, statement.size) if isinstance(statement, UnitLoop) else range(0)
        if not isinstance(statement, UnitLoop) or len(units) > _UNROLLED or statement.filled:
            yield Piece(statement)
            continue
        for level in sorted({level for level, _ in statement.body}):
            for unit in units:
                yield from (Piece(own, level, unit) for at, own in statement.body if at == level)
        for unit in units:
            yield from (Piece(own, 0, unit) for own in statement.spreads)


class Printer:
    """Prints statements into a text.

    `given` says what stands for each thing that the surrounding program hands to a step, and `taken` what is
    done with what a step hands over; {} is the value there, {u} the unit. Parameters are one set per lane,
    or `shared` by all. What is kept in the array `scratch` is wanted only here: where loops are printed unit
    by unit, it stays in variables. All variables' names end with the `suffix`.
    """

    def __init__(
        self,
        text: Text,
        *,
        given: Mapping[str, str] | None = None,
        taken: Mapping[str, str] | None = None,
        shared: bool = False,
        scratch: str = "",
        suffix: str = "",
    ) -> None:
        self.text, self.constants, self._suffix = text, {0.0: "zero"}, suffix
        self._given, self._taken = dict(given or {}), dict(taken or {})
        self._shared = "_shared" if shared else ""
        self._unit: int | None = None
        self._scratch, self._held = scratch, dict[int, str]()
        self._vectors: set[str] = set()
        self._in_memory: dict[str, str] = {}

    def beside(self, suffix: str, given: Mapping[str, str], taken: Mapping[str, str]) -> Printer:
        """A printer into the same text that knows what was printed before, and has names of its own."""
        other = Printer(
            self.text, given=given, taken=taken, shared=bool(self._shared), scratch=self._scratch,
            suffix=suffix,
        )  # fmt: skip
        other.constants, other._held = self.constants, dict(self._held)
        other._in_memory = dict(self._in_memory)
        return other

    def print(self, statements: Iterable[Statement]) -> None:
        for piece in pieces(statements):
            self.put(piece)

    def put(self, piece: Piece) -> None:
        """Print one statement, of one unit where its loop is printed unit by unit."""
        statement = piece.statement
        if isinstance(statement, UnitLoop):
            first = f"{statement.first}, " if statement.first else ""
            with self.text.block(f"for u in range({first}{_count(statement.size, statement.filled)}):"):
                self.print(own for _, own in statement.body)
                self.print(statement.spreads)
            return
        if isinstance(statement, Clear):
            first, last = (_count(statement.size, own) for own in (statement.filled, statement.looked_at))
            with self.text.block(f"for u in range({first}, {last}):"):
                self.text(f"store({self._at(statement.place)}, zero)")
            return
        self._unit = piece.unit
        if not (self._holds(statement) or self._leaves(statement)):
            self.text(self._line(statement))
        self._unit = None

    def _holds(self, statement: Statement) -> bool:
        """Whether a statement only keeps a number that can stay in its variable."""
        match statement:
            case Store(Place(array, "", offset, per_unit), value) if array == self._scratch:
                if self._unit is not None:
                    self._held[offset + per_unit * self._unit] = self.value(value)
                    return True
        return False

    def _leaves(self, statement: Statement) -> bool:
        """Whether a statement only gathers a vector that is read from memory where it is wanted."""
        match statement:
            case Gather(vector, place, count) if self._shared and count > _LONG:
                self._in_memory[vector] = f"{self._at(place)}, {count}"
                return True
        return False

    def _line(self, statement: Statement) -> str:
        match statement:
            case Let(name, value):
                return f"{self._name(name)} = {self.value(value)}"
            case Store(place, value, ended):
                kept = self.value(value)
                if ended is not None:
                    kept = f"select(alive, {kept}, {self.value(ended)})"
                return f"store({self._at(place)}, {kept})"
            case HandOver(name, value):
                return self._taken[name].format(self.value(value), u=self._u)
            case Gather(vector, place, count) if place.array == self._scratch and place.offset in self._held:
                held = (self._held[place.offset + unit] for unit in range(count))
                self._vectors.add(vector)
                return f"{vector}{self._suffix} = ({', '.join(held)},)"
            case Gather(vector, place, count):
                return f"{vector} = load_all({self._at(place)}, {count})"
            case Zero(vector, count):
                return f"{vector} = zeros({count}, zero)"
            case Spread(vector, row, value):
                return f"{vector} = spread({self._at(row)}, {self.value(value)}, {vector})"
            case StoreAll(place, vector, count, before):
                if before is not None:
                    vector = f"choose(alive, {vector}, load_all({self._at(before)}, {count}))"
                return f"store_all({self._at(place)}, {vector})"
        raise TypeError(f"no statement: {statement!r}")

    def value(self, value: Expression) -> str:
        """The text of an expression."""
        match value:
            case Constant(number):
                return self.constants.setdefault(number, _constant_name(number))
            case Local(name):
                return self._name(name)
            case Shared(name):
                return name
            case Given(name):
                return self._given[name].format(u=self._u)
            case Load(Place(array, "", offset)) if array == self._scratch and self._unit is not None:
                return self._held[offset + self._unit]
            case Load(place):
                return f"load({self._at(place)})"
            case Parameter(place):
                return f"load{self._shared}({self._at(place)})"
            case Lookup(place):
                return f"lookup({self._at(place)}, code)"
            case Apply("minimum" | "maximum" as operation, (argument, Constant() as number)):
                name = "at_most" if operation == "minimum" else "at_least"
                return f"{name}({self.value(number)}, {self.value(argument)})"
            case Apply(operation, arguments):
                return FUNCTIONS[operation].format(*self._operands(operation, arguments))
            case MultiplyAdd(a, b, c, negative):
                name = "fnma" if negative else "fma"
                return f"{name}({self.value(a)}, {self.value(b)}, {self.value(c)})"
            case SigmoidTimesTanh(a, b):
                return f"sigmoid_times_tanh({self.value(a)}, {self.value(b)})"
            case Dot(row, vector, start) if vector in self._in_memory:
                return f"long_dot({self._at(row)}, {self._in_memory[vector]}, {self.value(start)})"
            case Dot(row, vector, start):
                own = vector + self._suffix * (vector in self._vectors)
                return f"dot{self._shared}({self._at(row)}, {own}, {self.value(start)})"
            case Total(place, count, step, filled):
                return f"total({self._at(place)}, {_count(count, filled)}, {step}, zero)"
        raise TypeError(f"no expression: {value!r}")

    def _operands(self, operation: str, arguments: tuple[Expression, ...]) -> list[str]:
        """The texts of an operation's arguments, in brackets where a sign binds less tightly there."""
        shown = []
        for place, argument in enumerate(arguments):
            inner = _BINDING.get(argument.operation, 9) if isinstance(argument, Apply) else 9
            loose = inner < _BINDING.get(operation, 0) + (place > 0)
            shown.append(f"({self.value(argument)})" if loose else self.value(argument))
        return shown

    @property
    def _u(self) -> str:
        return "u" if self._unit is None else str(self._unit)

    def _name(self, name: str) -> str:
        return name if self._unit is None else f"{name}u{self._unit}{self._suffix}"

    def _at(self, place: Place) -> str:
        """An array and an index into it, for this unit."""
        if self._unit is not None or not place.per_unit:
            unit = (self._unit or 0) // place.inner
            unit = unit % place.period if place.period else unit
            index = sum_of(place.base, place.offset + place.per_unit * unit)
        else:
            turns = (f" // {place.inner}" if place.inner > 1 else "") + (
                f" % {place.period}" if place.period else ""
            )
            unit_text = f"(u{turns})" if turns else "u"
            index = sum_of(place.base, place.offset, times(place.per_unit, unit_text))
        return f"{place.array}, {index}"

    def constant_lines(self) -> list[str]:
        """The vectors that hold constants, those that every program uses first."""
        own = [f"{name} = splat(number({value!r}))" for value, name in self.constants.items() if value]
        return ["zero = splat(number(0.0))", "ones = (splat(number(1.0)),)", *own]


def print_zeros(text: Text, array: str, count: int) -> None:
    """Set the first vectors of an array to zero."""
    if count <= _ZEROS:
        text(f"store_all({array}, 0, zeros({count}, zero))")
        return
    with text.block(f"for n in range({count}):"):
        text(f"store({array}, n, zero)")


def _count(size: int, filled: Filled | None) -> str:
    """How many there are, or may be filled in step t."""
    if filled is None:
        return str(size)
    return f"min({size}, {sum_of(filled.start, times(filled.growth, 't') if filled.growth else 0)})"


def _constant_name(value: float) -> str:
    """A name for a constant, such as `one` or `k0_5`."""
    return "one" if value == 1 else "k" + repr(value).replace(".", "_").replace("-", "m").replace("+", "")
