"""Stochastic gradient descent with momentum μ, `torch.optim.SGD`:

m′ = μ m + g
w′ = w − rate · m′
"""

from __future__ import annotations

from typing import Any

from abacist.optimisers.definition import Optimiser


def _numbers(s: Any) -> dict[str, Any]:
    return {"step": -s.rate, "kept": s.momentum}


def _step(n: Any, w: Any, g: Any, m: Any) -> Any:
    m = n.kept * m + g
    return n.step * m + w, m


SGD = Optimiser(
    "sgd", "Gradient descent with momentum, as PyTorch computes it.", ("rate", "momentum"), _numbers, _step
)
