"""The parameters of a cell: tensors with shapes, how a formula gets to them, and how their weights begin.

`Gates` are those of PyTorch's recurrent layers: each gate is an affine map of the input and the hidden state,
and the rows of all gates, one after the other, make four tensors under PyTorch's names. `Tensors` have names
of a cell's own, for formulas in the notation of a paper.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from types import SimpleNamespace
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import linear
from abacist.algebra.instead import NoFormula
from abacist.errors import BadInput
from abacist.fields import check_fields

Array = NDArray[Any]

#: The shape of every tensor by name, in order.
Shapes = dict[str, tuple[int, ...]]

#: Some rows of a tensor in some reading: part(name, first row, number of rows).
Part = Callable[[str, int, int], Any]


@runtime_checkable
class Parameters(Protocol):
    """A kind of parameters: gates are one."""

    def shapes(self, inputs: int, hidden: int) -> Shapes:
        """The tensors that a network of some size has."""

    def bind(self, part: Part, hidden: int) -> Any:
        """What a formula calls `w`, made of parts of the tensors."""


WEIGHT_IH, WEIGHT_HH = "rnn.weight_ih_l0", "rnn.weight_hh_l0"
BIAS_IH, BIAS_HH = "rnn.bias_ih_l0", "rnn.bias_hh_l0"


@dataclass(frozen=True)
class AffineMap:
    """W x + b, in any reading: `torch.nn.Linear`."""

    weight: Any
    bias: Any

    def __call__(self, x: Any) -> Any:
        return linear(self.weight, x) + self.bias


@dataclass(frozen=True, repr=False)
class Gate:
    """The maps of one gate: W_i x + b_i and W_h h + b_h."""

    input: AffineMap
    recurrent: AffineMap

    def __repr__(self) -> str:
        return "a gate that is not called with x and h"

    def __call__(self, *values: Any) -> Any:
        """W_i x + b_i + W_h h + b_h, of an input x and a hidden state h."""
        if len(values) != 2:
            raise NoFormula(
                "a formula must call a gate with x and h, as w.n(x, h); w.n.input(x) is its part of x alone, "
                "w.n.recurrent(h) that of h"
            )
        return self.input(values[0]) + self.recurrent(values[1])


@dataclass(frozen=True)
class Gates:
    """The names of a cell's gates, in the order of their rows; a formula asks `w.f(x, h)`."""

    names: tuple[str, ...]

    def __post_init__(self) -> None:
        check_fields(self)
        _check_names("Gates", self.names)
        for name in self.names:
            if not name.isidentifier():
                raise BadInput(f'Gates: a gate has a name of Python, got {name!r}; several are gates="f n"')

    def shapes(self, inputs: int, hidden: int) -> Shapes:
        rows = len(self.names) * hidden
        return {WEIGHT_IH: (rows, inputs), WEIGHT_HH: (rows, hidden), BIAS_IH: (rows,), BIAS_HH: (rows,)}

    def bind(self, part: Part, hidden: int) -> SimpleNamespace:
        """The gates, made of their rows of the tensors."""
        gates = {}
        for index, name in enumerate(self.names):
            rows = (index * hidden, hidden)
            w_i, w_h, b_i, b_h = (part(tensor, *rows) for tensor in (WEIGHT_IH, WEIGHT_HH, BIAS_IH, BIAS_HH))
            gates[name] = Gate(AffineMap(w_i, b_i), AffineMap(w_h, b_h))
        return SimpleNamespace(**gates)


def _check_names(owner: str, names: Sequence[str]) -> None:
    if not names or len(set(names)) < len(names):
        raise BadInput(f"{owner}: names must be given and differ, got {' '.join(names) or 'none'}")


#: What stands before a tensor's name in the parameters of a network.
PREFIX = "rnn."

#: Rows, and of a matrix columns; a vector has only rows.
_SHAPE = re.compile(r"(hidden|[1-9]\d*)( (hidden|inputs|[1-9]\d*))?")


@dataclass(frozen=True)
class Tensors:
    """The name of each tensor and its shape in words: `hidden inputs`, `hidden hidden`, `hidden`.

    A formula has them by their names: `linear(w.W_z, x) + w.b_z`.
    """

    declared: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        check_fields(self)
        _check_names("Tensors", [name for name, _ in self.declared])
        for name, shape in self.declared:
            if not _SHAPE.fullmatch(shape):
                raise BadInput(
                    f"Tensors: the shape of {name} must be rows, hidden or a number, and perhaps columns, "
                    f"got {shape!r}"
                )

    def shapes(self, inputs: int, hidden: int) -> Shapes:
        return {
            PREFIX + name: in_numbers(shape, inputs=inputs, hidden=hidden) for name, shape in self.declared
        }

    def bind(self, part: Part, hidden: int) -> SimpleNamespace:
        """The tensors, whole."""
        rows = {name: in_numbers(shape.split()[0], hidden=hidden)[0] for name, shape in self.declared}
        return SimpleNamespace(**{name: part(PREFIX + name, 0, count) for name, count in rows.items()})


def in_numbers(shape: str, **sizes: int) -> tuple[int, ...]:
    """A shape that is said in words: `hidden inputs`, `4 hidden`."""
    return tuple(sizes[word] if word in sizes else int(word) for word in shape.split())


def tensors(**shapes: str) -> Tensors:
    """Parameters with names of their own: `tensors(W_z="hidden inputs", b_z="hidden")`."""
    return Tensors(tuple(shapes.items()))


def affine_maps(**rows: str | int) -> Tensors:
    """Tensors of affine maps of the input: W_z x + b_z of so many rows is `affine_maps(z="hidden")`."""
    shapes = {name: {f"W_{name}": f"{count} inputs", f"b_{name}": f"{count}"} for name, count in rows.items()}
    return tensors(**{tensor: shape for of_map in shapes.values() for tensor, shape in of_map.items()})


#: Of a cell's tensors as they were drawn, by name, those that shall begin otherwise.
Initial = Callable[[dict[str, Array]], dict[str, Array]]


def initial_weights(initial: Initial, drawn: dict[str, Array]) -> dict[str, Array]:
    """The tensors with which a network begins, made of those that were drawn for its cell."""
    changed = initial({name: array.copy() for name, array in drawn.items()})
    for name, array in changed.items():
        if name not in drawn or np.shape(array) != drawn[name].shape:
            wanted = f"the shape {drawn[name].shape}" if name in drawn else f"one of {', '.join(drawn)}"
            raise BadInput(f"initial: {name} must be {wanted}, got {np.shape(array)}")
    return drawn | changed


def described(initial: Initial, shapes: Shapes) -> str:
    """What an initialisation does, as text: the weights that it makes of the same drawn ones."""
    sizes = {name: prod(shape) for name, shape in shapes.items()}
    drawn = {name: np.linspace(-0.5, 0.5, sizes[name]).reshape(shape) for name, shape in shapes.items()}
    begun = initial_weights(initial, drawn)
    return repr({name: [f"{value:.9g}" for value in array.ravel()] for name, array in begun.items()})
