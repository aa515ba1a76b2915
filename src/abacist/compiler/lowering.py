"""From a schedule to statements: each symbol becomes a number of a loop, or a part of its only user.

What is fused is decided here: products into sums, parts of affine maps into one dot product, a
sigmoid times a tanh into one division. `Places` says where values come from and go to. Where a loop
looks at parts of vectors, it is cut into loops in each of which a part is there, or is nothing but zeros.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import abacist.compiler.statements as st
from abacist.algebra import Matrix, Symbol
from abacist.compiler.filling import WHOLE, Filling
from abacist.compiler.places import Names, Places, of_unit, there
from abacist.compiler.scheduling import Loop, Schedule, by_level, one_division
from abacist.errors import BadInput


def lowered(
    starts: Mapping[str, int],
    plan: Schedule,
    places: Places,
    names: Names,
    roots: Sequence[Symbol],
    filling: Filling = WHOLE,
) -> list[st.Statement]:
    """The statements of a schedule; `starts` says where tensors begin among the parameters."""
    return list(_Lowering(starts, plan, places, names, roots, filling).statements())


@dataclass
class _Lowering:
    starts: Mapping[str, int]
    plan: Schedule
    places: Places
    names: Names
    roots: Sequence[Symbol]
    filling: Filling

    def __post_init__(self) -> None:
        loops = self.plan.loops
        self._units, self._here, self._loop_symbols = range(0), frozenset[Symbol](), tuple[Symbol, ...]()
        self._uses = Counter(argument for loop in loops for s in loop.symbols for argument in s.arguments)
        self._uses.update(s.arguments[term] for loop in loops for s, term in loop.gathers)
        self._uses.update(self.roots)

    def statements(self) -> Iterator[st.Statement]:
        """All loops in order."""
        last = {symbol: number for number, loop in enumerate(self.plan.loops) for symbol, _ in loop.gathers}
        for symbol in last:
            yield st.Zero(self.names[symbol], symbol.size)
        for number, loop in enumerate(self.plan.loops):
            for vector in (s.arguments[0] for s in loop.symbols if s.operation == "linear"):
                if vector not in self.places.vectors:  # products need it whole
                    self.places.vectors[vector] = name = f"all_{self.names[vector]}"
                    yield st.Gather(name, self.places.memory[vector], vector.size)
            yield from self._loops(loop)
            for symbol, end in last.items():
                if end == number and symbol in self.places.memory:
                    yield st.StoreAll(self.places.memory[symbol], self.names[symbol], symbol.size)

    def _loops(self, loop: Loop) -> Iterator[st.Statement]:
        """A loop, cut where parts of vectors begin and end."""
        self._here, self._loop_symbols = frozenset(loop.symbols), loop.symbols
        looked_at = [*loop.symbols, *(a for s in loop.symbols for a in s.arguments if a in self.plan.views)]
        cuts = {0, loop.size}
        for symbol in dict.fromkeys(looked_at):
            if symbol.operation == "part":
                units = there(symbol)
                cuts |= {units.start, units.stop} if units else set()
            elif symbol in self.plan.views and symbol.arguments[0].size == 1:
                yield st.Let(self.names[symbol], self._whole(symbol.arguments[0], per_unit=0))
        filled = self.filling.of((*loop.symbols, *(s.arguments[term] for s, term in loop.gathers)))
        for first, last in pairwise(sorted(cuts)):
            self._units = range(first, last)
            body, spreads = self._body(loop)
            yield st.UnitLoop(last, body, spreads, first, filled.within(last) if filled else None)
        for symbol in loop.symbols:  # behind what was computed, where memory is used again in every step
            place, zeros = self.places.memory.get(symbol), self.filling.zeros(symbol)
            if place is not None and not place.base and zeros is not None:
                yield st.Clear(of_unit(place), symbol.size, *zeros)
        self._here, self._loop_symbols = frozenset(), ()

    def _body(self, loop: Loop) -> tuple[st.Body, tuple[st.Spread, ...]]:
        """What is done for every unit of the loop's present part."""
        levels = self._levels(loop)
        body: list[tuple[int, st.Let | st.Store | st.HandOver]] = []
        for symbol in loop.symbols:
            if not self._inlined(symbol):
                name, level = self.names[symbol], levels[symbol]
                body.append((level, st.Let(name, self._operation(symbol))))
                body += [(level, replace(k, value=st.Local(name))) for k in self.places.kept.get(symbol, ())]
        spreads = [
            st.Spread(self.names[s], self._row(s.detail[term]), self.element(s.arguments[term]))
            for s, term in loop.gathers
        ]
        return tuple(body), tuple(spreads)

    def _levels(self, loop: Loop) -> dict[Symbol, int]:
        """The level of every symbol; sums and what is written into its user as late as they are needed."""
        levels = by_level(loop.symbols)
        place = {symbol: number for number, level in enumerate(levels) for symbol in level}
        for symbol in reversed(loop.symbols):
            users = [place[user] for user in loop.symbols if symbol in user.arguments]
            sums = symbol.operation in ("add", "linear") and symbol not in self.places.kept
            if users and (sums or self._inlined(symbol)):
                place[symbol] = min(users)
        return place

    def element(self, symbol: Symbol) -> st.Expression:
        """Unit u of a symbol."""
        if symbol.operation == "constant":
            return st.Constant(symbol.detail)
        if symbol.operation == "parameter":
            tensor, row = symbol.detail
            return st.Load(st.Place("weights", offset=self.starts[tensor] + row, per_unit=1))
        if symbol.operation in ("target", "scale", "counted"):
            return st.Given(symbol.operation)
        if symbol in self.places.elements:
            return self.places.elements[symbol]
        if symbol in self.plan.views:
            return self._view(symbol)
        if symbol in self._here:
            return self._operation(symbol) if self._inlined(symbol) else st.Local(self.names[symbol])
        return st.Load(of_unit(self.places.memory[symbol]))

    def _whole(self, symbol: Symbol, first: int = 0, **units: Any) -> st.Expression:
        """Of a vector that is complete, unit u from a `first` one on, or what fields of `Place` say of u."""
        place = self.places.memory.get(symbol)
        value = self.element(symbol) if place is None else st.Load(of_unit(place))
        match value:
            case st.Load(place):
                return st.Load(replace(place, offset=place.offset + first, **units))
            case st.Constant():
                return value
        raise BadInput(f"a formula can only look at vectors in memory, got {value}")

    def _view(self, symbol: Symbol) -> st.Expression:
        """Unit u of a part of a vector, or of its units repeated."""
        (vector,), (_, number) = symbol.arguments, symbol.detail
        if symbol.operation == "part":
            return st.Constant(0.0) if self._absent(symbol) else self._whole(vector, number)
        if vector.size == 1 and symbol in self.plan.views:
            return st.Local(self.names[symbol], shared=True)
        period = 0 if symbol.size == vector.size * number else vector.size
        return self._whole(vector, inner=number, period=period)

    def _absent(self, symbol: Symbol) -> bool:
        """Whether a symbol is nothing but zeros in the present part of a loop."""
        if symbol.operation == "part" and (symbol in self.plan.views or symbol in self._here):
            return self._units.start not in there(symbol)
        if symbol in self._here and symbol.operation in ("add", "multiply"):
            return (all if symbol.operation == "add" else any)(map(self._absent, symbol.arguments))
        return False

    def _inlined(self, symbol: Symbol) -> bool:
        """Whether a symbol is written into its only user: parts of affine maps, factors of sums and
        of products with one division."""
        if not self._used_once(symbol):
            return False
        if symbol.operation == "linear" or (
            symbol.operation == "add" and any(a.operation == "linear" for a in symbol.arguments)
        ):
            return True
        users = [user for user in self._loop_symbols if symbol in user.arguments]
        if symbol.operation == "multiply":
            sums = any(user.operation in ("add", "subtract") for user in users)
            return sums and not self._one_division(symbol)
        return any(self._one_division(user) for user in users)

    def _used_once(self, symbol: Symbol) -> bool:
        """Whether nobody needs a symbol but one other."""
        kept = symbol in self.places.kept or symbol in self.places.memory
        return self._uses[symbol] == 1 and not kept

    def _one_division(self, symbol: Symbol) -> bool:
        """Whether a symbol is the product of a sigmoid and a tanh that nobody else needs."""
        alone = all(a in self._here and self._used_once(a) for a in symbol.arguments)
        return alone and one_division(symbol, self._uses)

    def _operation(self, symbol: Symbol) -> st.Expression:
        match symbol.operation:
            case "linear":
                return self._dot(symbol, st.Constant(0.0))
            case "add":
                return self._sum(symbol)
            case "subtract" if self._fused(symbol.arguments[1], "multiply"):
                a, b = map(self.element, symbol.arguments[1].arguments)
                return st.MultiplyAdd(a, b, self.element(symbol.arguments[0]), negative=True)
            case "part" | "repeat":
                return self._view(symbol)
            case "segment_sum":
                return self._total(symbol)
            case "multiply" if self._absent(symbol):
                return st.Constant(0.0)
            case "multiply" if self._one_division(symbol):
                factors = sorted(symbol.arguments, key=lambda factor: factor.operation)
                values = tuple(self.element(factor.arguments[0]) for factor in factors)
                return st.Apply("sigmoid_times_tanh", values)
        return st.Apply(symbol.operation, tuple(map(self.element, symbol.arguments)))

    def _sum(self, symbol: Symbol) -> st.Expression:
        left, right = symbol.arguments
        if table := self.places.tables.get(symbol):
            value: st.Expression = st.Lookup(st.Place("tables", offset=table.row, per_unit=1))
            for product in table.products:
                value = self._dot(product, value)
            return value
        pairs = ((left, right), (right, left))
        for term, other in pairs:
            if self._absent(term):
                return self.element(other)
        for term, other in pairs:
            if self._fused(term, "linear"):
                return self._dot(term, self.element(other))
        for term, other in pairs:
            if self._fused(term, "multiply"):
                a, b = map(self.element, term.arguments)
                return st.MultiplyAdd(a, b, self.element(other))
        return st.Apply("add", (self.element(left), self.element(right)))

    def _fused(self, symbol: Symbol, operation: str) -> bool:
        """Whether a symbol is a product that is fused with the sum that uses it."""
        return symbol.operation == operation and symbol in self._here and self._inlined(symbol)

    def _dot(self, symbol: Symbol, start: st.Expression) -> st.Dot:
        return st.Dot(self._row(symbol.detail), self.places.vectors[symbol.arguments[0]], start)

    def _row(self, matrix: Matrix) -> st.Place:
        """Row u of a matrix."""
        first = self.starts[matrix.tensor] + matrix.first_row * matrix.columns
        return st.Place("weights", offset=first, per_unit=matrix.columns)

    def _total(self, symbol: Symbol) -> st.Expression:
        """Unit u of the sums of a vector's rows or columns."""
        (vector,), (_, inner) = symbol.arguments, symbol.detail
        terms = vector.size // symbol.size
        value = self._whole(vector, per_unit=inner)
        if isinstance(value, st.Constant):
            return st.Constant(value.value * terms)
        if not isinstance(value, st.Load) or value.place.array == "weights":
            raise BadInput(f"a formula can only sum vectors in memory, got {value}")
        if inner == terms:
            return st.Total(value.place, terms)
        filled = self.filling.of((vector,), symbol.size)
        return st.Total(value.place, terms, symbol.size, filled.within(terms) if filled else None)
