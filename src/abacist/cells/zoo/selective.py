"""A selective state-space step as in Mamba (Gu and Dao 2023), with one number of state for each unit:

u = W_u x
Δ = softplus(W_Δ x + b_Δ)
s′ = exp(−Δ ⊙ exp(A)) ⊙ s + Δ ⊙ (W_B x) ⊙ u
h′ = (W_C x) ⊙ s′ + D ⊙ u
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import exp, linear, softplus
from abacist.cells.definition import cell
from abacist.cells.named_tensors import tensors


@cell(
    parameters=tensors(
        W_u="hidden inputs",
        W_delta="hidden inputs",
        b_delta="hidden",
        A="hidden",
        W_B="hidden inputs",
        W_C="hidden inputs",
        D="hidden",
    )
)
def selective(w: Any, x: Any, h: Any, s: Any) -> Any:
    u = linear(w.W_u, x)
    delta = softplus(linear(w.W_delta, x) + w.b_delta)
    s = exp(0 - delta * exp(w.A)) * s + delta * linear(w.W_B, x) * u
    return linear(w.W_C, x) * s + w.D * u, s
