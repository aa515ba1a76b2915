"""Networks of all scales, and boxes of all kinds with states in them, for the laws of boxes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells import Layout
from abacist.specs import Networks

Array = NDArray[Any]


def scaled_networks(layout: Layout, count: int, precision: str, rng: np.random.Generator) -> Networks:
    """Weights from a tenth of the usual to a hundred times as large, some of them zero."""
    scales = 10.0 ** rng.uniform(-1, 2, (count, 1))
    drawn = rng.uniform(-1, 1, (count, layout.size)) * scales * layout.initial_bound
    drawn[rng.random(drawn.shape) < 0.05] = 0.0
    return Networks(layout, drawn.astype(precision))


def boxes_of_all_kinds(
    shape: tuple[int, ...], precision: str, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Lower and upper bounds, (..., number): points, thin, wide and huge boxes, with zero and without."""
    centre = rng.normal(size=shape) * 10.0 ** rng.integers(-4, 2, shape[:-1])[..., None]
    huge = rng.random(shape[:-1]) < 0.1
    centre[huge] *= 10.0 ** rng.uniform(6, 12, huge.sum())[:, None]
    widths = np.array([0, 0, 1e-7, 1e-4, 0.1, 1.0, 1e3])[rng.integers(0, 7, shape[:-1])][..., None]
    radius = widths * rng.random(shape) * np.where(rng.random(shape) < 0.5, 1.0, np.abs(centre))
    radius[rng.random(shape) < 0.1] = 0.0
    lower, upper = (centre - radius).astype(precision), (centre + radius).astype(precision)
    to_zero = rng.random(shape) < 0.1
    lower[to_zero] = np.minimum(lower, 0)[to_zero]
    upper[to_zero] = np.maximum(upper, 0)[to_zero]
    return np.minimum(lower, upper), np.maximum(lower, upper)


def states_within(lower: Array, upper: Array, count: int, rng: np.random.Generator) -> Array:
    """States of each box, (count, ..., number): corners and others."""
    low, high = lower.astype(np.float64), upper.astype(np.float64)
    share = np.clip(rng.uniform(-0.5, 1.5, (count, *lower.shape)), 0, 1)
    inside = low + share * (high - low)
    return np.asarray(np.clip(np.where(share == 1, high, inside).astype(lower.dtype), lower, upper))


#: Beyond this, a box says nothing.
LARGEST = 1e12


def missed(values: Array, lower: Array, upper: Array) -> Array:
    """Where a value is outside, or is none although its bounds say that it is one."""
    sure = (lower > -LARGEST) & (upper < LARGEST)
    return np.asarray((values < lower) | (values > upper) | (~np.isfinite(values) & sure))
