"""The reading of symbols: a formula grows a graph of vectors instead of computing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from abacist.algebra.operations import OPERATIONS, Operation, formula_functions, linear
from abacist.algebra.readings import register
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
class Symbol:
    """A vector in a formula: a leaf, or an operation on other vectors.

    A `constant` leaf has its number in `detail`, a `parameter` leaf its tensor and first row, a
    `state` or `adjoint` its number. `linear` holds its matrix in `detail`; `transposed`, a sum of
    products with transposed matrices, holds one for each argument.
    """

    operation: str
    arguments: tuple[Symbol, ...]
    size: int
    detail: Any = None

    def __post_init__(self) -> None:
        if self.operation not in (OPERATIONS if self.arguments else LEAVES):
            raise BadInput(f"a formula cannot use {self.operation!r}: there is no such operation")

    @property
    def work(self) -> int:
        """How many units, or weights of matrices, it takes to compute it once its arguments are known."""
        if self.operation == linear.name:
            return int(self.detail.rows * self.detail.columns)
        if self.operation == "transposed":
            return sum(matrix.rows * matrix.columns for matrix in self.detail)
        return self.size

    def __add__(self, other: Any) -> Symbol:
        return _elementwise("add", self, other)

    def __radd__(self, other: Any) -> Symbol:
        return _elementwise("add", other, self)

    def __sub__(self, other: Any) -> Symbol:
        return _elementwise("subtract", self, other)

    def __rsub__(self, other: Any) -> Symbol:
        return _elementwise("subtract", other, self)

    def __mul__(self, other: Any) -> Symbol:
        return _elementwise("multiply", self, other)

    def __rmul__(self, other: Any) -> Symbol:
        return _elementwise("multiply", other, self)

    def __neg__(self) -> Symbol:
        return 0.0 - self

    def __pow__(self, _: Any) -> NoReturn:
        raise BadInput(f"a formula cannot use **; {_there_are()}")

    def __truediv__(self, _: Any) -> NoReturn:
        raise BadInput(f"a formula cannot use /; {_there_are()}")

    __rpow__, __rtruediv__ = __pow__, __truediv__

    def __array_ufunc__(self, function: Any, _: str, *values: Any, **__: Any) -> Symbol:
        """NumPy's numbers may stand in a formula; its functions may not."""
        if function.__name__ in ("add", "subtract", "multiply"):
            return _elementwise(function.__name__, *values)
        raise BadInput(f"a formula cannot use NumPy's {function.__name__}; {_there_are()}")


def _there_are() -> str:
    return f"there are + - * and the functions of abacist.algebra: {', '.join(formula_functions())}"


def leaf(kind: str, size: int, detail: Any = None) -> Symbol:
    return Symbol(kind, (), size, detail)


def in_order(roots: Sequence[Symbol]) -> list[Symbol]:
    """All symbols that the roots need, arguments before their users."""
    ordered: dict[Symbol, None] = {}
    pending = [(root, False) for root in reversed(roots)]
    while pending:
        symbol, ready = pending.pop()
        if ready:
            ordered[symbol] = None
        elif symbol not in ordered:
            pending.append((symbol, True))
            pending += [(a, False) for a in reversed(symbol.arguments) if a not in ordered]
    return list(ordered)


def _elementwise(operation: str, *values: Any) -> Symbol:
    """An operation on each unit alone; numbers among its arguments are constants."""
    size = next(value.size for value in values if isinstance(value, Symbol))
    arguments = []
    for value in values:
        try:
            symbol = value if isinstance(value, Symbol) else leaf("constant", size, float(value))
        except (TypeError, ValueError):
            raise BadInput(f"a formula can {operation} vectors and numbers, got {value!r}") from None
        arguments.append(symbol)
    sizes = [argument.size for argument in arguments]
    if len(set(sizes)) > 1:
        raise TypeError(f"{operation} needs vectors of the same size, got {' and '.join(map(str, sizes))}")
    return Symbol(operation, tuple(arguments), size)


def _grow(operation: Operation, values: Sequence[Any]) -> Symbol:
    """The reading of symbols: a further symbol."""
    if operation.elementwise:
        return _elementwise(operation.name, *values)
    matrix, vector = values
    if not isinstance(matrix, Matrix) or not isinstance(vector, Symbol):
        raise TypeError(f"{operation.name} needs a matrix and a vector of one reading")
    if vector.size != matrix.columns:
        raise TypeError(f"{operation.name} needs a vector of {matrix.columns}, got one of {vector.size}")
    return Symbol(operation.name, (vector,), matrix.rows, matrix)


register(Symbol, _grow)
register(Matrix, _grow)
