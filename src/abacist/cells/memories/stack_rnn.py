"""The Elman network with a stack that it pushes and pops by degrees (Suzgun et al. 2019, after Joulin and
Mikolov 2015), under the names of its authors' code:

h̃ = W_sh s₀ + b_sh + h
h′ = tanh(W_i x + b_i + W_h h̃ + b_h)
a = softmax(W_a h′ + b_a)
n = σ(W_n h′ + b_n)
s′ = a₀ push(s, n) + a₁ pop(s)

s₀ is the top of the stack, read before the step; push puts n on top, pop takes the top away. With a third
action, no-op, a₂ s is added.
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import popped, pushed, row, sigmoid, softmax, tanh, unit
from abacist.cells.memories.layers import memory_cell


def push_or_pop(w: Any, x: Any, h: Any, stack: Any) -> Any:
    h = tanh(w.h(x, w.W_sh(row(stack, 0, w.width)) + h))
    a = softmax(w.W_a(h))
    n = sigmoid(w.W_n(h))
    push, pop = unit(a, 0), unit(a, 1)
    return h, push * pushed(stack, n) + pop * popped(stack, w.width)


def push_pop_or_stay(w: Any, x: Any, h: Any, stack: Any) -> Any:
    h = tanh(w.h(x, w.W_sh(row(stack, 0, w.width)) + h))
    a = softmax(w.W_a(h))
    n = sigmoid(w.W_n(h))
    push, pop, stay = unit(a, 0), unit(a, 1), unit(a, 2)
    return h, push * pushed(stack, n) + pop * popped(stack, w.width) + stay * stack


def _layers(actions: int) -> dict[str, str]:
    return {"W_n": "width hidden", "W_a": f"{actions} hidden", "W_sh": "hidden width"}


_STATES = {"h": "hidden", "stack": "rows width"}

stack_rnn, stack_rnn_1 = (
    memory_cell(name, push_or_pop, gates="h", width=width, layers=_layers(2), states=_STATES)
    for name, width in (("stack_rnn", 5), ("stack_rnn_1", 1))
)

stack_rnn_no_op, stack_rnn_no_op_1 = (
    memory_cell(name, push_pop_or_stay, gates="h", width=width, layers=_layers(3), states=_STATES)
    for name, width in (("stack_rnn_no_op", 5), ("stack_rnn_no_op_1", 1))
)
