"""The adjoint of a step, derived: how the loss depends on the states before and on the parameters.

Reverse mode, one rule an operation. Over time, the adjoint of a step's states is the sum
of what the later steps and its own loss send back; the caller chains the steps.
"""

from __future__ import annotations

from dataclasses import dataclass

from abacist.algebra import Matrix, Symbol, leaf
from abacist.compiler.graph import StepGraph, in_order

#: Leaves that no derivative is wanted of.
_GIVEN = ("constant", "input", "target", "scale")


@dataclass(frozen=True)
class Gradient:
    """A step's part in the gradient of some rows of a tensor.

    Of a matrix: the outer product of `rows` with `columns`. Of a bias (columns None): `rows`.
    """

    tensor: str
    first_row: int
    rows: Symbol
    columns: Symbol | None


@dataclass(frozen=True)
class Adjoint:
    """The adjoints of the states before a step, and the step's parts in the gradient."""

    before: tuple[Symbol, ...]
    gradients: tuple[Gradient, ...]


def differentiate(graph: StepGraph) -> Adjoint:
    """Derive the adjoint of a step; `adjoint` leaves stand for those of the states after it."""
    order = in_order((*graph.after, graph.loss))
    sums: dict[Symbol, _Sum] = {symbol: _Sum() for symbol in order}
    for index, symbol in enumerate(graph.after):
        sums[symbol].terms.append(leaf("adjoint", symbol.size, index))
    sums[graph.loss].terms.append(leaf("constant", graph.loss.size, 1.0))
    gradients: list[Gradient] = []
    for symbol in reversed(order):
        if symbol.operation in _GIVEN or symbol.operation == "state":
            continue
        adjoint = sums[symbol].total()
        if adjoint is None:
            continue
        if symbol.operation == "parameter":
            tensor, row = symbol.detail
            gradients.append(Gradient(tensor, row, adjoint, None))
        elif symbol.operation == "linear":
            matrix, (vector,) = symbol.detail, symbol.arguments
            gradients.append(Gradient(matrix.tensor, matrix.first_row, adjoint, vector))
            if vector.operation not in _GIVEN:
                sums[vector].products.append((matrix, adjoint))
        else:
            for argument, term in zip(symbol.arguments, _rule(symbol, adjoint), strict=True):
                if argument.operation not in _GIVEN:
                    sums[argument].terms.append(term)
    before = tuple(sums[state].total() or leaf("constant", state.size, 0.0) for state in graph.states)
    return Adjoint(before, tuple(gradients))


def _rule(symbol: Symbol, adjoint: Symbol) -> tuple[Symbol, ...]:
    """What an elementwise operation sends back to each of its arguments."""
    match symbol.operation:
        case "add":
            return adjoint, adjoint
        case "subtract":
            return adjoint, -adjoint
        case "multiply":
            left, right = symbol.arguments
            return _times(adjoint, right), _times(adjoint, left)
        case "sigmoid":
            return (_times(adjoint, symbol * (1 - symbol)),)
        case "tanh":
            return (_times(adjoint, 1 - symbol * symbol),)
        case "relu":
            return (Symbol("where_positive", (symbol, adjoint), symbol.size),)
        case "where_counted":
            return (Symbol("where_counted", (adjoint,), symbol.size),)
    raise NotImplementedError(f"no derivative is known for {symbol.operation}")


def _times(adjoint: Symbol, factor: Symbol) -> Symbol:
    return factor if adjoint.operation == "constant" and adjoint.detail == 1.0 else adjoint * factor


class _Sum:
    """The terms of an adjoint; products with transposed matrices are kept together."""

    def __init__(self) -> None:
        self.terms: list[Symbol] = []
        self.products: list[tuple[Matrix, Symbol]] = []

    def total(self) -> Symbol | None:
        parts = list(self.terms)
        if self.products:
            matrices, vectors = zip(*self.products, strict=True)
            parts.append(Symbol("transposed", vectors, matrices[0].columns, matrices))
        total = None
        for part in parts:
            total = part if total is None else total + part
        return total
