"""The optimisers, as PyTorch computes them: one update of a weight w by its gradient g each, as a formula.

Adam (Kingma and Ba 2015), at update n:

m′ = β₁ m + (1 − β₁) g
v′ = β₂ v + (1 − β₂) g²
w′ = w − rate / (1 − β₁ⁿ) · m′ / (√v′ / √(1 − β₂ⁿ) + ε)

Stochastic gradient descent with momentum μ:

m′ = μ m + g
w′ = w − rate · m′

RMSprop (Hinton 2012) with momentum μ:

v′ = α v + (1 − α) g²
m′ = μ m + g / (√v′ + ε)
w′ = w − rate · m′
"""

from __future__ import annotations

from typing import Any

import numpy as np

from abacist.algebra import sqrt
from abacist.optimisers.definition import Optimiser, power


def _adam_numbers(s: Any) -> dict[str, Any]:
    return {
        "step": -s.rate / (1.0 - power(s.beta1, s.updates)),
        "correction": 1.0 / np.sqrt(1.0 - power(s.beta2, s.updates)),
        "b1": s.beta1,
        "b2": s.beta2,
        "r1": 1.0 - s.beta1,
        "r2": 1.0 - s.beta2,
        "e": s.epsilon,
    }


def _adam(n: Any, w: Any, g: Any, m: Any, v: Any) -> Any:
    m = n.b1 * m + n.r1 * g
    v = n.b2 * v + n.r2 * g * g
    return w + n.step * m / (sqrt(v) * n.correction + n.e), m, v


def _sgd_numbers(s: Any) -> dict[str, Any]:
    return {"step": -s.rate, "kept": s.momentum}


def _sgd(n: Any, w: Any, g: Any, m: Any) -> Any:
    m = n.kept * m + g
    return n.step * m + w, m


def _rmsprop_numbers(s: Any) -> dict[str, Any]:
    return {
        "step": -s.rate,
        "kept": s.momentum,
        "a": s.smoothing,
        "r": 1.0 - s.smoothing,
        "e": s.epsilon,
    }


def _rmsprop(n: Any, w: Any, g: Any, m: Any, v: Any) -> Any:
    v = n.a * v + n.r * g * g
    m = n.kept * m + g / (sqrt(v) + n.e)
    return n.step * m + w, m, v


#: All optimisers by name. A further one is a further formula, and a further line.
OPTIMISERS: dict[str, Optimiser] = {
    own.name: own
    for own in (
        Optimiser("adam", ("rate", "beta1", "beta2", "epsilon"), _adam_numbers, _adam),
        Optimiser("sgd", ("rate", "momentum"), _sgd_numbers, _sgd),
        Optimiser("rmsprop", ("rate", "momentum", "smoothing", "epsilon"), _rmsprop_numbers, _rmsprop),
    )
}
