"""Which weights are those of gates is read off a formula."""

from __future__ import annotations

import pytest

from abacist.cells import CELLS, KNOWN, cell_named
from tests.cells.toys import TOYS, UNBOUNDED


def tensors(name: str) -> str:
    """The tensors that hold weights of a cell's gates, without what stands before all of their names."""
    rows = cell_named(name).gate_rows(2, 3)
    return " ".join(dict.fromkeys(tensor.removeprefix("rnn.") for tensor, _, _ in rows))


@pytest.mark.parametrize("name", ["rnn", "gru", "lstm", "lstm_1997", "cifg", "janet", "ugrnn", "lstm_x2"])
def test_all_weights_of_gated_cells(name: str) -> None:
    own = cell_named(name)
    count = sum(rows for _, _, rows in own.gate_rows(2, 3))
    assert count == sum(shape[0] for shape in own.parameters.shapes(2, 3).values())


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("diagonal", "W_a b_a"),
        ("diagonal_x2", "W_a b_a W_a_l1 b_a_l1"),
        ("diagonal_signed", "W_a b_a"),
        ("mingru", "W_z b_z"),
        ("minlstm", "W_f b_f W_i b_i"),
        ("minlstm_unscaled", "W_f b_f W_i b_i"),
        ("qrnn", "W1_z W1_f W1_o W2_z W2_f W2_o b_z b_f b_o"),  # half of them by way of a state
        ("mlstm", "W_o b_o"),
        ("nnpda", "W_s V_s W_a V_a"),
        ("russ", "W_s W_v b_a"),  # and not what is pushed
        ("selective", ""),
        ("rnn_relu", ""),
        ("irnn", ""),
    ],
)
def test_what_enters_a_gate_and_nothing_else(name: str, found: str) -> None:
    assert tensors(name) == found
    assert cell_named(name).gated == bool(found)


def test_peepholes_are_weights_of_gates() -> None:
    own = cell_named("peephole")
    assert {tensor for tensor, _, _ in own.gate_rows(2, 3)} == {*own.parameters.shapes(2, 3)}


def test_exponential_gates_are_not_sharpened() -> None:
    """Of i, f, z and o in sLSTM only z and o have ends to come to."""
    assert {(first, rows) for _, first, rows in cell_named("slstm").gate_rows(2, 3)} == {(6, 3), (9, 3)}


def test_what_reads_a_memory_for_a_gate_is_not_multiplied_twice() -> None:
    """W_sh is multiplied by the gate's own matrix; W_n and W_a decide."""
    named = tensors("stack_rnn").split()
    assert {"W_n.weight", "W_a.bias"} <= {*named}
    assert not any(name.startswith("W_sh") for name in named)


@pytest.mark.parametrize("name", KNOWN)
def test_every_cell_can_be_read(name: str) -> None:
    shapes = KNOWN[name].parameters.shapes(2, 3)
    for tensor, first, rows in KNOWN[name].gate_rows(2, 3):
        assert 0 <= first < first + rows <= shapes[tensor][0]
    assert KNOWN[name].gated == (name not in ("rnn_relu", "irnn", "selective"))


def test_cells_of_one_s_own() -> None:
    assert all(toy.gated for name, toy in TOYS.items() if name != "delay_line")
    assert {(first, rows) for _, first, rows in TOYS["paired"].gate_rows(2, 3)} == {(0, 3)}  # b enters a ReLU
    assert UNBOUNDED["unbounded"].gated
    assert not UNBOUNDED["stacked"].gated
    assert CELLS["lstm"].gated
