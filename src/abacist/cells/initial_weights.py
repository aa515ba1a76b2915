"""How the weights of a network begin, where its cell's paper says so."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells.parameters import Shapes
from abacist.errors import BadInput

Array = NDArray[Any]

#: Of a cell's tensors as they were drawn, by name, those that shall begin otherwise.
Initial = Callable[[dict[str, Array]], dict[str, Array]]


def initial_weights(initial: Initial | None, drawn: dict[str, Array]) -> dict[str, Array]:
    """The tensors with which a network begins, made of those that were drawn for its cell."""
    if initial is None:
        return drawn
    own = initial({name: array.copy() for name, array in drawn.items()})
    for name, array in own.items():
        if name not in drawn or np.shape(array) != drawn[name].shape:
            wanted = f"the shape {drawn[name].shape}" if name in drawn else f"one of {', '.join(drawn)}"
            raise BadInput(f"initial: {name} must be {wanted}, got {np.shape(array)}")
    return drawn | own


def described(initial: Initial, shapes: Shapes) -> str:
    """What an initialisation does, as text: the weights that it makes of the same drawn ones."""
    sizes = {name: prod(shape) for name, shape in shapes.items()}
    drawn = {name: np.linspace(-0.5, 0.5, sizes[name]).reshape(shape) for name, shape in shapes.items()}
    made = initial_weights(initial, drawn)
    return repr({name: [f"{value:.9g}" for value in array.ravel()] for name, array in made.items()})
