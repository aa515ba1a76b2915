"""Blind LSTMs: gates that see the symbol alone, not the hidden state.

In `lstm_blind` all gates and the candidate are blind, in `lstm_blind_f` the forget gate alone, in
`lstm_blind_io` the input and the output gate, and so on, in the order i, f, g, o.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from abacist.algebra import linear, sigmoid, tanh
from abacist.cells.definition import Cell, cell
from abacist.cells.parameters import tensors

_GATES = "ifgo"


def _blind(blind: str) -> Cell:
    """The LSTM with some blind gates. A gate has two biases, as in PyTorch, whether it is blind or not."""
    seeing = [gate for gate in _GATES if gate not in blind]
    shapes = {f"W_x{gate}": "hidden inputs" for gate in _GATES} | {f"b_x{gate}": "hidden" for gate in _GATES}
    shapes |= {f"W_h{gate}": "hidden hidden" for gate in seeing} | {f"b_h{gate}": "hidden" for gate in _GATES}

    def formula(w: Any, x: Any, h: Any, c: Any) -> Any:
        def gate(name: str) -> Any:
            of = vars(w)
            total = linear(of[f"W_x{name}"], x) + of[f"b_x{name}"] + of[f"b_h{name}"]
            return total + linear(of[f"W_h{name}"], h) if name in seeing else total

        c = sigmoid(gate("f")) * c + sigmoid(gate("i")) * tanh(gate("g"))
        return sigmoid(gate("o")) * tanh(c), c

    formula.__name__ = "lstm_blind" if blind == _GATES else f"lstm_blind_{blind}"
    return cell(parameters=tensors(**shapes))(formula)


#: Every blind LSTM by name, those with the fewest blind gates first, `lstm_blind` last.
BLIND: dict[str, Cell] = {
    one.name: one
    for count in range(1, len(_GATES) + 1)
    for one in map(_blind, map("".join, combinations(_GATES, count)))
}
