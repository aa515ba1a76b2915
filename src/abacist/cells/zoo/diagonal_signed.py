"""The same with eigenvalues between −1 and 1, as Grazzi et al. (2025) let them be: it can also alternate.

a = tanh(W_a x + b_a)
h′ = a ⊙ h + W_b x + b_b
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import linear, tanh
from abacist.cells.definition import cell
from abacist.cells.named_tensors import tensors


@cell(parameters=tensors(W_a="hidden inputs", b_a="hidden", W_b="hidden inputs", b_b="hidden"))
def diagonal_signed(w: Any, x: Any, h: Any) -> Any:
    a = tanh(linear(w.W_a, x) + w.b_a)
    return a * h + linear(w.W_b, x) + w.b_b
