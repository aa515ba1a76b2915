"""The long short-term memory of Hochreiter and Schmidhuber (1997): no forget gate, so nothing leaks.

i = σ(W_ii x + b_ii + W_hi h + b_hi)
o = σ(W_io x + b_io + W_ho h + b_ho)
z = 4 σ(W_iz x + b_iz + W_hz h + b_hz) − 2
c′ = c + i ⊙ z
h′ = o ⊙ (2 σ(c′) − 1)
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import sigmoid
from abacist.cells.definition import cell


@cell(gates="i o z")
def lstm_1997(w: Any, x: Any, h: Any, c: Any) -> Any:
    i = sigmoid(w.i(x, h))
    o = sigmoid(w.o(x, h))
    z = 4 * sigmoid(w.z(x, h)) - 2
    c = c + i * z
    return o * (2 * sigmoid(c) - 1), c
