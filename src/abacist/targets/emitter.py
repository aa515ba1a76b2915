"""The emitter: walks the statements of a step once, and asks a backend for the leaves.

A backend is a subclass: it says what a value is (an LLVM value, a text, bytes that leave a vector on a
stack), and what an operation, a load, a store and a loop are. Everything else about statements stands here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Generic, TypeVar

import abacist.compiler.statements as st

Value = TypeVar("Value")

#: A statement; of an unrolled loop also its unit.
Piece = tuple[st.Statement, int | None]


class Emitter(ABC, Generic[Value]):
    """Emits statements.

    `given` computes what the surrounding program provides to a step, `taken` consumes what a step hands over.
    `unit` is the unit of an unrolled loop; None means that the code is inside a loop, or in none.
    """

    #: The largest number of units of an unrolled loop.
    unrolled = 4

    def __init__(self) -> None:
        self.given: dict[str, Callable[[], Value]] = {}
        self.taken: dict[str, Callable[[Value], None]] = {}
        self.unit: int | None = None
        self.vectors: dict[str, Any] = {}
        self._locals: dict[tuple[str, int | None], Value] = {}

    # The leaves of a backend. Its programs need not have the ones that are not abstract.

    @abstractmethod
    def constant(self, number: float) -> Value: ...

    @abstractmethod
    def operation(self, name: str, arguments: Sequence[Value]) -> Value: ...

    @abstractmethod
    def multiply_add(self, a: Value, b: Value, c: Value, negative: bool = False) -> Value:
        """a·b + c, or c − a·b."""

    @abstractmethod
    def load(self, place: st.Place, column: int = 0) -> Value:
        """A number in memory, or so many behind it. The array `weights` has the network's parameters."""

    @abstractmethod
    def store(self, place: st.Place, value: Value, column: int = 0) -> None: ...

    def lookup(self, place: st.Place) -> Value:
        """The contribution of the input's symbol to a sum."""
        raise NotImplementedError

    def if_alive(self, value: Value, otherwise: Value) -> Value:
        """A value where the run's word has not ended, another one elsewhere."""
        raise NotImplementedError

    def total(self, place: st.Place, count: Any, step: int) -> Value:
        raise NotImplementedError

    def count(self, size: int, filled: st.Filled | None) -> Any:
        """The number of units of a vector, or of its filled units in step t, as `loop` takes it."""
        raise NotImplementedError

    def loop(self, first: Any, last: Any) -> AbstractContextManager[None]:
        """A loop over the units from `first` to below `last`."""
        raise NotImplementedError

    @abstractmethod
    def zeros(self, vector: str, count: int) -> Any:
        """A vector of sums that begin at zero."""

    @abstractmethod
    def accumulate(self, sums: Any, row: st.Place, factor: Value) -> None:
        """Add a row of parameters times a number to a vector of sums."""

    @abstractmethod
    def sums(self, vector: Any) -> Sequence[Value]:
        """The present values of a vector of sums."""

    def let(self, name: str, value: Value) -> Value:
        """A value that several others use."""
        return value

    def gather(self, vector: str, place: st.Place, count: int) -> Any:
        return [self.load(place, column) for column in range(count)]

    def dot(self, row: st.Place, vector: Any, start: Value) -> Value:
        total = start
        for column, value in enumerate(vector):
            total = self.multiply_add(self.load(row, column), value, total)
        return total

    def units(self, loop: st.UnitLoop) -> Iterable[int] | None:
        """The units that a loop is unrolled for, None if it stays a loop."""
        units = range(loop.first, loop.size)
        return None if len(units) > self.unrolled or loop.filled else units

    # What all backends share.

    def emit(self, statements: Iterable[st.Statement]) -> None:
        for piece in self.pieces(statements):
            self.put(*piece)

    def pieces(self, statements: Iterable[st.Statement]) -> Iterator[Piece]:
        """Statements in their order of emission; unrolled loops level by level."""
        for statement in statements:
            units = self.units(statement) if isinstance(statement, st.UnitLoop) else None
            if not isinstance(statement, st.UnitLoop) or units is None:
                yield statement, None
                continue
            for level in sorted({level for level, _ in statement.body}):
                for unit in units:
                    yield from ((inner, unit) for at, inner in statement.body if at == level)
            for unit in units:
                yield from ((inner, unit) for inner in statement.spreads)

    def put(self, statement: st.Statement, unit: int | None) -> None:
        """Emit one statement, of one unit where its loop is unrolled."""
        self.unit = unit
        match statement:
            case st.UnitLoop(size, body, spreads, first, filled):
                with self.loop(first, self.count(size, filled)):
                    for inner in (*(one for _, one in body), *spreads):
                        self._one(inner)
            case st.Clear(place, size, filled, looked_at):
                with self.loop(self.count(size, filled), self.count(size, looked_at)):
                    self.store(place, self.constant(0.0))
            case _:
                self._one(statement)
        self.unit = None

    def _one(self, statement: st.Statement) -> None:
        match statement:
            case st.Let(name, value):
                self._locals[name, self.unit] = self.let(name, self.value(value))
            case st.Store(place, value, ended):
                stored = self.value(value)
                self.store(place, stored if ended is None else self.if_alive(stored, self.value(ended)))
            case st.HandOver(name, value):
                self.taken[name](self.value(value))
            case st.Gather(vector, place, count):
                self.vectors[vector] = self.gather(vector, place, count)
            case st.Zero(vector, count):
                self.vectors[vector] = self.zeros(vector, count)
            case st.Spread(vector, row, value):
                self.accumulate(self.vectors[vector], row, self.value(value))
            case st.StoreAll(place, vector, _, before):
                for column, total in enumerate(self.sums(self.vectors[vector])):
                    kept = total if before is None else self.if_alive(total, self.load(before, column))
                    self.store(place, kept, column)
            case _:
                raise TypeError(f"no statement: {statement!r}")

    def value(self, expression: st.Expression) -> Value:
        """The value of an expression."""
        match expression:
            case st.Constant(number):
                return self.constant(number)
            case st.Local(name, shared):
                return self._locals[name, None if shared else self.unit]
            case st.Given(name):
                return self.given[name]()
            case st.Load(place):
                return self.load(place)
            case st.Lookup(place):
                return self.lookup(place)
            case st.Apply(operation, arguments):
                return self.operation(operation, [self.value(argument) for argument in arguments])
            case st.MultiplyAdd(a, b, c, negative):
                return self.multiply_add(self.value(a), self.value(b), self.value(c), negative)
            case st.Dot(row, vector, start):
                return self.dot(row, self.vectors[vector], self.value(start))
            case st.Total(place, count, step, filled):
                return self.total(place, self.count(count, filled), step)
        raise TypeError(f"no expression: {expression!r}")
