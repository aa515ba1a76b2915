"""Statements as LLVM: a number of a run becomes a vector, with a run or a word in each lane."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Any

from abacist.compiler.statements import Filled, Gather, Place
from abacist.targets.emitter import Emitter
from abacist.targets.llvm.bounds import OPERATIONS
from abacist.targets.llvm.vectors import Vectors, integer

#: Products with at most so many vectors are written out term by term. Longer ones are loops over memory where
#: all lanes share the weights: their compile time does not depend on their length.
_LONGEST_UNROLLED_DOT = 256

#: The number of independent sums in a total.
_SUMS = 4


class LaneEmitter(Emitter[Any]):
    """Emits statements where the builder of some vectors stands.

    `arrays` has the arrays by name, and `names` the whole numbers that the program sets: bases of places and
    the step t. Parameters are one set per lane, or `shared` by all. Values of the array `scratch` are needed
    only here: where loops are unrolled, they stay in registers.
    """

    def __init__(
        self, v: Vectors, arrays: Mapping[str, Any], *, shared: bool = False, scratch: str = ""
    ) -> None:
        super().__init__()
        self.v, self.arrays, self.names = v, arrays, dict[str, Any]()
        self.alive: Any = None
        self.code: Any = None
        self._u: Any = None
        self._shared, self._scratch, self._held = shared, scratch, dict[int, Any]()

    def beside(self) -> LaneEmitter:
        """An emitter that knows all values so far, and keeps its own from here on."""
        other = copy(self)
        other.names, other.vectors = dict(self.names), dict(self.vectors)
        other._held, other._locals = dict(self._held), dict(self._locals)
        return other

    @property
    def u(self) -> Any:
        """The present unit as a whole number, plain or LLVM's."""
        return self._u if self.unit is None else self.unit

    def constant(self, number: float) -> Any:
        return self.v.constant(number)

    def operation(self, name: str, arguments: Sequence[Any]) -> Any:
        return OPERATIONS[name](self.v, *arguments)

    def multiply_add(self, a: Any, b: Any, c: Any, negative: bool = False) -> Any:
        return self.v.fma(self.v.builder.fneg(a) if negative else a, b, c)

    def load(self, place: Place, column: int = 0) -> Any:
        if self._in_register(place):
            return self._held[place.offset + (self.unit or 0) + column]
        shared = self._shared and place.array == "weights"
        load = self.v.load_shared if shared else self.v.load
        return load(self.arrays[place.array], self._index(place, column))

    def store(self, place: Place, value: Any, column: int = 0) -> None:
        if self._in_register(place):
            self._held[place.offset + place.per_unit * (self.unit or 0)] = value
        else:
            self.v.store(self.arrays[place.array], self._index(place, column), value)

    def _in_register(self, place: Place) -> bool:
        return place.array == self._scratch and not place.base and self.unit is not None

    def lookup(self, place: Place) -> Any:
        """In each lane, number `code` of a register of the table."""
        v = self.v
        name = "llvm.x86.avx512.permvar." + ("sf.512" if v.bits == 32 else "df.512")
        table = v.load(self.arrays[place.array], self._index(place), v.register)
        places = v.builder.fptoui(self.code, v.integers)
        return v.by_register(lambda register: v.call(name, v.register, table, register), places)

    def if_alive(self, value: Any, otherwise: Any) -> Any:
        return self.v.builder.select(self.alive, value, otherwise)

    def count(self, size: int, filled: Filled | None) -> Any:
        if filled is None:
            return integer(size)
        growth = self.v.times(filled.growth, self.names["t"]) if filled.growth else 0
        return self.v.smaller(integer(size), self.v.sum_of(filled.start, growth))

    @contextmanager
    def loop(self, first: Any, last: Any) -> Iterator[None]:
        first = integer(first) if isinstance(first, int) else first
        with self.v.loop(first, last, name="u") as (self._u, _):
            yield
        self._u = None

    def gather(self, vector: str, place: Place, count: int) -> Any:
        if place.array == self._scratch and place.offset in self._held:
            return [self._held[place.offset + unit] for unit in range(count)]
        if self._shared and count > _LONGEST_UNROLLED_DOT:
            return Gather(vector, place, count)  # it is read from memory where it is used
        return super().gather(vector, place, count)

    def dot(self, row: Place, vector: Any, start: Any) -> Any:
        if not isinstance(vector, Gather):
            return super().dot(row, vector, start)
        v, weights, values = self.v, self.arrays[row.array], self.arrays[vector.place.array]
        total, first, at = v.variable(start), self._index(vector.place), self._index(row)
        with v.loop(integer(0), integer(vector.count)) as (n, _):
            weight = v.load_shared(weights, v.sum_of(at, n))
            value = v.load(values, v.sum_of(first, n))
            v.builder.store(v.fma(weight, value, v.builder.load(total)), total)
        return v.builder.load(total)

    def total(self, place: Place, count: Any, step: int) -> Any:
        """A sum by four sums that do not wait for each other."""
        v, array, first = self.v, self.arrays[place.array], self._index(place)
        sums = [v.variable(v.constant(0.0)) for _ in range(_SUMS)]
        whole = v.builder.and_(count, integer(-_SUMS))

        def add(number: Any, total: Any) -> None:
            value = v.load(array, v.sum_of(first, v.times(step, number)))
            v.builder.store(v.builder.fadd(v.builder.load(total), value), total)

        with v.loop(integer(0), whole, _SUMS) as (number, _):
            for n, total in enumerate(sums):
                add(v.sum_of(number, n), total)
        with v.loop(whole, count) as (number, _):
            add(number, sums[0])
        a, b, c, d = map(v.builder.load, sums)
        return v.builder.fadd(v.builder.fadd(a, b), v.builder.fadd(c, d))

    def zeros(self, vector: str, count: int) -> list[Any]:
        return [self.v.variable(self.v.constant(0.0)) for _ in range(count)]

    def accumulate(self, sums: list[Any], row: Place, factor: Any) -> None:
        for column, total in enumerate(sums):
            after = self.v.fma(self.load(row, column), factor, self.v.builder.load(total))
            self.v.builder.store(after, total)

    def sums(self, vector: list[Any]) -> list[Any]:
        return [self.v.builder.load(total) if total.type.is_pointer else total for total in vector]

    def _index(self, place: Place, column: int = 0) -> Any:
        """The index of a place in its array, for the present unit."""
        base = self.names[place.base] if place.base else 0
        if self.unit is not None or not place.per_unit:
            unit = (self.unit or 0) // place.inner
            unit = unit % place.period if place.period else unit
            return self.v.sum_of(base, place.offset + place.per_unit * unit + column)
        unit = self._u
        if place.inner > 1:
            unit = self.v.builder.udiv(unit, integer(place.inner))
        if place.period:
            unit = self.v.builder.urem(unit, integer(place.period))
        return self.v.sum_of(base, place.offset + column, self.v.times(place.per_unit, unit))
