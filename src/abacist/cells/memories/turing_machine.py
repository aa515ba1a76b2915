"""The neural Turing machine (Graves, Wayne and Danihelka 2014), with an Elman network as controller, h̃, and
two heads, one that reads and one that writes:

h̃′ = tanh(W_i (x ⊕ r) + b_i + W_h h̃ + b_h), and for each head
k = tanh(W_k h̃′ + b_k),  β = softplus(W_β h̃′ + b_β),  g = σ(W_g h̃′ + b_g)
s = softmax(W_s h̃′ + b_s),  γ = 1 + softplus(W_γ h̃′ + b_γ)
w_c = softmax(β K[k, M]),  K[k, m] = k·m / √((k·k + ε) (m·m + ε))
w_g = g w_c + (1 − g) w
w̃(i) = s₀ w_g(i + 1) + s₁ w_g(i) + s₂ w_g(i − 1), around the ends
w′(i) = w̃(i)^γ / Σ w̃(j)^γ
and then
e, a = σ(W_e h̃′ + b_e), tanh(W_a h̃′ + b_a)
M′(i) = M(i) ⊙ (1 − w′(i) e) + w′(i) a, by the head that writes
r′ = Σ w′(i) M′(i), by the head that reads

The output layer reads h̃′ and r′ side by side: they are h. States begin as zeros. So the memory is empty at
first, and ε keeps the similarity of an empty row finite and its slope moderate. A weighting has a sum of 1;
what it lacks of that is the first row's, so that both heads begin there. The power is softmax(γ log(w̃ + ε′)),
which no γ can take beyond all numbers. The paper leaves k and a without a bound, and has 128 rows of 20
numbers; 32 of five are enough for what 99 in 100 of the long words of Dyck-1 and Dyck-2 leave open at once,
26 brackets, and train in a reasonable time.
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import (
    joined,
    log,
    outer,
    part,
    relu,
    repeat,
    rotated_down,
    rotated_up,
    segment_sum,
    sigmoid,
    softmax,
    softplus,
    sqrt,
    tanh,
    unit,
    weighted_read,
)
from abacist.cells.definition import State
from abacist.cells.memories.layers import memory, memory_cell

_ROWS, _WIDTH, _HEADS = 32, 5, ("read", "write")

#: ε in similarities, and ε′ in powers.
_SMALL, _TINY = 1e-2, 1e-8


def similarity(key: Any, memory: Any, squares: Any) -> Any:
    """The cosine of the angle between a key and each row of a memory, whose squared lengths are known."""
    products = segment_sum(repeat(key, _ROWS * _WIDTH, 1) * memory, _ROWS, _WIDTH)
    return products / sqrt((squares + _SMALL) * (segment_sum(key * key, 1, 1) + _SMALL))


def addressed(w: Any, head: str, h: Any, weights: Any, *rows: Any) -> Any:
    """Where a head is after a step: by content, from where it was, moved, sharpened."""
    layer = vars(w)
    k, beta = tanh(layer[f"W_k_{head}"](h)), softplus(layer[f"W_beta_{head}"](h))
    g, s = sigmoid(layer[f"W_g_{head}"](h)), softmax(layer[f"W_s_{head}"](h))
    gamma = 1 + softplus(layer[f"W_gamma_{head}"](h))
    weights = weights + part(1 - segment_sum(weights, 1, 1), _ROWS, 0)
    weights = g * softmax(beta * similarity(k, *rows)) + (1 - g) * weights
    moved = unit(s, 0) * rotated_up(weights, 1) + unit(s, 1) * weights + unit(s, 2) * rotated_down(weights, 1)
    return softmax(gamma * log(relu(moved) + _TINY))  # rounding may have left less than zero


def read_and_write(w: Any, x: Any, h: Any, reading: Any, writing: Any, memory: Any) -> Any:
    hidden = h.shape[-1] - w.width
    r = part(h, w.width, hidden)
    controller = tanh(w.h(joined(x, r), part(h, hidden, 0)))
    squares = segment_sum(memory * memory, _ROWS, _WIDTH)
    reading = addressed(w, "read", controller, reading, memory, squares)
    writing = addressed(w, "write", controller, writing, memory, squares)
    e, a = sigmoid(w.W_e(controller)), tanh(w.W_a(controller))
    memory = memory * (1 - outer(writing, e)) + outer(writing, a)
    return joined(controller, weighted_read(reading, memory)), reading, writing, memory


_OF_A_HEAD = {"k": "width", "beta": "1", "g": "1", "s": "3", "gamma": "1"}
_LAYERS = {f"W_{name}_{head}": f"{size} hidden" for head in _HEADS for name, size in _OF_A_HEAD.items()}

ntm = memory_cell(
    "ntm",
    read_and_write,
    (
        State("h", 1, _WIDTH),
        memory("reading", 1, _ROWS),
        memory("writing", 1, _ROWS),
        memory("memory", _WIDTH, _ROWS),
    ),
    gates="h",
    width=_WIDTH,
    layers=_LAYERS | {"W_e": "width hidden", "W_a": "width hidden"},
    reads=1,
)
