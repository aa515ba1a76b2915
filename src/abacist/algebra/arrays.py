"""What operations mean for NumPy arrays, where that takes more than a line; the last axis is the units."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def sigmoid(x: Array) -> Array:
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-x)))


def sigmoid_bound(x: Array) -> Array:
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp2(x)))


def exp(x: Array) -> Array:
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(x))


def log(x: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.log(x))


def sqrt(x: Array) -> Array:
    with np.errstate(invalid="ignore"):
        return np.asarray(np.sqrt(x))


def divide(a: Array, b: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.divide(a, b))


def part(x: Array, size: int, first: int) -> Array:
    """Units from `first` on, (…, size), with zeros where x has none."""
    found = np.zeros((*x.shape[:-1], size), x.dtype)
    begin, end = max(first, 0), min(first + size, x.shape[-1])
    if begin < end:
        found[..., begin - first : end - first] = x[..., begin:end]
    return found


def repeat(x: Array, size: int, inner: int) -> Array:
    """Each unit `inner` times, and all of that again and again, (…, size)."""
    return np.asarray(x[..., np.arange(size) // inner % x.shape[-1]])


def segment_sum(x: Array, size: int, inner: int) -> Array:
    """The sums of what `repeat` would have made of the same unit, (…, size)."""
    return np.asarray(x.reshape(*x.shape[:-1], -1, size, inner).sum((-3, -1)))
