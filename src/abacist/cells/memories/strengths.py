"""Memories whose rows have strengths: the neural stack, queue and deque, and the pushdown automaton.

A row has a strength. What is popped is a strength of u in all: of every row max(0, u − what is before it),
and not more than it has. What is read are rows with a strength of 1 in all. In a stack, what was pushed
later is before a row; in a queue, what was pushed earlier. The latest row is the first here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from numpy.typing import NDArray

from abacist.algebra import (
    joined,
    linear,
    minimum,
    outer,
    part,
    pushed,
    relu,
    segment_sum,
    sigmoid,
    sum_before,
    sum_behind,
    tanh,
    weighted_read,
)
from abacist.cells.definition import Memory, State, cell
from abacist.cells.memories.layers import ROWS, memory, memory_cell
from abacist.cells.parameters import Part, Shapes


def popped_by(strengths: Any, amount: Any, before: Any) -> Any:
    """What is left of strengths: max(0, s − max(0, u − before)), so written that zeros stay zeros."""
    return strengths - minimum(strengths, relu(amount - before))


def read_from(rows: Any, strengths: Any, before: Any) -> Any:
    """The rows that a strength of 1 reaches."""
    return weighted_read(minimum(strengths, relu(1 - before)), rows)


def _neural(sum_first: Callable[[Any], Any]) -> Callable[..., Any]:
    """The neural stack or queue (Grefenstette et al. 2015), with an Elman network as controller:

    h′ = tanh(W_i (x ⊕ r) + b_i + W_h h + b_h)
    d, u = σ(W_d h′ + b_d), σ(W_u h′ + b_u)
    v = tanh(W_v h′ + b_v)
    V′ is V with v as a further row, and s′ is s, less u, with d as a further strength
    r′ = Σ min(s′[i], max(0, 1 − what is before s′[i])) V′[i]

    The output layer reads h′.
    """

    def step(w: Any, x: Any, h: Any, r: Any, rows: Any, strengths: Any) -> Any:
        h = tanh(w.h(joined(x, r), h))
        d, u, v = sigmoid(w.W_d(h)), sigmoid(w.W_u(h)), tanh(w.W_v(h))
        rows = pushed(rows, v)
        strengths = pushed(popped_by(strengths, u, sum_first(strengths)), d)
        r = read_from(rows, strengths, sum_first(strengths))
        return h, r, rows, strengths

    return step


_WIDTH = 5
_LAYERS = {"W_d": "1 hidden", "W_u": "1 hidden", "W_v": "width hidden"}
_STATES = (State("h"), State("r", 0, _WIDTH), memory("rows", _WIDTH), memory("strengths", 1))

neural_stack, neural_queue = (
    memory_cell(name, _neural(before), _STATES, gates="h", width=_WIDTH, layers=_LAYERS, reads=1)
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


neural_deque = memory_cell(
    "neural_deque",
    at_both_ends,
    (
        State("h"),
        *(State(name, 0, _WIDTH) for name in ("r", "q")),
        *(memory(name, _WIDTH) for name in ("upper", "lower")),
        *(memory(name, 1) for name in ("top", "bottom")),
    ),
    gates="h",
    width=_WIDTH,
    layers={f"{name}_{end}": size for name, size in _LAYERS.items() for end in ("top", "bottom")},
    reads=2,
)


@dataclass(frozen=True)
class HigherOrder:
    """Weights of products of state, input and reading, W, and of input and reading, V, as rows.

    Those of the states are W_s and V_s, those of the action W_a and V_a.
    """

    def shapes(self, inputs: int, hidden: int) -> Shapes:
        second = inputs * (inputs + 1)
        third = hidden * second
        of_states: Shapes = {"rnn.W_s": (hidden, third), "rnn.V_s": (hidden, second)}
        return of_states | {"rnn.W_a": (1, third), "rnn.V_a": (1, second)}

    def bind(self, part: Part, hidden: int) -> SimpleNamespace:
        rows = {"W_s": hidden, "V_s": hidden, "W_a": 1, "V_a": 1}
        return SimpleNamespace(**{name: part(f"rnn.{name}", 0, count) for name, count in rows.items()})


def _initial(drawn: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    return {name: 0.1 * drawn[name] for name in ("rnn.W_a", "rnn.V_a")}


@cell(
    parameters=HigherOrder(),
    initial=_initial,
    states={
        "h": State("h", per_input=1),
        "rows": Memory("rows", per_unit=0, per_input=ROWS, rows=ROWS),
        "strengths": memory("strengths", 1),
    },
)
def nnpda(w: Any, x: Any, h: Any, rows: Any, strengths: Any) -> Any:
    """The neural network pushdown automaton (Das, Giles and Sun 1992; Sun, Giles, Chen and Lee 1993):

    S′ᵢ = g(Σ Wˢᵢⱼₖₗ Sⱼ Iₖ Rₗ + Σ Vˢᵢₖₗ Iₖ Rₗ)
    A = f(Σ Wᵃⱼₖₗ Sⱼ Iₖ Rₗ + Σ Vᵃₖₗ Iₖ Rₗ)
    where A is positive, the symbol I is pushed with strength A; where it is negative, a strength of −A is
    popped
    R′ = Σ min(s′[i], max(0, 1 − what was pushed later than s′[i])) I[i], the symbols within a depth of 1

    S is the state, I the input, R what is read from the stack, A the action; g is σ, and f is tanh. The
    weights W are the paper's, of third order: one for every state, symbol and reading. Two things differ. R
    has one number more than there are symbols, what it lacks of a depth of 1, so that an empty stack can be
    read. And V is there for a state that is always on: in the paper a word begins with one state on, here all
    states begin as zeros, where products with W alone would see nothing of the first symbol. The thresholds θ
    are among V.

    A pushed row of strength zero is nothing, so that a step that pops pushes one, as above. The paper judges
    a word once it has ended, by its state and by how much is left on the stack. Here something is predicted
    after every symbol, and for that the output layer reads S′ and R′ side by side: they are h. Weights of the
    action begin ten times smaller than the others, so that nothing is decided at first. The equations were
    compared with the papers' abstracts and with a later implementation, not with the papers' own text.
    """
    symbols = x.shape[-1]
    hidden = h.shape[-1] - symbols
    s, r = part(h, hidden, 0), part(h, symbols, hidden)
    second = outer(x, joined(r, 1 - segment_sum(r, 1, 1)))
    third = outer(s, second)
    s = sigmoid(linear(w.W_s, third) + linear(w.V_s, second))
    a = tanh(linear(w.W_a, third) + linear(w.V_a, second))
    rows = pushed(rows, x)
    strengths = pushed(popped_by(strengths, relu(0 - a), sum_before(strengths)), relu(a))
    r = read_from(rows, strengths, sum_before(strengths))
    return joined(s, r), rows, strengths
