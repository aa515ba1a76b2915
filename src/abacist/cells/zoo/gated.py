"""Gated networks of the literature, before and beside the LSTM, and IRNN.

A gate such as `w.i(x, h)` is W_ii x + b_ii + W_hi h + b_hi.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import linear, relu, sigmoid, tanh
from abacist.cells.definition import cell
from abacist.cells.parameters import BIAS_HH, BIAS_IH, WEIGHT_HH, WEIGHT_IH, tensors

Array = NDArray[Any]


@cell(gates="i o z")
def lstm_1997(w: Any, x: Any, h: Any, c: Any) -> Any:
    """The long short-term memory of Hochreiter and Schmidhuber (1997): no forget gate, so nothing leaks."""
    i = sigmoid(w.i(x, h))
    o = sigmoid(w.o(x, h))
    z = 4 * sigmoid(w.z(x, h)) - 2
    c = c + i * z
    return o * (2 * sigmoid(c) - 1), c


@cell(
    parameters=tensors(
        **{f"W_x{gate}": "hidden inputs" for gate in "ifco"},
        **{f"W_h{gate}": "hidden hidden" for gate in "ifco"},
        **{f"w_c{gate}": "hidden" for gate in "ifo"},
        **{f"b_{gate}": "hidden" for gate in "ifco"},
    )
)
def peephole(w: Any, x: Any, h: Any, c: Any) -> Any:
    """The LSTM whose gates see its memory (Gers and Schmidhuber 2000), as Graves (2013) writes it."""
    i = sigmoid(linear(w.W_xi, x) + linear(w.W_hi, h) + w.b_i + w.w_ci * c)
    f = sigmoid(linear(w.W_xf, x) + linear(w.W_hf, h) + w.b_f + w.w_cf * c)
    g = tanh(linear(w.W_xc, x) + linear(w.W_hc, h) + w.b_c)
    c = f * c + i * g
    o = sigmoid(linear(w.W_xo, x) + linear(w.W_ho, h) + w.b_o + w.w_co * c)
    return o * tanh(c), c


@cell(gates="i z o")
def cifg(w: Any, x: Any, h: Any, c: Any) -> Any:
    """The LSTM with coupled input and forget gates (Greff et al. 2017): what comes in replaces what goes."""
    i = sigmoid(w.i(x, h))
    z = tanh(w.z(x, h))
    o = sigmoid(w.o(x, h))
    f = 1 - i
    c = i * z + f * c
    return o * tanh(c), c


@cell(gates="f g")
def janet(w: Any, x: Any, h: Any) -> Any:
    """JANET, the LSTM with nothing but a forget gate (van der Westhuizen and Lasenby 2018), β = 1."""
    s = w.f(x, h)
    g = tanh(w.g(x, h))
    return sigmoid(s) * h + (1 - sigmoid(s - 1)) * g


@cell(gates="c g")
def ugrnn(w: Any, x: Any, h: Any) -> Any:
    """The update gate RNN (Collins, Sohl-Dickstein and Sussillo 2017), its gate open at first: the bias b of
    the forgetting gate is 1.
    """
    c = tanh(w.c(x, h))
    g = sigmoid(w.g(x, h) + 1)
    return g * h + (1 - g) * c


def _identity(drawn: dict[str, Array]) -> dict[str, Array]:
    """The identity in place of what was drawn, and small weights of the input."""
    hidden = len(drawn[WEIGHT_HH])
    deviation = 1 / sqrt(3 * hidden)  # of what is drawn, which is uniform
    return {
        WEIGHT_IH: drawn[WEIGHT_IH] * (0.001 / deviation),
        WEIGHT_HH: np.eye(hidden),
        BIAS_IH: np.zeros(hidden),
        BIAS_HH: np.zeros(hidden),
    }


@cell(gates="h", initial=_identity)
def irnn(w: Any, x: Any, h: Any) -> Any:
    """IRNN (Le, Jaitly and Hinton 2015): the Elman network with ReLU that begins as the identity.

    h′ = max(0, W_i x + b_i + W_h h + b_h), where at first W_h = 1, b_i = b_h = 0 and W_i is small, with a
    standard deviation of 0.001: a network that keeps its state.
    """
    return relu(w.h(x, h))
