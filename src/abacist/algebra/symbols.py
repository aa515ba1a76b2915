"""The reading of symbols: a formula grows a graph of vectors instead of computing."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Any, NoReturn

from abacist.algebra.functions import linear, relu, sigmoid, tanh
from abacist.errors import BadInput

_numbers = count()

_THERE_ARE = "there are + - * and the functions of abacist.algebra: sigmoid, tanh, relu"

#: Operations that act on each unit alone.
ELEMENTWISE = (
    "add",
    "subtract",
    "multiply",
    "sigmoid",
    "tanh",
    "relu",
    "where_positive",
    "where_counted",
)


@dataclass(frozen=True)
class Matrix:
    """A block of rows of a parameter tensor, (rows, columns)."""

    tensor: str
    first_row: int
    rows: int
    columns: int


@dataclass(frozen=True, eq=False)
class Symbol:
    """A vector in a formula: a leaf with a name, or an operation on other vectors.

    Leaves are `constant` (its number in `detail`), `parameter` (a bias: tensor and first
    row), `input`, `state`, `target`, `scale` and `adjoint`. `linear` holds its matrix in
    `detail`; `transposed`, a sum of products with transposed matrices, holds one for each argument.
    """

    operation: str
    arguments: tuple[Symbol, ...]
    size: int
    detail: Any = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "number", next(_numbers))

    number: int = -1

    def __add__(self, other: Any) -> Symbol:
        return _binary("add", self, other)

    def __radd__(self, other: Any) -> Symbol:
        return _binary("add", other, self)

    def __sub__(self, other: Any) -> Symbol:
        return _binary("subtract", self, other)

    def __rsub__(self, other: Any) -> Symbol:
        return _binary("subtract", other, self)

    def __mul__(self, other: Any) -> Symbol:
        return _binary("multiply", self, other)

    def __rmul__(self, other: Any) -> Symbol:
        return _binary("multiply", other, self)

    def __neg__(self) -> Symbol:
        return 0.0 - self

    def __pow__(self, _: Any) -> NoReturn:
        raise BadInput(f"a formula cannot use **; {_THERE_ARE}")

    def __truediv__(self, _: Any) -> NoReturn:
        raise BadInput(f"a formula cannot use /; {_THERE_ARE}")

    __rpow__, __rtruediv__ = __pow__, __truediv__

    def __array_ufunc__(self, function: Any, _: str, *values: Any, **__: Any) -> Symbol:
        """NumPy's numbers may stand in a formula; its functions may not."""
        if function.__name__ in ("add", "subtract", "multiply"):
            return _binary(function.__name__, *values)
        raise BadInput(f"a formula cannot use NumPy's {function.__name__}; {_THERE_ARE}")


def leaf(kind: str, size: int, detail: Any = None) -> Symbol:
    return Symbol(kind, (), size, detail)


def unary(operation: str, value: Symbol) -> Symbol:
    return Symbol(operation, (value,), value.size)


def _binary(operation: str, left: Any, right: Any) -> Symbol:
    size = left.size if isinstance(left, Symbol) else right.size
    try:
        pair = tuple(v if isinstance(v, Symbol) else leaf("constant", size, float(v)) for v in (left, right))
    except (TypeError, ValueError):
        other = right if isinstance(left, Symbol) else left
        raise BadInput(f"a formula can {operation} vectors and numbers, got {other!r}") from None
    if pair[0].size != pair[1].size:
        raise TypeError(f"{operation} needs vectors of one size, got {pair[0].size} and {pair[1].size}")
    return Symbol(operation, pair, size)


@sigmoid.register
def _(value: Symbol) -> Symbol:
    return unary("sigmoid", value)


@tanh.register
def _(value: Symbol) -> Symbol:
    return unary("tanh", value)


@relu.register
def _(value: Symbol) -> Symbol:
    return unary("relu", value)


@linear.register
def _(matrix: Matrix, vector: Symbol) -> Symbol:
    if vector.size != matrix.columns:
        raise TypeError(f"linear needs a vector of {matrix.columns}, got one of {vector.size}")
    return Symbol("linear", (vector,), matrix.rows, matrix)
