"""What a statistic is, in NumPy's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

FUNCTIONS: dict[str, Callable[..., Any]] = {"min": np.min, "max": np.max, "median": np.median}
