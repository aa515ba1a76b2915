"""Looking up instead of computing: a symbol's part in an affine sum is one number per unit.

W x + b + U h + b′ with a one-hot x is T[symbol] + U h, where T = W + b + b′ is made once for
a network. Only programs that run one network at a time have such tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from abacist.algebra import Matrix, Symbol, in_order


@dataclass(frozen=True)
class InputTable:
    """The table of one sum: its first row among all tables, what it is made of, what is left to add."""

    row: int
    matrix: Matrix
    biases: tuple[tuple[str, int], ...]
    products: tuple[Symbol, ...]


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
    inner = [part for a in symbol.arguments if a.operation == "add" for part in parts_of(a)]
    products = [a for a in symbol.arguments if _of_input(a)]
    return [symbol, *inner, *products]


def _of_input(symbol: Symbol) -> bool:
    return symbol.operation == "linear" and symbol.arguments[0].operation == "input"


def _terms(symbol: Symbol) -> list[Symbol]:
    """The terms of a sum."""
    if symbol.operation != "add":
        return [symbol]
    return [term for part in symbol.arguments for term in _terms(part)]
