"""The LSTM with coupled input and forget gates (Greff et al. 2017): what comes in replaces what goes.

i = σ(W_ii x + b_ii + W_hi h + b_hi)
z = tanh(W_iz x + b_iz + W_hz h + b_hz)
o = σ(W_io x + b_io + W_ho h + b_ho)
f = 1 − i
c′ = i ⊙ z + f ⊙ c
h′ = o ⊙ tanh(c′)
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import sigmoid, tanh
from abacist.cells.definition import cell


@cell(gates="i z o")
def cifg(w: Any, x: Any, h: Any, c: Any) -> Any:
    i = sigmoid(w.i(x, h))
    z = tanh(w.z(x, h))
    o = sigmoid(w.o(x, h))
    f = 1 - i
    c = i * z + f * c
    return o * tanh(c), c
