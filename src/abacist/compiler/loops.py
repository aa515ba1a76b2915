"""Printing the loops of a step: each symbol becomes a line, each product a call.

Used by all programs on the CPU. Where values come from and go to differs between them,
so that is told by `Places`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from abacist.algebra import Matrix, Symbol
from abacist.cells.layout import Layout
from abacist.compiler.names import Names
from abacist.compiler.schedule import Loop, Schedule, by_level, one_division
from abacist.compiler.tables import Table
from abacist.compiler.text import Text, at, for_unit

#: Loops over so few units are printed unit by unit.
_UNROLLED = 4


@dataclass
class Places:
    """Where the values of a step are.

    `memory` gives the array and index at which a symbol's vector begins; `elements` the text
    of unit u for symbols that are not in memory; `vectors` the tuple that holds a whole
    vector. `keep` says what to do with unit u of a symbol once it is computed. `shared` weights
    are the same in all lanes; sums that have a table are looked up in it.
    """

    memory: dict[Symbol, tuple[str, str]] = field(default_factory=dict)
    elements: dict[Symbol, str] = field(default_factory=dict)
    vectors: dict[Symbol, str] = field(default_factory=dict)
    keep: dict[Symbol, list[Callable[[str], str]]] = field(default_factory=dict)
    shared: bool = False
    tables: dict[Symbol, Table] = field(default_factory=dict)

    def keep_in(self, symbol: Symbol, array: str, index: str, guard: str = "{}") -> None:
        """Store a symbol in an array, guarded by a text such as `select(alive, {}, zero)`."""
        self.keep.setdefault(symbol, []).append(lambda v: f"store({array}, {index} + u, {guard.format(v)})")


class LoopPrinter:
    """Prints the loops of one schedule."""

    def __init__(
        self,
        text: Text,
        layout: Layout,
        plan: Schedule,
        places: Places,
        names: Names,
        constants: dict[float, str],
        roots: Iterable[Symbol],
    ) -> None:
        self.text, self.layout, self.plan, self.places, self.names = text, layout, plan, places, names
        self.constants = constants
        self._uses = Counter(
            argument for loop in plan.loops for s in loop.symbols for argument in s.arguments
        )
        self._uses.update(s.arguments[term] for loop in plan.loops for s, term in loop.gathers)
        self._uses.update(roots)
        self._current: Loop | None = None
        self._unit: int | None = None

    def print_all(self) -> None:
        """All loops in order."""
        gathered = {symbol: None for loop in self.plan.loops for symbol, _ in loop.gathers}
        for symbol in gathered:
            self.text(f"{self.names[symbol]} = zeros({symbol.size}, zero)")
        for number, loop in enumerate(self.plan.loops):
            self._print(loop)
            later = {s for rest in self.plan.loops[number + 1 :] for s, _ in rest.gathers}
            for symbol in gathered:
                done = any(s is symbol for s, _ in loop.gathers) and symbol not in later
                if done and symbol in self.places.memory:
                    array, index = self.places.memory[symbol]
                    self.text(f"store_all({array}, {index}, {self.names[symbol]})")

    def _print(self, loop: Loop) -> None:
        self._current = loop
        for symbol in loop.symbols:
            if symbol.operation == "linear" and symbol.arguments[0] not in self.places.vectors:
                vector = symbol.arguments[0]
                array, index = self.places.memory[vector]
                name = f"all_{self.names[vector]}"
                self.text(f"{name} = load_all({array}, {index}, {vector.size})")
                self.places.vectors[vector] = name
        if loop.size <= _UNROLLED:
            for level in self._levels(loop):
                for self._unit in range(loop.size):
                    self._compute(level)
            for self._unit in range(loop.size):
                self._gather(loop)
            self._unit = None
        else:
            with self.text.block(f"for u in range({loop.size}):"):
                self._compute(loop.symbols)
                self._gather(loop)
        self._current = None

    def _levels(self, loop: Loop) -> list[list[Symbol]]:
        """The levels of a loop, with sums and what is written into its user as late as they are needed."""
        levels = by_level(loop.symbols)
        place = {symbol: number for number, level in enumerate(levels) for symbol in level}
        for symbol in reversed(loop.symbols):
            users = [place[user] for user in loop.symbols if symbol in user.arguments]
            sums = symbol.operation in ("add", "linear") and symbol not in self.places.keep
            if users and (sums or self._inlined(symbol)):
                place[symbol] = min(users)
        return [[s for s in loop.symbols if place[s] == number] for number in range(len(levels))]

    def _compute(self, symbols: Iterable[Symbol]) -> None:
        for symbol in symbols:
            if not self._inlined(symbol):
                self._line(f"{self._name(symbol)} = {self._operation(symbol)}")
                for keep in self.places.keep.get(symbol, ()):
                    self._line(keep(self._name(symbol)))

    def _gather(self, loop: Loop) -> None:
        for symbol, term in loop.gathers:
            vector, matrix = symbol.arguments[term], symbol.detail[term]
            name = self.names[symbol]
            self._line(f"{name} = spread(weights, {self._row(matrix)}, {self.element(vector)}, {name})")

    def _name(self, symbol: Symbol) -> str:
        return self.names[symbol] + ("" if self._unit is None else f"u{self._unit}")

    def _line(self, line: str) -> None:
        self.text(line if self._unit is None else for_unit(line, self._unit))

    def element(self, symbol: Symbol) -> str:
        """The text of unit u of a symbol."""
        if symbol.operation == "constant":
            return self.constants.setdefault(symbol.detail, _number_name(symbol.detail))
        if symbol.operation == "parameter":
            tensor, row = symbol.detail
            load = "load_shared" if self.places.shared else "load"
            return f"{load}(weights, {at('u', self.layout.starts[tensor] + row)})"
        if symbol in self.places.elements:
            return self.places.elements[symbol]
        if self._current is not None and symbol in self._current.symbols:
            return self._operation(symbol) if self._inlined(symbol) else self._name(symbol)
        array, index = self.places.memory[symbol]
        return f"load({array}, {index} + u)"

    def _inlined(self, symbol: Symbol) -> bool:
        """Whether a symbol is written into its only user: parts of affine maps, factors of sums and
        of products with one division."""
        if not self._used_once(symbol):
            return False
        if symbol.operation == "linear" or (
            symbol.operation == "add" and any(a.operation == "linear" for a in symbol.arguments)
        ):
            return True
        here = self._current.symbols if self._current else ()
        users = [user for user in here if symbol in user.arguments]
        if symbol.operation == "multiply":
            sums = any(user.operation in ("add", "subtract") for user in users)
            return sums and not self._one_division(symbol)
        return any(self._one_division(user) for user in users)

    def _used_once(self, symbol: Symbol) -> bool:
        """Whether nobody needs a symbol but one other."""
        kept = symbol in self.places.keep or symbol in self.places.memory
        return self._uses[symbol] == 1 and not kept

    def _one_division(self, symbol: Symbol) -> bool:
        """Whether a symbol is the product of a sigmoid and a tanh that nobody else needs."""
        alone = all(self._here(a) and self._used_once(a) for a in symbol.arguments)
        return alone and one_division(symbol, self._uses)

    def _operation(self, symbol: Symbol) -> str:
        values = [self.element(a) for a in symbol.arguments] if symbol.operation != "linear" else []
        match symbol.operation:
            case "linear":
                return self._dot(symbol, "zero")
            case "add":
                return self._sum(symbol)
            case "subtract":
                right = symbol.arguments[1]
                if self._factors(right):
                    a, b = map(self.element, right.arguments)
                    return f"fnma({a}, {b}, {values[0]})"
                return f"{values[0]} - {_bracketed(values[1])}"
            case "multiply" if self._one_division(symbol):
                factors = sorted(symbol.arguments, key=lambda factor: factor.operation)
                return f"sigmoid_times_tanh({', '.join(self.element(f.arguments[0]) for f in factors)})"
            case "multiply":
                return " * ".join(map(_bracketed, values))
            case "where_counted":
                return f"select(counted, {values[0]}, zero)"
            case "where_positive":
                return f"select(less(zero, {values[0]}), {values[1]}, zero)"
            case name:
                return f"{name}({values[0]})"

    def _sum(self, symbol: Symbol) -> str:
        left, right = symbol.arguments
        if table := self.places.tables.get(symbol):
            value = f"lookup(tables, {at('u', table.row)}, code)"
            for product in table.products:
                value = self._dot(product, value)
            return value
        for part, other in ((left, right), (right, left)):
            if part.operation == "linear" and self._here(part) and self._inlined(part):
                return self._dot(part, self.element(other))
        for part, other in ((left, right), (right, left)):
            if self._factors(part):
                a, b = map(self.element, part.arguments)
                return f"fma({a}, {b}, {self.element(other)})"
        return f"{self.element(left)} + {self.element(right)}"

    def _here(self, symbol: Symbol) -> bool:
        return self._current is not None and symbol in self._current.symbols

    def _factors(self, symbol: Symbol) -> bool:
        """Whether a symbol is a product that can be fused with the sum that uses it."""
        return symbol.operation == "multiply" and self._here(symbol) and self._inlined(symbol)

    def _dot(self, symbol: Symbol, start: str) -> str:
        function = "dot_shared" if self.places.shared else "dot"
        vector = self.places.vectors[symbol.arguments[0]]
        return f"{function}(weights, {self._row(symbol.detail)}, {vector}, {start})"

    def _row(self, matrix: Matrix) -> str:
        """The index of row u of a matrix."""
        return at(
            f"{matrix.columns} * u", self.layout.starts[matrix.tensor] + matrix.first_row * matrix.columns
        )


def _number_name(value: float) -> str:
    """A name for a constant, such as `one` or `k0_5`."""
    return "one" if value == 1 else "k" + repr(value).replace(".", "_").replace("-", "m").replace("+", "")


def _bracketed(text: str) -> str:
    """Brackets around a sum or difference, where it is a factor or subtrahend."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and character in "+-" and text[place - 1 : place] == " ":
            return f"({text})"
    return text
