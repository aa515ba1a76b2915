"""What a formula can be written with, besides + − × of its values.

Each function asks the kind of its argument what it means: an array computes at once, a
symbol grows a graph. A further reading registers itself here and touches no cell.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any, Protocol


class Value(Protocol):
    """A vector of numbers in some reading: what cells are written in."""

    def __add__(self, other: Any) -> Any: ...
    def __radd__(self, other: Any) -> Any: ...
    def __sub__(self, other: Any) -> Any: ...
    def __rsub__(self, other: Any) -> Any: ...
    def __mul__(self, other: Any) -> Any: ...
    def __rmul__(self, other: Any) -> Any: ...


@singledispatch
def sigmoid(value: Any) -> Any:
    """1 / (1 + e⁻ˣ), elementwise."""
    raise TypeError(f"sigmoid has no reading for {type(value).__name__}")


@singledispatch
def tanh(value: Any) -> Any:
    """The hyperbolic tangent, elementwise."""
    raise TypeError(f"tanh has no reading for {type(value).__name__}")


@singledispatch
def relu(value: Any) -> Any:
    """max(x, 0), elementwise."""
    raise TypeError(f"relu has no reading for {type(value).__name__}")


@singledispatch
def linear(matrix: Any, vector: Any) -> Any:
    """The product of a matrix, (row, column), with a vector, (column,)."""
    raise TypeError(f"linear has no reading for {type(matrix).__name__}")
