"""IRNN (Le, Jaitly and Hinton 2015): the Elman network with ReLU that begins as the identity.

h′ = max(0, W_i x + b_i + W_h h + b_h), where at first W_h = 1, b_i = b_h = 0 and W_i is small, with a
standard deviation of 0.001: a network that keeps its state.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import relu
from abacist.cells.definition import cell
from abacist.cells.gates import BIAS_HH, BIAS_IH, WEIGHT_HH, WEIGHT_IH

Array = NDArray[Any]


def identity(drawn: dict[str, Array]) -> dict[str, Array]:
    """The identity in place of what was drawn, and small weights of the input."""
    hidden = len(drawn[WEIGHT_HH])
    deviation = 1 / sqrt(3 * hidden)  # of what is drawn, which is uniform
    return {
        WEIGHT_IH: drawn[WEIGHT_IH] * (0.001 / deviation),
        WEIGHT_HH: np.eye(hidden),
        BIAS_IH: np.zeros(hidden),
        BIAS_HH: np.zeros(hidden),
    }


@cell(gates="h", initial=identity)
def irnn(w: Any, x: Any, h: Any) -> Any:
    return relu(w.h(x, h))
