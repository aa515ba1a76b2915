"""Statements: what a step does, as data. A target prints them; nothing here is text.

Every value is a number of one run (or of one word, in judging): whether a target keeps sixteen of
them in a register, one in a thread or one in a variable is its own affair. A loop over units computes
unit u of several vectors; places in arrays may depend on u. What is said of the number of a step is
said of t, the steps of the word before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


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
