"""Stacks and tapes that are moved by degrees: a softmax over actions weighs what each of them would leave."""

from __future__ import annotations

from math import sqrt
from typing import Any

from numpy.typing import NDArray

from abacist.algebra import (
    linear,
    part,
    popped,
    pushed,
    rotated_down,
    rotated_up,
    row,
    sigmoid,
    softmax,
    tanh,
    unit,
)
from abacist.cells.definition import Memory, State, cell
from abacist.cells.memories.layers import ROWS, memory, memory_cell
from abacist.cells.parameters import tensors


def _layers(actions: int) -> dict[str, str]:
    return {"W_n": "width hidden", "W_a": f"{actions} hidden", "W_sh": "hidden width"}


def stack_rnn_step(w: Any, x: Any, h: Any, stack: Any) -> Any:
    """The Elman network with a stack that it pushes and pops by degrees (Suzgun et al. 2019, after Joulin and
    Mikolov 2015), under the names of its authors' code:

    s₀ is the top of the stack, read before the step; push puts n on top, pop takes the top away.
    """
    h = tanh(w.h(x, w.W_sh(row(stack, 0, w.width)) + h))
    a = softmax(w.W_a(h))
    n = sigmoid(w.W_n(h))
    push, pop = unit(a, 0), unit(a, 1)
    return h, push * pushed(stack, n) + pop * popped(stack, w.width)


def stack_rnn_no_op_step(w: Any, x: Any, h: Any, stack: Any) -> Any:
    """The same with a third action, no-op: a₂ s is added."""
    h = tanh(w.h(x, w.W_sh(row(stack, 0, w.width)) + h))
    a = softmax(w.W_a(h))
    n = sigmoid(w.W_n(h))
    push, pop, stay = unit(a, 0), unit(a, 1), unit(a, 2)
    return h, push * pushed(stack, n) + pop * popped(stack, w.width) + stay * stack


def stack_lstm_step(w: Any, x: Any, h: Any, c: Any, stack: Any) -> Any:
    """The LSTM with the stack of `stack_rnn_step` (Suzgun et al. 2019)."""
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


def baby_ntm_step(w: Any, x: Any, h: Any, memory: Any) -> Any:
    """The Baby-NTM (Suzgun et al. 2019): a tape that is moved under a head that stays, under its authors'
    names:

    h̃ = W_m m₀ + b_m + h
    h′ = tanh(W_i x + b_i + W_h h̃ + b_h)
    a = softmax(W_a h′ + b_a)
    n = σ(W_n h′ + b_n)
    m′ = a₀ left(m) + a₁ right(m) + a₂ m + a₃ right₀(m) + a₄ left₀(m), and n is added to its first row

    Left moves every row one place up, and the first becomes the last; right does the opposite. Right₀ and
    left₀ do the same, but drop the row that would come back at the other end.
    """
    h = tanh(w.h(x, w.W_m(row(memory, 0, w.width)) + h))
    a = softmax(w.W_a(h))
    n = sigmoid(w.W_n(h))
    left, right, stay, drop_last, drop_first = (unit(a, number) for number in range(5))
    size = ROWS * w.width
    memory = (
        left * rotated_up(memory, w.width)
        + right * rotated_down(memory, w.width)
        + stay * memory
        + drop_last * part(memory, size, -w.width)
        + drop_first * popped(memory, w.width)
    )
    return h, memory + part(n, size, 0)


_TAPE = {"W_m": "hidden width", "W_n": "width hidden", "W_a": "5 hidden"}
_ELMAN, _LSTM = ("rnn", "h", (State("h"),)), ("lstm", "i f g o", (State("h"), State("c")))

#: The cells of these formulas, with rows of five numbers, and of one.
STACKS_AND_TAPES = tuple(
    memory_cell(
        f"{name}{suffix}", step, (*states, memory(state, width)),
        recurrent=recurrent, gates=gates, width=width, layers=layers,
    )
    for name, step, (recurrent, gates, states), state, layers in (
        ("stack_rnn", stack_rnn_step, _ELMAN, "stack", _layers(2)),
        ("stack_rnn_no_op", stack_rnn_no_op_step, _ELMAN, "stack", _layers(3)),
        ("stack_lstm", stack_lstm_step, _LSTM, "stack", _layers(2)),
        ("baby_ntm", baby_ntm_step, _ELMAN, "memory", _TAPE),
    )
    for suffix, width in (("", 5), ("_1", 1))
)  # fmt: skip


def _initial(drawn: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    factors = {"rnn.W_e": sqrt(len(drawn["rnn.W_e"])), "rnn.W_s": sqrt(0.5), "rnn.W_v": sqrt(0.5)}
    return {name: factor * drawn[name] for name, factor in factors.items()}


@cell(
    parameters=tensors(W_e="hidden inputs", W_s="3 hidden", W_v="3 hidden", b_a="3"),
    states={"stack": Memory("stack", per_unit=ROWS, rows=ROWS)},
    initial=_initial,
)
def russ(w: Any, x: Any, h: Any, stack: Any) -> Any:
    """RUSS, the recurrent unit with a stack-like state (Bernardy 2018): all that it hands on is a stack.

    v = W_e x, the symbol's embedding
    a = softmax(W_s s₀ + W_v v + b_a)
    s′ = a₀ s + a₁ pop(s) + a₂ push(s, v)
    h′ = s′₀

    The input has two purposes: it is what is pushed, and together with the top of the stack, s₀, it decides
    what is done. The new top is the output. Rows are as wide as there are hidden units.

    The equations are those of `stackRU` in TypedFlow, the author's library, where one matrix is applied to s₀
    and v joined. The text of the paper was not at hand: how deep its stacks are, and what else its networks
    had around them, is not known here. A stack has 104 rows here, as the other ones do. Embeddings begin
    between −1 and 1, and the matrix by how many inputs it has.
    """
    v = linear(w.W_e, x)
    a = softmax(linear(w.W_s, h) + linear(w.W_v, v) + w.b_a)
    stay, pop, push = (unit(a, number) for number in range(3))
    width = v.shape[-1]
    stack = stay * stack + pop * popped(stack, width) + push * pushed(stack, v)
    return row(stack, 0, width), stack
