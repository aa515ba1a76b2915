"""sLSTM (Beck et al. 2024): an exponential input gate, a normaliser, and a stabiliser of both.

i = W_ii x + b_ii + W_hi h + b_hi
f = log σ(W_if x + b_if + W_hf h + b_hf)
z = tanh(W_iz x + b_iz + W_hz h + b_hz)
o = σ(W_io x + b_io + W_ho h + b_ho)
m′ = max(f + m, i)
c′ = exp(f + m − m′) ⊙ c + exp(i − m′) ⊙ z
n′ = exp(f + m − m′) ⊙ n + exp(i − m′)
h′ = o ⊙ c′ / n′
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import exp, maximum, sigmoid, softplus, tanh
from abacist.cells.definition import cell


@cell(gates="i f z o")
def slstm(w: Any, x: Any, h: Any, c: Any, n: Any, m: Any) -> Any:
    i = w.i(x, h)
    kept = m - softplus(0 - w.f(x, h))
    z = tanh(w.z(x, h))
    o = sigmoid(w.o(x, h))
    m = maximum(kept, i)
    old, new = exp(kept - m), exp(i - m)
    c = old * c + new * z
    n = old * n + new
    return o * c / n, c, n, m
