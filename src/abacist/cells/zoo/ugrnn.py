"""The update gate RNN (Collins, Sohl-Dickstein and Sussillo 2017), its gate open at first: the bias b of the
forgetting gate is 1.

c = tanh(W_ic x + b_ic + W_hc h + b_hc)
g = σ(W_ig x + b_ig + W_hg h + b_hg + b)
h′ = g ⊙ h + (1 − g) ⊙ c
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import sigmoid, tanh
from abacist.cells.definition import cell


@cell(gates="c g")
def ugrnn(w: Any, x: Any, h: Any) -> Any:
    c = tanh(w.c(x, h))
    g = sigmoid(w.g(x, h) + 1)
    return g * h + (1 - g) * c
