"""The polynomial for powers of two is as exact as the targets say."""

from __future__ import annotations

import numpy as np
import pytest

from abacist.targets.functions import POWER_COEFFICIENTS


@pytest.mark.parametrize(("precision", "limit"), [("float32", 2.5e-7), ("float64", 5e-16)])
def test_the_polynomial_is_as_exact_as_is_said(precision: str, limit: float) -> None:
    rests = np.linspace(-0.5, 0.5, 10_001)
    powers = np.polynomial.polynomial.polyval(rests, np.array(POWER_COEFFICIENTS[precision]))
    assert np.abs(powers / 2.0**rests - 1).max() < limit
