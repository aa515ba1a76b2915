"""The gated recurrent unit, `torch.nn.GRU`: the reset gate acts after the recurrent product.

r = σ(W_ir x + b_ir + W_hr h + b_hr)
z = σ(W_iz x + b_iz + W_hz h + b_hz)
n = tanh(W_in x + b_in + r ⊙ (W_hn h + b_hn))
h′ = (1 − z) ⊙ n + z ⊙ h
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import sigmoid, tanh
from abacist.cells.definition import cell


@cell(gates="r z n")
def gru(w: Any, x: Any, h: Any) -> Any:
    r = sigmoid(w.r(x, h))
    z = sigmoid(w.z(x, h))
    n = tanh(w.n.input(x) + r * w.n.recurrent(h))
    return (1 - z) * n + z * h
