"""The paper's cells, as PyTorch has them: the Elman network, with tanh or ReLU, the GRU and the LSTM.

A gate such as `w.i(x, h)` is W_ii x + b_ii + W_hi h + b_hi.
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import relu, sigmoid, tanh
from abacist.cells.definition import cell


@cell(gates="h")
def rnn(w: Any, x: Any, h: Any) -> Any:
    """The Elman network, `torch.nn.RNN`."""
    return tanh(w.h(x, h))


@cell(gates="h")
def rnn_relu(w: Any, x: Any, h: Any) -> Any:
    """The Elman network with ReLU, `torch.nn.RNN(nonlinearity="relu")`: its state has no bound, so it can
    count without end, and its weights can blow up.
    """
    return relu(w.h(x, h))


@cell(gates="r z n")
def gru(w: Any, x: Any, h: Any) -> Any:
    """The gated recurrent unit, `torch.nn.GRU`: the reset gate acts after the recurrent product."""
    r = sigmoid(w.r(x, h))
    z = sigmoid(w.z(x, h))
    n = tanh(w.n.input(x) + r * w.n.recurrent(h))
    return (1 - z) * n + z * h


@cell(gates="i f g o")
def lstm(w: Any, x: Any, h: Any, c: Any) -> Any:
    """The long short-term memory, `torch.nn.LSTM`."""
    i = sigmoid(w.i(x, h))
    f = sigmoid(w.f(x, h))
    g = tanh(w.g(x, h))
    o = sigmoid(w.o(x, h))
    c = f * c + i * g
    return o * tanh(c), c
