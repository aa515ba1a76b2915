"""What it means that a box misses a value."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

#: Beyond this, a box says nothing.
LARGEST = 1e12


def missed(values: Array, lower: Array, upper: Array) -> Array:
    """Where a value is outside, or is none although its bounds say that it is one."""
    sure = (lower > -LARGEST) & (upper < LARGEST)
    return np.asarray((values < lower) | (values > upper) | (~np.isfinite(values) & sure))
