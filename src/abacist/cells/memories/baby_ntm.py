"""The Baby-NTM (Suzgun et al. 2019): a tape that is moved under a head that stays, under its authors' names:

h̃ = W_m m₀ + b_m + h
h′ = tanh(W_i x + b_i + W_h h̃ + b_h)
a = softmax(W_a h′ + b_a)
n = σ(W_n h′ + b_n)
m′ = a₀ left(m) + a₁ right(m) + a₂ m + a₃ right₀(m) + a₄ left₀(m), and n is added to its first row

Left moves every row one place up, and the first becomes the last; right does the opposite. Right₀ and left₀
do the same, but drop the row that would come back at the other end.
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import part, popped, rotated_down, rotated_up, row, sigmoid, softmax, tanh, unit
from abacist.cells.memories.layers import ROWS, memory_cell


def move(w: Any, x: Any, h: Any, memory: Any) -> Any:
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


_LAYERS = {"W_m": "hidden width", "W_n": "width hidden", "W_a": "5 hidden"}

_STATES = {"h": "hidden", "memory": "rows width"}

baby_ntm, baby_ntm_1 = (
    memory_cell(name, move, gates="h", width=width, layers=_LAYERS, states=_STATES)
    for name, width in (("baby_ntm", 5), ("baby_ntm_1", 1))
)
