"""The long short-term memory, `torch.nn.LSTM`:

i = σ(W_ii x + b_ii + W_hi h + b_hi)
f = σ(W_if x + b_if + W_hf h + b_hf)
g = tanh(W_ig x + b_ig + W_hg h + b_hg)
o = σ(W_io x + b_io + W_ho h + b_ho)
c′ = f ⊙ c + i ⊙ g
h′ = o ⊙ tanh(c′)
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import sigmoid, tanh
from abacist.cells.definition import cell


@cell(gates="i f g o")
def lstm(w: Any, x: Any, h: Any, c: Any) -> Any:
    i = sigmoid(w.i(x, h))
    f = sigmoid(w.f(x, h))
    g = tanh(w.g(x, h))
    o = sigmoid(w.o(x, h))
    c = f * c + i * g
    return o * tanh(c), c
