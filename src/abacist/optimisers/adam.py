"""Adam (Kingma and Ba 2015), `torch.optim.Adam`:

m′ = β₁ m + (1 − β₁) g
v′ = β₂ v + (1 − β₂) g²
w′ = w − rate / (1 − β₁ⁿ) · m′ / (√v′ / √(1 − β₂ⁿ) + ε), at update n
"""

from __future__ import annotations

from typing import Any

import numpy as np

from abacist.algebra import sqrt
from abacist.optimisers.definition import Optimiser, power


def _numbers(s: Any) -> dict[str, Any]:
    return {
        "step": -s.rate / (1.0 - power(s.beta1, s.updates)),
        "correction": 1.0 / np.sqrt(1.0 - power(s.beta2, s.updates)),
        "b1": s.beta1,
        "b2": s.beta2,
        "r1": 1.0 - s.beta1,
        "r2": 1.0 - s.beta2,
        "e": s.epsilon,
    }


def _step(n: Any, w: Any, g: Any, m: Any, v: Any) -> Any:
    m = n.b1 * m + n.r1 * g
    v = n.b2 * v + n.r2 * g * g
    return w + n.step * m / (sqrt(v) * n.correction + n.e), m, v


ADAM = Optimiser(
    "adam", "Adam, as PyTorch computes it.", ("rate", "beta1", "beta2", "epsilon"), _numbers, _step
)
