"""The decision of the output layer and the loss, as formulas like the cells.

Usually every output is decided by itself: y = σ(s) with s = W_y h + b_y, and an output is predicted where y
exceeds 1/2, that is where s is positive. With a threshold θ, outputs are what may come next, one of which
does: y = softmax(s), and an output is predicted where y exceeds θ, that is where log y − log θ is positive.
So there is always a vector whose signs decide: the sums. The loss is the squared error of every output, or
another objective, weighted.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import softplus

OUTPUT_WEIGHT, OUTPUT_BIAS = "output.weight", "output.bias"

#: The objective of language modelling: which one of its outputs comes next, in place of all that may.
NEXT_SYMBOL = "next-symbol"


def predicted(values: NDArray[Any], threshold: float | None = None) -> NDArray[np.bool_]:
    """Which outputs are predicted, given their scores."""
    return np.asarray(values > (0.5 if threshold is None else threshold))


def _surprise(sums: Any, y: Any, target: Any, threshold: float | None) -> Any:
    """−log y of the output that comes next."""
    assert threshold is not None
    return target * (-log(threshold) - sums)


#: What training makes small: the error of every output, given sums, scores, targets and the threshold, and
#: the loss, given errors and scale. Cross-entropy, −t log y − (1 − t) log(1 − y), is made of the sums, so
#: that no logarithm has nothing to work on. The loss of the next symbol is a sum over outputs, not a mean.
OBJECTIVES: dict[str, tuple[Callable[..., Any], Callable[[Any, Any], Any]]] = {
    "squared": (
        lambda sums, y, target, threshold: y - target,
        lambda error, scale: scale * (error * error),
    ),
    "cross-entropy": (
        lambda sums, y, target, threshold: softplus(sums) - target * sums,
        lambda error, scale: scale * error,
    ),
    NEXT_SYMBOL: (_surprise, lambda error, scale: scale * (float(error.shape[-1]) * error)),
}
