"""The reading of symbols: a formula grows a graph of vectors instead of computing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from abacist.algebra.instead import NoMethod, refuse_function
from abacist.algebra.operation import Operation, register
from abacist.algebra.operations import OPERATIONS, Operators, formula_functions, linear
from abacist.errors import BadInput

#: What a leaf may be: a number; a bias; and what a step is given.
LEAVES = ("constant", "parameter", "input", "state", "target", "scale", "counted", "adjoint")


@dataclass(frozen=True)
class Matrix:
    """A block of rows of a parameter tensor, (rows, columns)."""

    tensor: str
    first_row: int
    rows: int
    columns: int


@dataclass(frozen=True, eq=False)
class Symbol(Operators):
    """A vector in a formula: a leaf, or an operation on other vectors.

    A `constant` leaf has its number in `detail`, a `parameter` leaf its tensor and first row, a
    `state` or `adjoint` its number. `linear` holds its matrix in `detail`; `transposed`, a sum of
    products with transposed matrices, holds one for each argument; an operation with sizes holds these.
    """

    operation: str
    arguments: tuple[Symbol, ...]
    size: int
    detail: Any = None

    def __post_init__(self) -> None:
        if self.operation not in (OPERATIONS if self.arguments else LEAVES):
            raise BadInput(f"a formula cannot use {self.operation!r}: there is no such operation")

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            refuse_function("a vector", name, formula_functions(), NoMethod)

    @property
    def shape(self) -> tuple[int]:
        """Its size, as arrays have it."""
        return (self.size,)

    @property
    def work(self) -> int:
        """How many units, or weights of matrices, it takes to compute it once its arguments are known."""
        if self.operation == "segment_sum":
            return self.arguments[0].size
        if self.operation == linear.name:
            return int(self.detail.rows * self.detail.columns)
        if self.operation == "transposed":
            return sum(matrix.rows * matrix.columns for matrix in self.detail)
        return self.size

    def __eq__(self, other: object) -> bool:
        """Whether they are the same one; no number is, and a formula that asks would always get no."""
        return bool(self) if isinstance(other, int | float) else self is other

    __hash__ = object.__hash__

    @classmethod
    def apply(cls, operation: str, *values: Any) -> Symbol:
        """An operation on each unit alone; numbers among its arguments are constants, and a single unit is
        the same for all."""
        size = max(value.size for value in values if isinstance(value, Symbol))
        arguments = []
        for value in values:
            try:
                symbol = value if isinstance(value, Symbol) else leaf("constant", size, float(value))
            except (TypeError, ValueError):
                raise BadInput(f"a formula can {operation} vectors and numbers, got {value!r}") from None
            if symbol.operation == "constant" and not isfinite(symbol.detail):
                raise BadInput(f"a formula can {operation} vectors and finite numbers, got {value!r}")
            arguments.append(_repeated(symbol, size, 1) if symbol.size == 1 else symbol)
        sizes = [str(argument.size) for argument in arguments]
        if len(set(sizes)) > 1:
            raise BadInput(
                f"{operation} needs vectors of the same size, got {' and '.join(sizes)}; w.n.input(x), of a "
                "gate n, or linear(w.W, x) brings an input to the size of the units"
            )
        return Symbol(operation, tuple(arguments), size)


def leaf(kind: str, size: int, detail: Any = None) -> Symbol:
    return Symbol(kind, (), size, detail)


def in_order(roots: Sequence[Symbol], given: Collection[Symbol] = ()) -> list[Symbol]:
    """All symbols that the roots need beside the given ones, arguments before their users."""
    ordered: dict[Symbol, None] = {}
    pending = [(root, False) for root in reversed(roots) if root not in given]
    while pending:
        symbol, ready = pending.pop()
        if ready:
            ordered[symbol] = None
        elif symbol not in ordered:
            pending.append((symbol, True))
            more = (a for a in reversed(symbol.arguments) if a not in ordered and a not in given)
            pending += [(argument, False) for argument in more]
    return list(ordered)


def _repeated(vector: Symbol, size: int, inner: int) -> Symbol:
    """`repeat`, where there is something to repeat."""
    if vector.operation == "constant":
        return vector if vector.size == size else leaf("constant", size, vector.detail)
    return vector if vector.size == size else Symbol("repeat", (vector,), size, (size, inner))


def _grow(operation: Operation, values: Sequence[Any]) -> Symbol:
    """The reading of symbols: a further symbol."""
    if operation.elementwise:
        return Symbol.apply(operation.name, *values)
    if operation.sizes:
        return _whole(operation, *values)
    matrix, vector = values
    if not isinstance(matrix, Matrix) or not isinstance(vector, Symbol):
        raise TypeError(f"{operation.name} needs a matrix and a vector of one reading")
    if vector.size != matrix.columns:
        raise TypeError(f"{operation.name} needs a vector of {matrix.columns}, got one of {vector.size}")
    return Symbol(operation.name, (vector,), matrix.rows, matrix)


def _whole(operation: Operation, vector: Symbol, size: int, place: int) -> Symbol:
    """An operation on a whole vector: a part of it, its units repeated, or sums of them."""
    if operation.name == "part":
        return vector if (size, place) == (vector.size, 0) else Symbol("part", (vector,), size, (size, place))
    one, many = sorted((vector.size, size))
    if operation.name == "repeat" and place == 1 and size > vector.size:  # which need not come to its end
        return _repeated(vector, size, 1)
    if min(size, place) < 1 or many % one or place not in (1, many // one):
        raise BadInput(
            f"{operation.name} needs all of a vector, or its rows or columns, got {vector.size} units, "
            f"{size} and {place}"
        )
    if size != (many if operation.name == "repeat" else one):
        raise BadInput(f"{operation.name} cannot make {size} units of {vector.size}")
    inner = 1 if one == 1 else place
    if operation.name == "repeat":
        return _repeated(vector, size, inner)
    return vector if one == many else Symbol("segment_sum", (vector,), size, (size, inner))


register(Symbol, _grow)
register(Matrix, _grow)
