"""Statements: what a step does, as data, which a target prints; and lines of text for people.

Every value is a number of one run (or of one word, in judging): whether a target keeps sixteen of
them in a register, one in a thread or one in a variable is its own affair. A loop over units computes
unit u of several vectors; places in arrays may depend on u. What is said of the number of a step is
said of t, the steps of the word before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from abacist.algebra import OPERATIONS


@dataclass(frozen=True)
class Place:
    """A place in an array: a named base, an offset, and a distance from each unit to the next.

    Where units are repeated, the unit is u // `inner`, modulo `period` if there is one.
    """

    array: str
    base: str = ""
    offset: int = 0
    per_unit: int = 0
    inner: int = 1
    period: int = 0


@dataclass(frozen=True)
class Filled:
    """How many units of a memory may be filled: `start`, and `growth` more for every step before."""

    start: int
    growth: int

    def at(self, step: int, size: int) -> int:
        """How many that are of a vector of some size in a step."""
        return min(size, self.start + self.growth * step)

    def within(self, size: int) -> Filled | None:
        """The same for a vector of some size, None if it is all of it."""
        return self if self.start < size else None


@dataclass(frozen=True)
class Constant:
    """The same number always."""

    value: float


@dataclass(frozen=True)
class Local:
    """Unit u of a vector that the loop has computed before; `shared` by all units, one from before it."""

    name: str
    shared: bool = False


@dataclass(frozen=True)
class Given:
    """Unit u of what the surrounding program hands to a step: `target`, `scale` or `counted`."""

    name: str


@dataclass(frozen=True)
class Load:
    """A number in memory; those of the array `weights` are the network's parameters."""

    place: Place


@dataclass(frozen=True)
class Lookup:
    """What the input's symbol adds to a sum, from a table."""

    place: Place


@dataclass(frozen=True)
class Apply:
    """An operation, by its name, on numbers: one of the algebra's, or `sigmoid_times_tanh`, which takes one
    division."""

    operation: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class MultiplyAdd:
    """a·b + c, or c − a·b where `negative`, rounded once where the machine can."""

    a: Expression
    b: Expression
    c: Expression
    negative: bool = False


@dataclass(frozen=True)
class Dot:
    """start + a row of parameters times a whole vector."""

    row: Place
    vector: str
    start: Expression


@dataclass(frozen=True)
class Total:
    """The sum of `count` numbers in memory, or of those that may be `filled`, each `step` behind the last."""

    place: Place
    count: int
    step: int = 1
    filled: Filled | None = None


Expression: TypeAlias = Constant | Local | Given | Load | Lookup | Apply | MultiplyAdd | Dot | Total


@dataclass(frozen=True)
class Let:
    """Unit u of a vector gets its value."""

    name: str
    value: Expression


@dataclass(frozen=True)
class Store:
    """A number is kept in memory; where the run's word has ended already, `ended` instead, if any."""

    place: Place
    value: Expression
    ended: Expression | None = None


@dataclass(frozen=True)
class HandOver:
    """A number is handed to the surrounding program: of the `loss`, or of the `sums` that decide."""

    name: str
    value: Expression


@dataclass(frozen=True)
class Gather:
    """A whole vector is taken from memory."""

    vector: str
    place: Place
    count: int


@dataclass(frozen=True)
class Zero:
    """A whole vector begins as zeros."""

    vector: str
    count: int


@dataclass(frozen=True)
class Spread:
    """A row of parameters times a number is added to a whole vector: a part of a transposed product."""

    vector: str
    row: Place
    value: Expression


@dataclass(frozen=True)
class StoreAll:
    """A whole vector is kept in memory; where the run's word has ended already, what lies at `ended`."""

    place: Place
    vector: str
    count: int
    ended: Place | None = None


#: What is done for unit u of a loop, and at which level.
Body: TypeAlias = tuple[tuple[int, Let | Store | HandOver], ...]


@dataclass(frozen=True)
class UnitLoop:
    """For every unit from `first` to below `size` that may be `filled`, the statements of `body`.

    Beside each stands its level: a target that writes the units out one by one does all units of a
    level before the next, so that what takes long is begun for all of them at once.
    """

    size: int
    body: Body
    spreads: tuple[Spread, ...] = ()
    first: int = 0
    filled: Filled | None = None


@dataclass(frozen=True)
class Clear:
    """Of a vector in memory, the units from where it may be filled to where it is looked at become zeros."""

    place: Place
    size: int
    filled: Filled
    looked_at: Filled


Statement: TypeAlias = Let | Store | HandOver | Gather | Zero | Spread | StoreAll | UnitLoop | Clear


def statement_lines(statements: Iterable[Statement], indent: str = "") -> Iterator[str]:
    """A line for each statement; those of a loop over units u are indented.

    >>> loop = UnitLoop(2, ((1, Let("v", Load(Place("tape", "now", 3, 1)))),))
    >>> print("\\n".join(statement_lines([Zero("s", 2), loop])))
    s = 0, 2 units
    for u in 0 … 1:
        v = tape[now + 3 + u]
    """
    for statement in statements:
        match statement:
            case UnitLoop(size, body, spreads, first, filled):
                yield f"{indent}for u in {first} … {_last(size, filled)}:"
                yield from statement_lines((*(inner for _, inner in body), *spreads), f"{indent}    ")
            case Clear(place, size, filled, looked_at):
                last = _last(size, looked_at)
                yield f"{indent}for u in {_last(size, filled)} + 1 … {last}: {_place(place)} = 0"
            case _:
                yield indent + _line(statement)


def _line(statement: Statement) -> str:
    match statement:
        case Let(name, value):
            return f"{name} = {_text(value)}"
        case Store(place, value, ended):
            otherwise = "" if ended is None else f", after the word's end {_text(ended)}"
            return f"{_place(place)} = {_text(value)}{otherwise}"
        case HandOver(name, value):
            return f"hand over {name}: {_text(value)}"
        case Gather(vector, place, count):
            return f"{vector} = {_place(place)}, {count} units"
        case Zero(vector, count):
            return f"{vector} = 0, {count} units"
        case Spread(vector, row, value):
            return f"{vector} += {_place(row)}, … * {_text(value)}"
        case StoreAll(place, vector, _, ended):
            otherwise = "" if ended is None else f", after the word's end {_place(ended)}"
            return f"{_place(place)}, … = {vector}{otherwise}"
    raise TypeError(f"no statement: {statement!r}")


def _text(value: Expression) -> str:
    match value:
        case Constant(number):
            return repr(number)
        case Local(name) | Given(name):
            return name
        case Load(place):
            return _place(place)
        case Lookup(place):
            return f"{_place(place)}[symbol]"
        case Apply(operation, (left, right)) if operation in OPERATIONS and OPERATIONS[operation].sign:
            return f"({_text(left)} {OPERATIONS[operation].sign} {_text(right)})"
        case Apply(operation, arguments):
            return f"{operation}({', '.join(map(_text, arguments))})"
        case MultiplyAdd(a, b, c, negative):
            product = f"{_text(a)} * {_text(b)}"
            return f"({_text(c)} - {product})" if negative else f"({product} + {_text(c)})"
        case Dot(row, vector, start):
            return f"({_text(start)} + {_place(row)}, … · {vector})"
        case Total(place, count, step, filled):
            return f"total({_place(place)}, {_last(count, filled)} + 1 of them, step {step})"
    raise TypeError(f"no expression: {value!r}")


def _place(place: Place) -> str:
    unit = "u"
    if place.inner > 1:
        unit = f"({unit} // {place.inner})"
    if place.period:
        unit = f"({unit} % {place.period})"
    moving = f"{place.per_unit} * {unit}" if place.per_unit != 1 else unit
    terms = [place.base, str(place.offset) if place.offset else "", moving if place.per_unit else ""]
    return f"{place.array}[{' + '.join(filter(None, terms)) or '0'}]"


def _last(size: int, filled: Filled | None) -> str:
    """The last unit, of a vector or of the filled part of one."""
    if filled is None:
        return str(size - 1)
    return f"min({size}, {filled.start} + {filled.growth} * t) - 1"
