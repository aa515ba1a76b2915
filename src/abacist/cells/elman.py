"""The Elman network, `torch.nn.RNN`:

h′ = tanh(W_i x + b_i + W_h h + b_h)
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import tanh
from abacist.cells.definition import cell


@cell(gates="h")
def rnn(w: Any, x: Any, h: Any) -> Any:
    return tanh(w.h(x, h))
