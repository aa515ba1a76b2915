"""The LSTM with a stack that it pushes and pops by degrees (Suzgun et al. 2019), as in `stack_rnn.py`:

h̃ = W_sh s₀ + b_sh + h
i, f, o = σ(W_ii x + b_ii + W_hi h̃ + b_hi), σ(…), σ(…)
g = tanh(W_ig x + b_ig + W_hg h̃ + b_hg)
c′ = f ⊙ c + i ⊙ g
h′ = o ⊙ tanh(c′)
a = softmax(W_a h′ + b_a)
n = σ(W_n h′ + b_n)
s′ = a₀ push(s, n) + a₁ pop(s)
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import popped, pushed, row, sigmoid, softmax, tanh, unit
from abacist.cells.memories.layers import memory_cell


def push_or_pop(w: Any, x: Any, h: Any, c: Any, stack: Any) -> Any:
    h = w.W_sh(row(stack, 0, w.width)) + h
    i = sigmoid(w.i(x, h))
    f = sigmoid(w.f(x, h))
    g = tanh(w.g(x, h))
    o = sigmoid(w.o(x, h))
    c = f * c + i * g
    h = o * tanh(c)
    a = softmax(w.W_a(h))
    n = sigmoid(w.W_n(h))
    push, pop = unit(a, 0), unit(a, 1)
    return h, c, push * pushed(stack, n) + pop * popped(stack, w.width)


_LAYERS = {"W_n": "width hidden", "W_a": "2 hidden", "W_sh": "hidden width"}

stack_lstm, stack_lstm_1 = (
    memory_cell(
        name,
        push_or_pop,
        recurrent="lstm",
        gates="i f g o",
        width=width,
        layers=_LAYERS,
        states={"h": "hidden", "c": "hidden", "stack": "rows width"},
    )
    for name, width in (("stack_lstm", 5), ("stack_lstm_1", 1))
)
