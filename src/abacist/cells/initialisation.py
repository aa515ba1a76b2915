"""Initialisations: other initial weights than those that PyTorch, or the cell, begins with.

Which matrices are recurrent, and which gates forget, is read off a cell's formula: a recurrent matrix
multiplies a state, and a forget gate is a σ that multiplies one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import Matrix, Symbol, in_order
from abacist.cells.content import read_formula
from abacist.cells.definition import Cell
from abacist.cells.layout import Layout
from abacist.cells.sharpening import Rows
from abacist.errors import BadField, BadInput
from abacist.fields import Field, Range, expect, normalise_fields

Array = NDArray[Any]

_RULE = "must be usual, orthogonal, forget:BIAS or orthogonal+forget:BIAS, with a BIAS from −100 to 100"

#: How close to 0 and 1 a probability may come of which a normal number is made.
_LEAST = 2.0**-54


@dataclass(frozen=True)
class Initialisation:
    """What is changed in the initial weights.

    `orthogonal`: each gate's recurrent matrix, of every layer, is orthogonal, as `torch.nn.init.orthogonal_`
    draws it. `forget` is added to the biases of gates that multiply a state.

    >>> str(Initialisation.parse("orthogonal+forget:1"))
    'orthogonal+forget:1'
    """

    orthogonal: bool = False
    forget: Annotated[float, Field("", Range(-100, 100))] = 0.0

    def __post_init__(self) -> None:
        normalise_fields(self)

    @classmethod
    def parse(cls, text: str) -> Initialisation:
        """Read `usual`, `orthogonal`, `forget:1` or `orthogonal+forget:1`."""
        expect("init", text, str)
        first, *more = text.split("+")
        forgets = more if first == "orthogonal" else [first, *more]
        try:
            if text in ("usual", "orthogonal"):
                return cls(text == "orthogonal")
            (name, bias) = forgets[0].split(":")
            if name != "forget" or len(forgets) > 1:
                raise ValueError
            return cls(first == "orthogonal", float(bias))
        except (BadInput, ValueError):
            raise BadField("", "init", _RULE, repr(text)) from None

    def __str__(self) -> str:
        bias = f"forget:{repr(self.forget).removesuffix('.0')}"
        return "+".join(["orthogonal"] * self.orthogonal + [bias] * (self.forget != 0)) or "usual"

    def fault(self, cell: Cell) -> str | None:
        """Why a cell cannot begin so, if it cannot; of one without a formula nobody can say."""
        if self == Initialisation() or cell.absence is not None:
            return None
        matrices, biases = _read(cell, 2, 2)
        if self.orthogonal and not matrices:
            return f"asks for a recurrent matrix, and {cell.name} has none: none multiplies a state"
        if self.forget and not biases:
            return f"asks for a forget gate, and {cell.name} has none: no σ multiplies a state"
        return None

    def parameters(self, layout: Layout, drawn: Array) -> Array:
        """The parameters that a network begins with, (parameter,), made of those that were drawn for it."""
        result = layout.initial_parameters(drawn).copy()
        matrices, biases = _read(layout.cell, layout.inputs, layout.hidden)
        for matrix in matrices if self.orthogonal else ():
            first = layout.starts[matrix.tensor] + matrix.first_row * matrix.columns
            rows = slice(first, first + matrix.rows * matrix.columns)
            uniform = drawn[rows].reshape(matrix.rows, matrix.columns) / layout.initial_bound
            result[rows] = orthonormal(_normal(uniform)).ravel()
        for tensor, first, size in biases:
            start = layout.starts[tensor] + first
            result[start : start + size] += self.forget
        return result


@lru_cache(maxsize=256)
def _read(cell: Cell, inputs: int, hidden: int) -> tuple[tuple[Matrix, ...], tuple[Rows, ...]]:
    """The recurrent matrices of a cell, and one bias of each of its forget gates."""
    matrices, biases = dict[Matrix, None](), dict[Rows, None]()
    for symbol in in_order(read_formula(cell, inputs, hidden)[1]):
        if symbol.operation == "linear" and _has_state(symbol.arguments[0]):
            matrices[symbol.detail] = None
        if symbol.operation == "multiply":
            for gate, other in (symbol.arguments, symbol.arguments[::-1]):
                if gate.operation == "sigmoid" and _has_state(other):
                    terms = (term for term in _terms(gate.arguments[0]) if term.operation == "parameter")
                    biases |= {(*term.detail, term.size): None for term in list(terms)[:1]}
    return tuple(matrices), tuple(biases)


def _terms(symbol: Symbol) -> Iterator[Symbol]:
    """What a sum is the sum of; anything else is its own."""
    if symbol.operation != "add":
        yield symbol
    for argument in symbol.arguments if symbol.operation == "add" else ():
        yield from _terms(argument)


def _has_state(symbol: Symbol) -> bool:
    """Whether a vector is a state before the step, or a sum with one."""
    return any(term.operation == "state" for term in _terms(symbol))


def _normal(uniform: Array) -> Array:
    """Normal numbers of uniform ones between −1 and 1."""
    inverse = NormalDist().inv_cdf
    shares = np.clip((uniform.ravel() + 1) / 2, _LEAST, 1 - 2 * _LEAST)
    return np.array([inverse(share) for share in shares.tolist()]).reshape(uniform.shape)


def orthonormal(matrix: Array) -> Array:
    """The rows of a matrix made orthonormal, one after the other; of a tall one its columns.

    As the orthogonal factor of a QR decomposition whose triangular one has a positive diagonal. It is done
    here, without BLAS, so that every machine has the same bits; twice, since once leaves rounding errors.
    """
    if matrix.shape[0] > matrix.shape[1]:
        return orthonormal(matrix.T).T
    result = matrix.copy()
    for _ in range(2):
        for place, vector in enumerate(result):
            vector /= np.sqrt((vector * vector).sum())
            rest = result[place + 1 :]
            rest -= (rest * vector).sum(axis=1, keepdims=True) * vector
    return result
