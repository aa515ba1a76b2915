"""The neural network pushdown automaton (Das, Giles and Sun 1992; Sun, Giles, Chen and Lee 1993):

S′ᵢ = g(Σ Wˢᵢⱼₖₗ Sⱼ Iₖ Rₗ + Σ Vˢᵢₖₗ Iₖ Rₗ)
A = f(Σ Wᵃⱼₖₗ Sⱼ Iₖ Rₗ + Σ Vᵃₖₗ Iₖ Rₗ)
where A is positive, the symbol I is pushed with strength A; where it is negative, a strength of −A is popped
R′ = Σ min(s′[i], max(0, 1 − what was pushed later than s′[i])) I[i], the symbols within a depth of 1

S is the state, I the input, R what is read from the stack, A the action; g is σ, and f is tanh. The weights W
are the paper's, of third order: one for every state, symbol and reading. Two things differ. R has one number
more than there are symbols, what it lacks of a depth of 1, so that an empty stack can be read. And V is there
for a state that is always on: in the paper a word begins with one state on, here all states begin as zeros,
where products with W alone would see nothing of the first symbol. The thresholds θ are among V.

A pushed row of strength zero is nothing, so that a step that pops pushes one, as in `neural_stack.py`. The
paper judges a word once it has ended, by its state and by how much is left on the stack. Here something is
predicted after every symbol, and for that the output layer reads S′ and R′ side by side: they are h. Weights
of the action begin ten times smaller than the others, so that nothing is decided at first. The equations were
compared with the papers' abstracts and with a later implementation, not with the papers' own text.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from numpy.typing import NDArray

from abacist.algebra import joined, linear, outer, part, pushed, relu, segment_sum, sigmoid, sum_before, tanh
from abacist.cells.definition import Memory, State, cell
from abacist.cells.memories.layers import ROWS
from abacist.cells.memories.neural_stack import popped_by, read_from
from abacist.cells.parameters import Part, Shapes


@dataclass(frozen=True)
class HigherOrder:
    """Weights of products of state, input and reading, W, and of input and reading, V, as rows.

    Those of the states are W_s and V_s, those of the action W_a and V_a.
    """

    def shapes(self, inputs: int, hidden: int) -> Shapes:
        pairs = inputs * (inputs + 1)
        columns = {"W": hidden * pairs, "V": pairs}
        rows = {"s": hidden, "a": 1}
        return {f"rnn.{order}_{own}": (rows[own], columns[order]) for own in rows for order in columns}

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
        "strengths": Memory("strengths", per_unit=0, fixed=ROWS, rows=ROWS),
    },
)
def nnpda(w: Any, x: Any, h: Any, rows: Any, strengths: Any) -> Any:
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
