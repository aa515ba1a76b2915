"""The output layer, its decision and the loss, as formulas like the cells.

y = σ(W_y h + b_y); an output is predicted where y exceeds 1/2, that is where W_y h + b_y is positive;
the loss is the squared error of every output, or another objective, weighted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import linear, sigmoid, softplus
from abacist.algebra.operations import where_positive
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


def _squared(sums: Any, y: Any, target: Any, counted: Any, scale: Any) -> tuple[Any, Any]:
    error = where_positive(counted, y - target)
    return error, squared_error(error, scale)


def _cross_entropy(sums: Any, y: Any, target: Any, counted: Any, scale: Any) -> tuple[Any, Any]:
    """−t log y − (1 − t) log(1 − y), from the sums, so that no logarithm has nothing to work on."""
    error = where_positive(counted, softplus(sums) - target * sums)
    return error, scale * error


#: What training makes small: the error of every output, zero where a step does not count, and the loss.
OBJECTIVES: dict[str, Callable[[Any, Any, Any, Any, Any], tuple[Any, Any]]] = {
    "squared": _squared,
    "cross-entropy": _cross_entropy,
}
