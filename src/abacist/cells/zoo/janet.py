"""JANET, the LSTM with nothing but a forget gate (van der Westhuizen and Lasenby 2018), β = 1:

s = W_if x + b_if + W_hf h + b_hf
g = tanh(W_ig x + b_ig + W_hg h + b_hg)
h′ = σ(s) ⊙ h + (1 − σ(s − β)) ⊙ g
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import sigmoid, tanh
from abacist.cells.definition import cell


@cell(gates="f g")
def janet(w: Any, x: Any, h: Any) -> Any:
    s = w.f(x, h)
    g = tanh(w.g(x, h))
    return sigmoid(s) * h + (1 - sigmoid(s - 1)) * g
