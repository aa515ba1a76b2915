"""The paper's cells (`rnn`, `gru`, `lstm`), and the zoo of others, each a formula in its paper's notation.

A gate such as `w.i(x, h)` is W_ii x + b_ii + W_hi h + b_hi. The first ones see the input and the state, those
from minGRU on the input alone, so that their recurrence is linear; the last two have exponential gates.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import (
    absolute,
    exp,
    linear,
    maximum,
    outer,
    relu,
    segment_sum,
    sigmoid,
    softplus,
    tanh,
    weighted_read,
)
from abacist.cells.blind import BLIND
from abacist.cells.definition import Cell, State, cell, remember
from abacist.cells.parameters import BIAS_HH, BIAS_IH, WEIGHT_HH, WEIGHT_IH, Initial, affine_maps, tensors

#: How many numbers a key of the mLSTM has.
_KEY = 4

Array = NDArray[Any]


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


@cell(parameters=affine_maps(z="hidden", h="hidden"))
def mingru(w: Any, x: Any, h: Any) -> Any:
    """minGRU (Feng et al. 2024): a GRU whose gate and candidate see the input alone."""
    z = sigmoid(linear(w.W_z, x) + w.b_z)
    n = linear(w.W_h, x) + w.b_h
    return (1 - z) * h + z * n


@cell(parameters=affine_maps(f="hidden", i="hidden", h="hidden"))
def minlstm(w: Any, x: Any, h: Any) -> Any:
    """minLSTM (Feng et al. 2024): gates and candidate see the input alone, and gates share what there is."""
    f = sigmoid(linear(w.W_f, x) + w.b_f)
    i = sigmoid(linear(w.W_i, x) + w.b_i)
    n = linear(w.W_h, x) + w.b_h
    return (f * h + i * n) / (f + i)


@cell(parameters=affine_maps(f="hidden", i="hidden", h="hidden"))
def minlstm_unscaled(w: Any, x: Any, h: Any) -> Any:
    """minLSTM (Feng et al. 2024) without the scaling that makes it independent of length: it can add up."""
    f = sigmoid(linear(w.W_f, x) + w.b_f)
    i = sigmoid(linear(w.W_i, x) + w.b_i)
    n = linear(w.W_h, x) + w.b_h
    return f * h + i * n


@cell(
    parameters=tensors(
        **{f"W1_{gate}": "hidden inputs" for gate in "zfo"},
        **{f"W2_{gate}": "hidden inputs" for gate in "zfo"},
        **{f"b_{gate}": "hidden" for gate in "zfo"},
    )
)
def qrnn(w: Any, x: Any, h: Any, c: Any, z_next: Any, f_next: Any, o_next: Any) -> Any:
    """The quasi-recurrent network with fo-pooling (Bradbury et al. 2017), its filter two symbols wide:

    z = tanh(W¹_z x₋₁ + W²_z x + b_z), x₋₁ being the symbol before, zero before the first
    f = σ(W¹_f x₋₁ + W²_f x + b_f)
    o = σ(W¹_o x₋₁ + W²_o x + b_o)
    c′ = f ⊙ c + (1 − f) ⊙ z
    h′ = o ⊙ c′

    What the filter makes of a symbol is handed to the next step as three states.
    """
    z = tanh(linear(w.W2_z, x) + w.b_z + z_next)
    f = sigmoid(linear(w.W2_f, x) + w.b_f + f_next)
    o = sigmoid(linear(w.W2_o, x) + w.b_o + o_next)
    c = f * c + (1 - f) * z
    return o * c, c, linear(w.W1_z, x), linear(w.W1_f, x), linear(w.W1_o, x)


@cell(parameters=affine_maps(a="hidden", b="hidden"))
def diagonal(w: Any, x: Any, h: Any) -> Any:
    """A diagonal linear recurrence whose eigenvalues depend on the input and lie between 0 and 1."""
    a = sigmoid(linear(w.W_a, x) + w.b_a)
    return a * h + linear(w.W_b, x) + w.b_b


@cell(parameters=affine_maps(a="hidden", b="hidden"))
def diagonal_signed(w: Any, x: Any, h: Any) -> Any:
    """The same with eigenvalues between −1 and 1 (Grazzi et al. 2025): it can also alternate."""
    a = tanh(linear(w.W_a, x) + w.b_a)
    return a * h + linear(w.W_b, x) + w.b_b


@cell(
    parameters=tensors(
        W_u="hidden inputs",
        W_delta="hidden inputs",
        b_delta="hidden",
        A="hidden",
        W_B="hidden inputs",
        W_C="hidden inputs",
        D="hidden",
    )
)
def selective(w: Any, x: Any, h: Any, s: Any) -> Any:
    """The selective recurrence of Mamba (Gu and Dao 2023) alone, with one number of state for each unit.

    It is not a Mamba block: that has 16 numbers of state a unit, a convolution over four symbols, a gating
    branch, a step size by a projection of low rank, and projections before and behind.
    """
    u = linear(w.W_u, x)
    delta = softplus(linear(w.W_delta, x) + w.b_delta)
    s = exp(0 - delta * exp(w.A)) * s + delta * linear(w.W_B, x) * u
    return linear(w.W_C, x) * s + w.D * u, s


@cell(gates="i f z o")
def slstm(w: Any, x: Any, h: Any, c: Any, n: Any, m: Any) -> Any:
    """sLSTM (Beck et al. 2024): an exponential input gate, a normaliser, and a stabiliser of both.

    i = W_ii x + b_ii + W_hi h + b_hi
    f = log σ(W_if x + b_if + W_hf h + b_hf)
    z = tanh(W_iz x + b_iz + W_hz h + b_hz)
    o = σ(W_io x + b_io + W_ho h + b_ho)
    m′ = max(f + m, i)
    c′ = exp(f + m − m′) ⊙ c + exp(i − m′) ⊙ z
    n′ = exp(f + m − m′) ⊙ n + exp(i − m′)
    h′ = o ⊙ c′ / n′
    """
    i = w.i(x, h)
    kept = m - softplus(0 - w.f(x, h))
    z = tanh(w.z(x, h))
    o = sigmoid(w.o(x, h))
    m = maximum(kept, i)
    old, new = exp(kept - m), exp(i - m)
    c = old * c + new * z
    n = old * n + new
    return o * c / n, c, n, m


@cell(
    parameters=affine_maps(q=_KEY, k=_KEY, v="hidden", i=1, f=1, o="hidden"),
    states={"c": State("c", per_unit=_KEY), "n": State("n", 0, _KEY), "m": State("m", 0, 1)},
)
def mlstm(w: Any, x: Any, h: Any, c: Any, n: Any, m: Any) -> Any:
    """mLSTM (Beck et al. 2024): a matrix C as memory, written and read with keys of four numbers.

    q = W_q x + b_q,  k = (W_k x + b_k) / 2,  v = W_v x + b_v
    i = W_i x + b_i,  f = log σ(W_f x + b_f), a number each
    o = σ(W_o x + b_o)
    m′ = max(f + m, i)
    C′ = exp(f + m − m′) C + exp(i − m′) v kᵀ
    n′ = exp(f + m − m′) n + exp(i − m′) k
    h′ = o ⊙ C′ q / max(|n′ᵀ q|, exp(−m′))
    """
    q = linear(w.W_q, x) + w.b_q
    k = (linear(w.W_k, x) + w.b_k) * 0.5
    v = linear(w.W_v, x) + w.b_v
    i = linear(w.W_i, x) + w.b_i
    kept = m - softplus(0 - linear(w.W_f, x) - w.b_f)
    o = sigmoid(linear(w.W_o, x) + w.b_o)
    m = maximum(kept, i)
    old, new = exp(kept - m), exp(i - m)
    c = old * c + new * outer(k, v)
    n = old * n + new * k
    weight = maximum(absolute(segment_sum(n * q, 1, 1)), exp(0 - m))
    return o * weighted_read(q, c) / weight, c, n, m


def _mamba_start(drawn: dict[str, Array]) -> dict[str, Array]:
    """A = −1, D = 1, and step sizes from 0.001 to 0.1, uniform in their logarithms."""
    delta, hidden = drawn["rnn.b_delta"], len(drawn["rnn.D"])
    size = 0.01 * 10 ** np.clip(delta * sqrt(hidden), -1, 1)  # of what is drawn, which is uniform
    return {"rnn.A": np.zeros(hidden), "rnn.D": np.ones(hidden), "rnn.b_delta": np.log(np.expm1(size))}


def _slstm_start(drawn: dict[str, Array]) -> dict[str, Array]:
    """Biases of the forget gate that fall from 5 to −7, all others zero; no recurrent weights."""
    hidden = len(drawn[WEIGHT_HH][0])
    biases = np.zeros(4 * hidden)
    biases[hidden : 2 * hidden] = 5 - 12 * (np.arange(hidden) / max(hidden - 1, 1)) ** 0.3
    return {
        WEIGHT_HH: np.zeros_like(drawn[WEIGHT_HH]),
        BIAS_IH: biases,
        BIAS_HH: np.zeros(4 * hidden),
    }


def _mlstm_start(drawn: dict[str, Array]) -> dict[str, Array]:
    """A forget gate with a bias of 4.5, the middle of what the heads of the authors' code have."""
    return {"rnn.b_f": np.full_like(drawn["rnn.b_f"], 4.5)}


def _started(own: Cell, initial: Initial) -> Cell:
    """A cell with the initial weights of its authors, under a name of its own."""
    return remember(replace(own, name=f"{own.name}_open", initial=initial))


selective_open = _started(selective, _mamba_start)
slstm_open = _started(slstm, _slstm_start)
mlstm_open = _started(mlstm, _mlstm_start)

# fmt: off
#: The paper's cells, and its first with ReLU: those that pages and laws go through one by one.
CELLS: dict[str, Cell] = {one.name: one for one in (rnn, gru, lstm, rnn_relu)}

#: The zoo by name. A further one is a further formula, and its name in this list.
ZOO: dict[str, Cell] = {
    one.name: one
    for one in (
        lstm_1997, peephole, cifg, janet, ugrnn, irnn, mingru, minlstm, minlstm_unscaled, qrnn, diagonal,
        diagonal_signed, selective, slstm, mlstm, BLIND["lstm_blind"], selective_open, slstm_open, mlstm_open,
    )
}
# fmt: on
