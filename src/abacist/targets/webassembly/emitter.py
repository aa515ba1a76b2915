"""Statements as WebAssembly: a number of a run becomes a vector of four, a run or a word in each lane."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import abacist.targets.webassembly.assembler as wasm
from abacist.cells import Layout
from abacist.compiler import plan_training
from abacist.compiler.statements import Filled, Place
from abacist.targets.emitter import Emitter
from abacist.targets.functions import OPERATIONS
from abacist.targets.webassembly.assembler import I32, VECTOR, Code, integer
from abacist.targets.webassembly.lanes import Lanes, applied

#: How many units there are: a number, or code.
_Count = int | bytes


class LaneEmitter(Emitter[bytes]):
    """Emits statements into the code of a function.

    `bases` says which local variable holds the address of an array, or of a base in it, and how far behind
    that it begins. The function has set `alive` and `t`, where statements need them. Parameters are one set
    per lane, or `shared` by all.
    """

    def __init__(
        self, code: Code, bases: Mapping[str, tuple[str, int]], *, unrolled: int = 0, shared: bool = False
    ) -> None:
        super().__init__()
        self.code, self.unrolled, self._bases = code, unrolled, bases
        self._fetch, self._size = (wasm.load_everywhere, 4) if shared else (wasm.load, VECTOR)
        self._totals = 0

    def constant(self, number: float) -> bytes:
        return self.code.number(number)

    def operation(self, name: str, arguments: Sequence[bytes]) -> bytes:
        return applied(self.code, name, arguments)

    def multiply_add(self, a: bytes, b: bytes, c: bytes, negative: bool = False) -> bytes:
        return (wasm.sub if negative else wasm.add)(c, wasm.mul(a, b))

    def let(self, name: str, value: bytes) -> bytes:
        name = f"{name} of {'u' if self.unit is None else self.unit}"
        self.code.emit(self.code.set(name, value))
        return self.code.get(name)

    def load(self, place: Place, column: int = 0) -> bytes:
        if place.array == "weights":
            return self._fetch(*self.where(place, column, self._size))
        return wasm.load(*self.where(place, column))

    def store(self, place: Place, value: bytes, column: int = 0) -> None:
        address, offset = self.where(place, column)
        self.code.emit(wasm.store(address, value, offset))

    def if_alive(self, value: bytes, otherwise: bytes) -> bytes:
        return Lanes(self.code).select(self.code.get("alive"), value, otherwise)

    def count(self, size: int, filled: Filled | None) -> _Count:
        if filled is None:
            return size
        growing = wasm.i32_mul(self.code.get("t"), integer(filled.growth))
        result = self.code.set("filled", wasm.i32_add(growing, integer(filled.start)), I32)
        value = self.code.get("filled")
        return result + wasm.select(integer(size), value, wasm.below(integer(size), value))

    @contextmanager
    def loop(self, first: _Count, last: _Count) -> Iterator[None]:
        code, fixed = self.code, isinstance(first, int) and isinstance(last, int)
        for name, value in (("u", first), ("units", last)):
            code.emit(code.set(name, integer(value) if isinstance(value, int) else value, I32))
        u, units = code.get("u"), code.get("units")
        if not fixed:
            code.emit(code.set("units", wasm.select(u, units, wasm.above(u, units))))
        with code.until_equal("u", "units", perhaps_never=not fixed):
            yield
            code.emit(code.move("u", 1))

    def total(self, place: Place, count: _Count, step: int) -> bytes:
        code, distance = self.code, VECTOR * step
        address, offset = self.where(place)
        self._totals += 1
        total = f"total {self._totals}"
        length = wasm.i32_mul(integer(count) if isinstance(count, int) else count, integer(distance))
        code.emit(
            code.set("term", address, I32),
            code.set("end of terms", wasm.i32_add(code.get("term"), length), I32),
            code.set(total, code.number(0.0)),
        )
        with code.until_equal("term", "end of terms", perhaps_never=True):
            term = wasm.load(code.get("term"), offset)
            code.emit(code.set(total, wasm.add(code.get(total), term)), code.move("term", distance))
        return code.get(total)

    def gather(self, vector: str, place: Place, count: int) -> list[bytes]:
        return [self.let(f"{vector} {column}", self.load(place, column)) for column in range(count)]

    def dot(self, row: Place, vector: Sequence[bytes], start: bytes) -> bytes:
        first, address, offset = self._row(row)
        total = start + first
        for column, value in enumerate(vector):
            total = self.multiply_add(self._weight(address, offset, column), value, total)
        return total

    def zeros(self, vector: str, count: int) -> list[str]:
        names = [f"{vector} {column}" for column in range(count)]
        self.code.emit(*(self.code.set(name, self.constant(0.0)) for name in names))
        return names

    def accumulate(self, sums: list[str], row: Place, factor: bytes) -> None:
        code = self.code
        code.emit(code.set("factor", factor))
        first, address, offset = self._row(row)
        code.emit(first)
        for column, name in enumerate(sums):
            weight = self._weight(address, offset, column)
            code.emit(code.set(name, self.multiply_add(weight, code.get("factor"), code.get(name))))

    def sums(self, vector: list[str | bytes]) -> list[bytes]:
        return [self.code.get(total) if isinstance(total, str) else total for total in vector]

    def _weight(self, address: bytes, offset: int, column: int) -> bytes:
        return self._fetch(address, offset + self._size * column)

    def _row(self, place: Place) -> tuple[bytes, bytes, int]:
        """Code that computes the address of a row once, the address, and how far behind it the row begins."""
        address, offset = self.where(place, size=self._size)
        if self.unit is not None:
            return b"", address, offset
        return self.code.set("row", address, I32), self.code.get("row"), offset

    def where(self, place: Place, column: int = 0, size: int = VECTOR) -> tuple[bytes, int]:
        """An address, and how far behind it a place is, for numbers of a size."""
        base, first = self._bases[place.base or place.array]
        address, offset = self.code.get(base), first + size * (place.offset + column)
        if self.unit is not None or not place.per_unit:
            unit = (self.unit or 0) // place.inner
            unit = unit % place.period if place.period else unit
            return address, offset + size * place.per_unit * unit
        moving = self.code.get("u")
        if place.inner > 1:
            moving = wasm.i32_div(moving, integer(place.inner))
        if place.period:
            moving = wasm.i32_rem(moving, integer(place.period))
        address = wasm.i32_add(address, wasm.i32_mul(moving, integer(size * place.per_unit)))
        if offset < 0:  # of a part that only begins at a later unit
            address, offset = wasm.i32_add(address, integer(offset)), 0
        return address, offset


def one_hot(code: Code, count: int) -> list[bytes]:
    """In each lane, one at the place of `symbol` and zero at all others."""
    for k in range(count):
        hot = wasm.equal_integers(code.get("symbol"), wasm.splat_integer(integer(k)))
        code.emit(code.set(f"x {k}", wasm.both(hot, code.number(1.0))))
    return [code.get(f"x {k}") for k in range(count)]


def refusal(layout: Layout) -> str | None:
    """Why a layout has no program, None if it has one."""
    if layout.threshold is not None:
        return "the WebAssembly target decides every output by itself, and these are probabilities"
    unknown = plan_training(layout).operations - OPERATIONS.keys()
    if not unknown:
        return None
    return f"{layout.cell.name}: the WebAssembly target cannot compute {', '.join(sorted(unknown))}"
