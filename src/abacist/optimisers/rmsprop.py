"""RMSprop (Hinton 2012) with momentum μ, `torch.optim.RMSprop`:

v′ = α v + (1 − α) g²
m′ = μ m + g / (√v′ + ε)
w′ = w − rate · m′
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import sqrt
from abacist.optimisers.definition import Optimiser


def _numbers(s: Any) -> dict[str, Any]:
    return {
        "step": -s.rate,
        "kept": s.momentum,
        "a": s.smoothing,
        "r": 1.0 - s.smoothing,
        "e": s.epsilon,
    }


def _step(n: Any, w: Any, g: Any, m: Any, v: Any) -> Any:
    v = n.a * v + n.r * g * g
    m = n.kept * m + g / (sqrt(v) + n.e)
    return n.step * m + w, m, v


RMSPROP = Optimiser(
    "rmsprop",
    "RMSprop, as PyTorch computes it.",
    ("rate", "momentum", "smoothing", "epsilon"),
    _numbers,
    _step,
)
