"""The Elman network with ReLU, `torch.nn.RNN(nonlinearity="relu")`:

h′ = max(0, W_i x + b_i + W_h h + b_h)

Its state has no bound, so it can count without end, and its weights can blow up.
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import relu
from abacist.cells.definition import cell


@cell(gates="h")
def rnn_relu(w: Any, x: Any, h: Any) -> Any:
    return relu(w.h(x, h))
