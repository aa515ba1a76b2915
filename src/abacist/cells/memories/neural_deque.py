"""The neural deque (Grefenstette et al. 2015), with an Elman network as controller: a stack with two ends.

h′ = tanh(W_i (x ⊕ r_top ⊕ r_bottom) + b_i + W_h h + b_h), and for each end, top and bottom,
d, u = σ(W_d h′ + b_d), σ(W_u h′ + b_u)
v = tanh(W_v h′ + b_v)

Strengths are popped at the top, then at the bottom; rows are pushed at both ends, and both ends are read, as
in `neural_stack.py`. What lies nearer to an end is before a row there. The rows that were pushed at the top
are kept apart from those at the bottom, the latest first in each; above the bottom's lie all of the top's.
"""

from __future__ import annotations

from typing import Any

from abacist.algebra import joined, pushed, segment_sum, sigmoid, sum_before, sum_behind, tanh
from abacist.cells.memories.layers import memory_cell
from abacist.cells.memories.neural_stack import popped_by, read_from


def at_both_ends(
    w: Any, x: Any, h: Any, r: Any, q: Any, upper: Any, lower: Any, top: Any, bottom: Any
) -> Any:
    """The rows are `upper` and `lower`, their strengths `top` and `bottom`, the reads r and q."""
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
_LAYERS = {
    **{f"W_d_{end}": "1 hidden" for end in _ENDS},
    **{f"W_u_{end}": "1 hidden" for end in _ENDS},
    **{f"W_v_{end}": "width hidden" for end in _ENDS},
}
_STATES = {
    "h": "hidden",
    **dict.fromkeys(("r", "q"), "width"),
    **dict.fromkeys(("upper", "lower"), "rows width"),
    **dict.fromkeys(("top", "bottom"), "rows"),
}

neural_deque = memory_cell(
    "neural_deque", at_both_ends, gates="h", width=5, layers=_LAYERS, reads=2, states=_STATES
)
