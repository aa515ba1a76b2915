"""Stochastic gradient descent with momentum μ, `torch.optim.SGD`:

m′ = μ m + g
w′ = w − rate · m′
"""

from __future__ import annotations

from typing import Any

from abacist.optimisers.definition import Optimiser, Rows
from abacist.optimisers.expressions import multiply_add


def _numbers(s: Any) -> Rows:
    return {"step": -s.rate}, {"kept": s.momentum}


def _step(n: Any, w: Any, g: Any, m: Any) -> Any:
    m = multiply_add(n.kept, m, g)
    return multiply_add(n.step, m, w), m


SGD = Optimiser(
    "sgd", "Gradient descent with momentum, as PyTorch computes it.", ("rate", "momentum"), _numbers, _step
)
