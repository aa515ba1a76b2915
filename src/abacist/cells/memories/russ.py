"""RUSS, the recurrent unit with a stack-like state (Bernardy 2018): all that it hands on is a stack.

v = W_e x, the symbol's embedding
a = softmax(W_s s₀ + W_v v + b_a)
s′ = a₀ s + a₁ pop(s) + a₂ push(s, v)
h′ = s′₀

The input has two purposes: it is what is pushed, and together with the top of the stack, s₀, it decides what
is done. The new top is the output. Rows are as wide as there are hidden units.

The equations are those of `stackRU` in TypedFlow, the author's library, where one matrix is applied to s₀ and
v joined. The text of the paper was not at hand: how deep its stacks are, and what else its networks had
around them, is not known here. A stack has 104 rows here, as the other ones do. Embeddings begin between −1
and 1, and the matrix by how many inputs it has.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from numpy.typing import NDArray

from abacist.algebra import linear, popped, pushed, row, softmax, unit
from abacist.cells.definition import Memory, cell
from abacist.cells.memories.layers import ROWS
from abacist.cells.named_tensors import tensors


def _initial(drawn: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    factors = {"rnn.W_e": sqrt(len(drawn["rnn.W_e"])), "rnn.W_s": sqrt(0.5), "rnn.W_v": sqrt(0.5)}
    return {name: factor * drawn[name] for name, factor in factors.items()}


@cell(
    parameters=tensors(W_e="hidden inputs", W_s="3 hidden", W_v="3 hidden", b_a="3"),
    states={"stack": Memory("stack", per_unit=ROWS, rows=ROWS)},
    initial=_initial,
)
def russ(w: Any, x: Any, h: Any, stack: Any) -> Any:
    """The top of the stack is h."""
    v = linear(w.W_e, x)
    a = softmax(linear(w.W_s, h) + linear(w.W_v, v) + w.b_a)
    stay, pop, push = (unit(a, number) for number in range(3))
    width = v.shape[-1]
    stack = stay * stack + pop * popped(stack, width) + push * pushed(stack, v)
    return row(stack, 0, width), stack
