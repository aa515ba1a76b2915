"""The quasi-recurrent network with fo-pooling (Bradbury et al. 2017), its filter two symbols wide:

z = tanh(W¹_z x₋₁ + W²_z x + b_z), x₋₁ being the symbol before, zero before the first
f = σ(W¹_f x₋₁ + W²_f x + b_f)
o = σ(W¹_o x₋₁ + W²_o x + b_o)
c′ = f ⊙ c + (1 − f) ⊙ z
h′ = o ⊙ c′

What the filter makes of a symbol is handed to the next step as three states.
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import linear, sigmoid, tanh
from abacist.cells.definition import cell
from abacist.cells.named_tensors import tensors


@cell(
    parameters=tensors(
        **{f"W1_{gate}": "hidden inputs" for gate in "zfo"},
        **{f"W2_{gate}": "hidden inputs" for gate in "zfo"},
        **{f"b_{gate}": "hidden" for gate in "zfo"},
    )
)
def qrnn(w: Any, x: Any, h: Any, c: Any, z_next: Any, f_next: Any, o_next: Any) -> Any:
    z = tanh(linear(w.W2_z, x) + w.b_z + z_next)
    f = sigmoid(linear(w.W2_f, x) + w.b_f + f_next)
    o = sigmoid(linear(w.W2_o, x) + w.b_o + o_next)
    c = f * c + (1 - f) * z
    return o * c, c, linear(w.W1_z, x), linear(w.W1_f, x), linear(w.W1_o, x)
