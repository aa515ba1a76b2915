"""The adjoint of a step, derived (`differentiate`): how the loss depends on earlier states and on parameters.

Reverse mode, by the derivative in each operation's record. Over time, the adjoint of a step's states
is the sum of what the later steps and its own loss send back; the caller chains the steps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add

from abacist.algebra import OPERATIONS, Matrix, Symbol, in_order, leaf
from abacist.compiler.graph import StepGraph
from abacist.errors import BadInput

#: Leaves that need no derivative.
_GIVEN = ("constant", "input", "target", "scale", "counted")


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
    """The adjoints of the states before a step, and the step's parts in the gradient.

    `adjoined` says whose adjoint, or adjoints, each symbol is that is one.
    """

    before: tuple[Symbol, ...]
    gradients: tuple[Gradient, ...]
    adjoined: Mapping[Symbol, tuple[Symbol, ...]]


@dataclass(frozen=True)
class Band:
    """Adjoints of affine maps whose gradients are neighbouring rows of the same tensors.

    `rows` lie one after the other on the tape; `parts` are the gradients of the first of them.
    """

    rows: tuple[Symbol, ...]
    parts: tuple[Gradient, ...]

    @property
    def size(self) -> int:
        return sum(rows.size for rows in self.rows)

    @property
    def ends(self) -> list[tuple[str, int, Symbol | None]]:
        """Where gradients begin that continue all its tensors."""
        return [(g.tensor, g.first_row + self.size, g.columns) for g in self.parts]


def differentiate(graph: StepGraph) -> Adjoint:
    """Derive the adjoint of a step; `adjoint` leaves stand for those of the states after it."""
    order = in_order((*graph.after, graph.loss))
    forward, terms = set(order), defaultdict[Symbol, list[Symbol]](list)
    products = defaultdict[Symbol, list[tuple[Matrix, Symbol]]](list)

    def total(symbol: Symbol) -> Symbol | None:
        """The adjoint of a symbol; products with transposed matrices are kept together."""
        summands = list(terms[symbol])
        if products[symbol]:
            matrices, vectors = zip(*products[symbol], strict=True)
            summands.append(Symbol("transposed", vectors, matrices[0].columns, matrices))
        return reduce(add, summands) if summands else None

    for index, symbol in enumerate(graph.after):
        terms[symbol].append(leaf("adjoint", symbol.size, index))
    terms[graph.loss].append(leaf("constant", graph.loss.size, 1.0))
    gradients: list[Gradient] = []
    gathered: dict[Symbol, Symbol] = {}
    adjoined: dict[Symbol, tuple[Symbol, ...]] = {}
    for symbol in reversed(order):
        if symbol.operation in _GIVEN or symbol.operation == "state":
            continue
        adjoint = total(symbol)
        if adjoint is None:
            continue
        if adjoint.operation == "adjoint":
            adjoint = adjoint + 0.0  # so that what is only handed on is computed, and can be kept
        if adjoint.operation == "transposed" and symbol.operation in ("parameter", "linear"):
            adjoint = gathered.setdefault(adjoint, adjoint + 0.0)
        if adjoint not in forward:
            adjoined[adjoint] = (*adjoined.get(adjoint, ()), symbol)
        if symbol.operation == "parameter":
            tensor, row = symbol.detail
            gradients.append(Gradient(tensor, row, adjoint, None))
        elif symbol.operation == "linear":
            matrix, (vector,) = symbol.detail, symbol.arguments
            gradients.append(Gradient(matrix.tensor, matrix.first_row, adjoint, vector))
            if vector.operation not in _GIVEN:
                products[vector].append((matrix, adjoint))
        else:
            for argument, term in zip(symbol.arguments, _sent_back(symbol, adjoint), strict=True):
                if argument.operation not in _GIVEN:
                    terms[argument].append(term)
    before = tuple(  # none of a state that the formula does not read
        leaf("constant", state.size, 0.0) if adjoint is None else adjoint
        for state, adjoint in zip(graph.states, map(total, graph.states), strict=True)
    )
    return Adjoint(before, tuple(gradients), adjoined)


def _sent_back(symbol: Symbol, adjoint: Symbol) -> tuple[Symbol, ...]:
    """What an operation sends back to each of its arguments, by its own record."""
    derivative = OPERATIONS[symbol.operation].derivative
    if derivative is None:
        raise BadInput(f"no derivative is known for {symbol.operation!r}")
    terms: tuple[Symbol, ...] = derivative(adjoint, symbol, *symbol.arguments, *(symbol.detail or ()))
    if adjoint.operation != "constant" or adjoint.detail != 1.0:
        return terms
    products = (term.operation == "multiply" and term.arguments[0] is adjoint for term in terms)
    return tuple(term.arguments[1] if one else term for term, one in zip(terms, products, strict=True))


def bands(gradients: Iterable[Gradient]) -> list[Band]:
    """Group gradients into bands, such as the four gates of an LSTM into one."""
    by_rows: dict[Symbol, list[Gradient]] = {}
    for gradient in sorted(gradients, key=lambda g: (g.tensor, g.first_row)):
        by_rows.setdefault(gradient.rows, []).append(gradient)
    grouped: list[Band] = []
    for rows, parts in by_rows.items():
        if grouped and grouped[-1].ends == [(g.tensor, g.first_row, g.columns) for g in parts]:
            grouped[-1] = Band((*grouped[-1].rows, rows), grouped[-1].parts)
        else:
            grouped.append(Band((rows,), tuple(parts)))
    return grouped
