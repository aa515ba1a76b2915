"""minLSTM (Feng et al. 2024): gates and candidate see the input alone, and the gates share what there is.

f = σ(W_f x + b_f)
i = σ(W_i x + b_i)
n = W_h x + b_h
h′ = f / (f + i) ⊙ h + i / (f + i) ⊙ n
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import linear, sigmoid
from abacist.cells.definition import cell
from abacist.cells.named_tensors import tensors


@cell(
    parameters=tensors(
        W_f="hidden inputs",
        b_f="hidden",
        W_i="hidden inputs",
        b_i="hidden",
        W_h="hidden inputs",
        b_h="hidden",
    )
)
def minlstm(w: Any, x: Any, h: Any) -> Any:
    f = sigmoid(linear(w.W_f, x) + w.b_f)
    i = sigmoid(linear(w.W_i, x) + w.b_i)
    n = linear(w.W_h, x) + w.b_h
    return (f * h + i * n) / (f + i)
