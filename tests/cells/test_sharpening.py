"""Which weights are those of gates is read off a formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from abacist.algebra import OPERATIONS, linear, register, relu, sigmoid, softmax, tanh
from abacist.algebra.operation import specialise
from abacist.algebra.operations import Operators
from abacist.cells import CELLS, KNOWN, Cell, Gates, Layout, State, cell, cell_named
from abacist.cells import tensors as declared
from abacist.cells.layers import stacked
from abacist.errors import BadInput
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
    assert cell_named(name).sharpens == bool(found)


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
    assert KNOWN[name].sharpens == (name not in ("rnn_relu", "irnn", "selective", "selective_open"))
    assert KNOWN[name].gated == (name not in ("rnn", "rnn_relu", "irnn", "selective", "selective_open"))
    assert stacked(KNOWN[name], 2).gated == KNOWN[name].gated


def test_cells_of_one_s_own() -> None:
    still = [name for name, toy in TOYS.items() if not toy.sharpens]
    assert still == ["delayed"]  # it adds a state that stays
    assert {(first, rows) for _, first, rows in TOYS["paired"].gate_rows(2, 3)} == {(0, 3)}  # b enters a ReLU
    assert UNBOUNDED["unbounded"].sharpens
    assert not UNBOUNDED["stacked"].sharpens
    assert CELLS["lstm"].sharpens


@dataclass(frozen=True, eq=False)
class Frozen(Operators):
    """An array in a formula whose gates do not move: `entered` has what goes into them."""

    array: Any
    entered: list[Any]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(np.shape(self.array))

    @classmethod
    def apply(cls, operation: str, *values: Any) -> Frozen:
        found: Frozen = OPERATIONS[operation](*values)
        return found

    def at_a_gate(self) -> Frozen:
        self.entered.append(self.array)
        return Frozen(np.random.default_rng(len(self.entered)).uniform(0.1, 0.9, self.shape), self.entered)


def read(operation: Any, arguments: Any) -> Frozen:
    frozen = next(a for a in arguments if isinstance(a, Frozen))
    if operation in (sigmoid, tanh):
        return frozen.at_a_gate()
    plain = (a.array if isinstance(a, Frozen) else a for a in arguments)
    return Frozen(operation.arrays(*plain), frozen.entered)


register(Frozen, read)
specialise(Frozen, softmax, Frozen.at_a_gate)


def gate_inputs(own: Cell, by: float) -> list[Any]:
    """What enters gates in three steps, with the weights of gates multiplied."""
    layout, entered = Layout(own, 2, 3, 2), list[Any]()
    weights = np.random.default_rng(0).normal(size=layout.size)
    for first, end in layout.gate_spans:
        weights[first:end] *= by

    def part(tensor: str, first: int, rows: int) -> Frozen:
        width = int(np.prod(layout.shapes[tensor][1:]))
        begin = layout.starts[tensor] + first * width
        own = weights[begin : begin + rows * width]
        return Frozen(own.reshape(rows, *layout.shapes[tensor][1:]), entered)

    states = tuple(Frozen(np.zeros(state.size(3, 2)), entered) for state in own.states)
    for x in np.eye(2)[[0, 1, 0]]:
        states = own.advance(own.parameters.bind(part, 3), Frozen(x, entered), states)
    return entered


@cell(parameters=declared(W_a="hidden inputs", W_b="hidden inputs", b="hidden"))
def halved(w: Any, x: Any, h: Any) -> Any:
    return tanh(linear(w.W_a, x) / 2 + linear(w.W_b, x) + w.b)


@cell(parameters=declared(W_a="hidden inputs", W_b="hidden inputs", b="hidden"))
def shared(w: Any, x: Any, h: Any) -> Any:
    both = linear(w.W_a, x) + w.b
    return sigmoid(both + linear(w.W_b, x)) * relu(both)


@cell(parameters=declared(W_a="hidden inputs", W_b="hidden inputs", b="hidden"))
def twice_late(w: Any, x: Any, h: Any, early: Any, late: Any) -> Any:
    return tanh(linear(w.W_a, x) + late), linear(w.W_b, x) + w.b, early


@cell(parameters=declared(W_a="hidden inputs", W_b="hidden inputs", b="hidden"))
def shown(w: Any, x: Any, h: Any, c: Any) -> Any:
    return linear(w.W_a, x), sigmoid(h + w.b) * c + tanh(linear(w.W_b, x))


OWN = {own.name: own for own in (halved, shared, twice_late, shown)}


@pytest.mark.parametrize("name", [*KNOWN, *TOYS, *UNBOUNDED, *OWN])
def test_a_gate_is_multiplied_whole_or_not_at_all(name: str) -> None:
    """But for numbers in its formula, which stay: σ(s − 1) becomes σ(2 s − 1)."""
    own = (KNOWN | TOYS | UNBOUNDED | OWN)[name]
    moved = 0
    for before, after in zip(gate_inputs(own, 1.0), gate_inputs(own, 2.0), strict=True):
        if not np.allclose(after, before, rtol=1e-9, atol=0.0):
            np.testing.assert_allclose(np.ptp(after - 2.0 * before), 0.0, atol=1e-9)
            moved += 1
    assert bool(moved) == own.sharpens


def test_what_stands_together_is_sharpened_together() -> None:
    found = {name: {tensor for tensor, _, _ in own.gate_rows(2, 3)} for name, own in OWN.items()}
    assert found["halved"] == found["twice_late"] == {"rnn.W_a", "rnn.W_b", "rnn.b"}
    assert found["shared"] == set()
    assert found["shown"] == {"rnn.W_b"}  # the output layer reads what W_a makes


def test_a_formula_with_a_power_is_refused_in_a_sentence() -> None:
    squared = Cell("squared", Gates(("a",)), (State("h"),), lambda w, x, h: tanh(w.a(x, h) ** 2))
    with pytest.raises(BadInput, match="a formula cannot use \\*\\*"):
        squared.gate_rows(2, 3)
