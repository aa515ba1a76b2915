"""The output layer and the loss, as formulas like the cells.

y = σ(W_y h + b_y), and the squared error of every output, weighted.
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import linear, sigmoid


def readout(weight: Any, bias: Any, h: Any) -> Any:
    """The score of every output; an output is predicted where its score exceeds 1/2."""
    return sigmoid(linear(weight, h) + bias)


def squared_error(error: Any, scale: Any) -> Any:
    """The part of the loss that one step's errors make."""
    return scale * (error * error)
