"""The reading of arrays: NumPy computes at once. In float64 it is the reference for all others.

The last axis of a value is its units; axes before it, such as runs or words, come along.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra.functions import linear, relu, sigmoid, tanh

Array = NDArray[Any]


@sigmoid.register
def _(value: np.ndarray) -> Array:
    with np.errstate(over="ignore"):
        result: Array = 1 / (1 + np.exp(-value))
    return result


@tanh.register
def _(value: np.ndarray) -> Array:
    result: Array = np.tanh(value)
    return result


@relu.register
def _(value: np.ndarray) -> Array:
    result: Array = np.maximum(value, value.dtype.type(0))
    return result


@linear.register
def _(matrix: np.ndarray, vector: Array) -> Array:
    result: Array = (matrix @ vector[..., None])[..., 0]
    return result
