"""A diagonal linear recurrence whose eigenvalues depend on the input and lie between 0 and 1:

a = σ(W_a x + b_a)
h′ = a ⊙ h + W_b x + b_b
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import linear, sigmoid
from abacist.cells.definition import cell
from abacist.cells.named_tensors import tensors


@cell(parameters=tensors(W_a="hidden inputs", b_a="hidden", W_b="hidden inputs", b_b="hidden"))
def diagonal(w: Any, x: Any, h: Any) -> Any:
    a = sigmoid(linear(w.W_a, x) + w.b_a)
    return a * h + linear(w.W_b, x) + w.b_b
