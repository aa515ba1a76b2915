"""Where the values of a step are and what they are called: in memory, in locals, in tables of the input."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from types import MappingProxyType

from abacist.algebra import Matrix, Symbol, in_order
from abacist.compiler.statements import Expression, HandOver, Local, Place, Store


@dataclass(frozen=True)
class Tape:
    """A plan of memory: offsets of symbols, in numbers of one run; `width` is how many a step takes."""

    offsets: Mapping[Symbol, int]
    width: int

    @classmethod
    def of(cls, symbols: Iterable[Symbol], reserved: int = 0) -> Tape:
        """Symbols one after the other, each once, behind some reserved room."""
        offsets: dict[Symbol, int] = {}
        width = reserved
        for symbol in symbols:
            if symbol not in offsets:
                offsets[symbol] = width
                width += symbol.size
        return cls(MappingProxyType(offsets), width)

    def __contains__(self, symbol: Symbol) -> bool:
        return symbol in self.offsets


class Names(dict[Symbol, str]):
    """Different names for the variables of all symbols: the formula's where there is one."""

    def __init__(self, wanted: Mapping[Symbol, str]) -> None:
        super().__init__()
        self._wanted, self._taken = wanted, set[str]()

    def __missing__(self, symbol: Symbol) -> str:
        base = self._wanted.get(symbol, "v")
        names = (base + (f"_{number}" if base != "v" else str(number)) for number in count(2))
        first = f"{base}_" if base != "v" else "v1"
        self[symbol] = name = next(name for name in chain([first], names) if name not in self._taken)
        self._taken.add(name)
        return name


@dataclass(frozen=True)
class InputTable:
    """The table of one sum: its first row among all tables, what it is made of, what is left to add.

    W x + b + U h + b′ with a one-hot x is T[symbol] + U h, where T = W + b + b′ is made once for a network.
    Only programs that run one network at a time have such tables.
    """

    row: int
    matrix: Matrix
    biases: tuple[tuple[str, int], ...]
    products: tuple[Symbol, ...]


@dataclass
class Places:
    """Where the values of a step are.

    `memory` says where a symbol's vector begins, `elements` what stands for unit u of a symbol that is
    not in memory, `vectors` which local holds a whole vector. `kept` says what becomes of unit u of a
    symbol once it is computed: its value is put in place of `Local("")`. Sums with a table are looked up.
    """

    memory: dict[Symbol, Place] = field(default_factory=dict)
    elements: dict[Symbol, Expression] = field(default_factory=dict)
    vectors: dict[Symbol, str] = field(default_factory=dict)
    kept: dict[Symbol, list[Store | HandOver]] = field(default_factory=dict)
    tables: dict[Symbol, InputTable] = field(default_factory=dict)

    def keep(self, symbol: Symbol, place: Place, ended: Expression | None = None) -> None:
        """Store a symbol; where its word has ended, `ended` instead."""
        self.kept.setdefault(symbol, []).append(Store(of_unit(place), Local(""), ended))

    def put(self, symbol: Symbol, place: Place, ended: Expression | None = None) -> None:
        """The place of a symbol, which is stored there, unless it is a leaf or a transposed product."""
        self.memory[symbol] = place
        if symbol.arguments and symbol.operation != "transposed":
            self.keep(symbol, place, ended)

    def hand_over(self, symbol: Symbol, name: str) -> None:
        self.kept.setdefault(symbol, []).append(HandOver(name, Local("")))


def of_unit(place: Place) -> Place:
    """The place of unit u of a vector that begins at a place."""
    return replace(place, per_unit=1)


def there(view: Symbol) -> range:
    """The units at which a part of a vector is within it."""
    size, first = view.detail
    return range(max(0, -first), max(0, -first, min(size, view.arguments[0].size - first)))


def input_tables(roots: Sequence[Symbol]) -> dict[Symbol, InputTable]:
    """The tables for all sums with a product of the input in them, whole sums only."""
    ordered = in_order(roots)
    tables: dict[Symbol, InputTable] = {}
    inner: set[Symbol] = set()
    row = 0
    for symbol in reversed(ordered):
        terms = _terms(symbol)
        inputs = [t for t in terms if _of_input(t)]
        if symbol not in inner and symbol.operation == "add" and len(inputs) == 1:
            products = tuple(t for t in terms if t.operation == "linear" and t not in inputs)
            biases = tuple(t.detail for t in terms if t.operation == "parameter")
            if 1 + len(products) + len(biases) == len(terms):
                tables[symbol] = InputTable(row, inputs[0].detail, biases, products)
                row += symbol.size
                inner |= set(parts_of(symbol)) - {symbol}
    return tables


def parts_of(symbol: Symbol) -> list[Symbol]:
    """A sum, the sums that it is made of, and the product of the input in it."""
    inner = [term for a in symbol.arguments if a.operation == "add" for term in parts_of(a)]
    products = [a for a in symbol.arguments if _of_input(a)]
    return [symbol, *inner, *products]


def _of_input(symbol: Symbol) -> bool:
    return symbol.operation == "linear" and symbol.arguments[0].operation == "input"


def _terms(symbol: Symbol) -> list[Symbol]:
    """The terms of a sum."""
    if symbol.operation != "add":
        return [symbol]
    return [term for argument in symbol.arguments for term in _terms(argument)]
