"""The output layer, its decision and the loss, as formulas like the cells.

y = σ(W_y h + b_y); an output is predicted where y exceeds 1/2, that is where W_y h + b_y is positive;
the loss is the squared error of every output, weighted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import linear, sigmoid
from abacist.cells.parameters import Part, Shapes

OUTPUT_WEIGHT, OUTPUT_BIAS = "output.weight", "output.bias"


def readout_shapes(hidden: int, outputs: int) -> Shapes:
    """The tensors of the output layer."""
    return {OUTPUT_WEIGHT: (outputs, hidden), OUTPUT_BIAS: (outputs,)}


def readout_sums(part: Part, outputs: int, h: Any) -> Any:
    """W_y h + b_y: an output is predicted where its sum is positive."""
    return linear(part(OUTPUT_WEIGHT, 0, outputs), h) + part(OUTPUT_BIAS, 0, outputs)


def scores(sums: Any) -> Any:
    """The score of every output."""
    return sigmoid(sums)


def predicted(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Which outputs are predicted, given their scores."""
    return np.asarray(values > 0.5)


def squared_error(error: Any, scale: Any) -> Any:
    """The part of the loss that one step's errors make."""
    return scale * (error * error)
