"""minGRU (Feng et al. 2024): a GRU whose gate and candidate see the input alone.

z = σ(W_z x + b_z)
n = W_h x + b_h
h′ = (1 − z) ⊙ h + z ⊙ n
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import linear, sigmoid
from abacist.cells.definition import cell
from abacist.cells.named_tensors import tensors


@cell(parameters=tensors(W_z="hidden inputs", b_z="hidden", W_h="hidden inputs", b_h="hidden"))
def mingru(w: Any, x: Any, h: Any) -> Any:
    z = sigmoid(linear(w.W_z, x) + w.b_z)
    n = linear(w.W_h, x) + w.b_h
    return (1 - z) * h + z * n
