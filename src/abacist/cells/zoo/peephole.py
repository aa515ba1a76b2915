"""The LSTM whose gates see its memory (Gers and Schmidhuber 2000), as Graves (2013) writes it:

i = σ(W_xi x + W_hi h + w_ci ⊙ c + b_i)
f = σ(W_xf x + W_hf h + w_cf ⊙ c + b_f)
c′ = f ⊙ c + i ⊙ tanh(W_xc x + W_hc h + b_c)
o = σ(W_xo x + W_ho h + w_co ⊙ c′ + b_o)
h′ = o ⊙ tanh(c′)
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import linear, sigmoid, tanh
from abacist.cells.definition import cell
from abacist.cells.named_tensors import tensors


@cell(
    parameters=tensors(
        **{f"W_x{gate}": "hidden inputs" for gate in "ifco"},
        **{f"W_h{gate}": "hidden hidden" for gate in "ifco"},
        **{f"w_c{gate}": "hidden" for gate in "ifo"},
        **{f"b_{gate}": "hidden" for gate in "ifco"},
    )
)
def peephole(w: Any, x: Any, h: Any, c: Any) -> Any:
    i = sigmoid(linear(w.W_xi, x) + linear(w.W_hi, h) + w.b_i + w.w_ci * c)
    f = sigmoid(linear(w.W_xf, x) + linear(w.W_hf, h) + w.b_f + w.w_cf * c)
    g = tanh(linear(w.W_xc, x) + linear(w.W_hc, h) + w.b_c)
    c = f * c + i * g
    o = sigmoid(linear(w.W_xo, x) + linear(w.W_ho, h) + w.b_o + w.w_co * c)
    return o * tanh(c), c
