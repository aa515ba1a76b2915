"""Blind LSTMs are LSTMs some of whose recurrent weights are zero, for good."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from abacist.cells import BLIND, CELLS, KNOWN, Layout, cell_named, written_cell
from abacist.engine.reference import forward
from abacist.specs import Networks

GATES = "ifgo"


def blind_gates(name: str) -> str:
    """The gates that a name says are blind."""
    return name.removeprefix("lstm_blind").removeprefix("_") or GATES


def test_there_is_one_for_every_choice_of_gates() -> None:
    choices = ["".join(some) for count in range(1, 5) for some in combinations(GATES, count)]
    assert [blind_gates(name) for name in BLIND] == choices
    assert [name for name in BLIND if name in KNOWN] == ["lstm_blind"]  # the others are on no list
    for name, cell in BLIND.items():
        assert cell_named(name) is cell
        assert written_cell(cell) == name


@pytest.mark.parametrize("name", BLIND)
def test_it_is_an_lstm_whose_blind_gates_have_no_weights_of_the_state(name: str) -> None:
    layout = Layout(BLIND[name], 4, 3, 4)
    networks = Networks.initial(layout, range(2), "float64")
    word = np.random.default_rng(7).integers(4, size=30)
    for run in range(2):
        own = networks.tensors(run)
        unseen = np.zeros((3, 3))
        same = {
            "rnn.weight_ih_l0": np.concatenate([own[f"rnn.W_x{gate}"] for gate in GATES]),
            "rnn.weight_hh_l0": np.concatenate([own.get(f"rnn.W_h{gate}", unseen) for gate in GATES]),
            "rnn.bias_ih_l0": np.concatenate([own[f"rnn.b_x{gate}"] for gate in GATES]),
            "rnn.bias_hh_l0": np.concatenate([own[f"rnn.b_h{gate}"] for gate in GATES]),
            "output.weight": own["output.weight"],
            "output.bias": own["output.bias"],
        }
        assert {gate for gate in GATES if f"rnn.W_h{gate}" not in own} == {*blind_gates(name)}
        plain = Networks.from_tensors(CELLS["lstm"], same)
        (states, outputs), (plain_states, plain_outputs) = (
            forward(networks, run, word.tolist()), forward(plain, 0, word.tolist())
        )  # fmt: skip
        np.testing.assert_allclose(outputs, plain_outputs, rtol=0, atol=1e-14)
        for state in ("h", "c"):
            np.testing.assert_allclose(states[state], plain_states[state], rtol=0, atol=1e-14)
