"""The neural stack, queue and deque (Grefenstette et al. 2015), with an Elman network as controller:

h′ = tanh(W_i (x ⊕ r) + b_i + W_h h + b_h)
d, u = σ(W_d h′ + b_d), σ(W_u h′ + b_u)
v = tanh(W_v h′ + b_v)
V′ is V with v as a further row, and s′ is s, less u, with d as a further strength
r′ = Σ min(s′[i], max(0, 1 − what is before s′[i])) V′[i]

A row has a strength. What is popped is a strength of u in all: of every row max(0, u − what is before it),
and not more than it has. What is read are rows with a strength of 1 in all. In a stack, what was pushed
later is before a row; in a queue, what was pushed earlier. The latest row is the first here. The output
layer reads h′.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from abacist.algebra import (
    joined,
    minimum,
    pushed,
    relu,
    segment_sum,
    sigmoid,
    sum_before,
    sum_behind,
    tanh,
    weighted_read,
)
from abacist.cells.memories.layers import memory_cell


def popped_by(strengths: Any, amount: Any, before: Any) -> Any:
    """What is left of strengths: max(0, s − max(0, u − before)), so written that zeros stay zeros."""
    return strengths - minimum(strengths, relu(amount - before))


def read_from(rows: Any, strengths: Any, before: Any) -> Any:
    """The rows that a strength of 1 reaches."""
    return weighted_read(minimum(strengths, relu(1 - before)), rows)


def _neural(sum_first: Callable[[Any], Any]) -> Callable[..., Any]:
    """The formula of a stack or a queue: it differs in what is before a row."""

    def step(w: Any, x: Any, h: Any, r: Any, rows: Any, strengths: Any) -> Any:
        h = tanh(w.h(joined(x, r), h))
        d, u, v = sigmoid(w.W_d(h)), sigmoid(w.W_u(h)), tanh(w.W_v(h))
        rows = pushed(rows, v)
        strengths = pushed(popped_by(strengths, u, sum_first(strengths)), d)
        r = read_from(rows, strengths, sum_first(strengths))
        return h, r, rows, strengths

    return step


_LAYERS = {"W_d": "1 hidden", "W_u": "1 hidden", "W_v": "width hidden"}
_STATES = {"h": "hidden", "r": "width", "rows": "rows width", "strengths": "rows"}

neural_stack, neural_queue = (
    memory_cell(name, _neural(before), gates="h", width=5, layers=_LAYERS, reads=1, states=_STATES)
    for name, before in (("neural_stack", sum_before), ("neural_queue", sum_behind))
)


def at_both_ends(
    w: Any, x: Any, h: Any, r: Any, q: Any, upper: Any, lower: Any, top: Any, bottom: Any
) -> Any:
    """The neural deque: a stack with two ends, top and bottom, for each of which there are d, u and v.

    h′ = tanh(W_i (x ⊕ r_top ⊕ r_bottom) + b_i + W_h h + b_h)

    Strengths are popped at the top, then at the bottom; rows are pushed at both ends, and both ends are read.
    What lies nearer to an end is before a row there. The rows that were pushed at the top, `upper` with
    strengths `top`, are kept apart from those at the bottom, `lower` with strengths `bottom`, the latest
    first in each; above the bottom's lie all of the top's. The reads are r and q.
    """
    h = tanh(w.h(joined(x, r, q), h))
    u, v = sigmoid(w.W_u_top(h)), sigmoid(w.W_u_bottom(h))
    top, bottom = (
        popped_by(top, u, sum_before(top)),
        popped_by(bottom, u, segment_sum(top, 1, 1) + sum_behind(bottom)),
    )
    top, bottom = (
        popped_by(top, v, segment_sum(bottom, 1, 1) + sum_behind(top)),
        popped_by(bottom, v, sum_before(bottom)),
    )
    upper, lower = pushed(upper, tanh(w.W_v_top(h))), pushed(lower, tanh(w.W_v_bottom(h)))
    top, bottom = pushed(top, sigmoid(w.W_d_top(h))), pushed(bottom, sigmoid(w.W_d_bottom(h)))
    r = read_from(upper, top, sum_before(top))
    r = r + read_from(lower, bottom, segment_sum(top, 1, 1) + sum_behind(bottom))
    q = read_from(lower, bottom, sum_before(bottom))
    q = q + read_from(upper, top, segment_sum(bottom, 1, 1) + sum_behind(top))
    return h, r, q, upper, lower, top, bottom


_ENDS = ("top", "bottom")
_DEQUE_LAYERS = {
    **{f"W_d_{end}": "1 hidden" for end in _ENDS},
    **{f"W_u_{end}": "1 hidden" for end in _ENDS},
    **{f"W_v_{end}": "width hidden" for end in _ENDS},
}
_DEQUE_STATES = {
    "h": "hidden",
    **dict.fromkeys(("r", "q"), "width"),
    **dict.fromkeys(("upper", "lower"), "rows width"),
    **dict.fromkeys(("top", "bottom"), "rows"),
}

neural_deque = memory_cell(
    "neural_deque", at_both_ends, gates="h", width=5, layers=_DEQUE_LAYERS, reads=2, states=_DEQUE_STATES
)
