"""Layers: what a cell of several is, what it is called, and how it travels."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from abacist.algebra import tanh
from abacist.cells import (
    CELLS,
    KNOWN,
    ZOO,
    AbsentCell,
    Cell,
    Layout,
    Stacked,
    cell,
    cell_named,
    cell_written,
    stacked,
    written_cell,
)
from abacist.compiler.graph import step_graph
from abacist.errors import BadInput, UnknownName
from abacist.languages import language_named
from abacist.specs import Networks, Spec
from tests.cells.toys import TOYS


@cell(gates="a")
def mine_x2(w: Any, x: Any, h: Any) -> Any:
    """A cell of one layer with a name that speaks of two."""
    return tanh(w.a(x, h))


@pytest.mark.parametrize("own", [*KNOWN.values(), TOYS["shaped"]], ids=lambda own: own.name)
def test_a_layer_is_the_cell_and_reads_the_one_below(own: Cell) -> None:
    """Whatever the formula: three layers computed one by one are the cell of three layers."""
    three = stacked(own, 3)
    layout, rng = Layout(three, 4, 3, 2), np.random.default_rng(0)
    tensors = {name: rng.normal(size=shape) for name, shape in layout.shapes.items()}
    sizes = dict(zip(three.state_names, layout.state_sizes, strict=True))
    states = {name: rng.normal(size=size) for name, size in sizes.items()}
    x = np.eye(4)[1]
    weights = layout.weights(lambda name, first, rows: tensors[name][first : first + rows])
    found = dict(zip(three.state_names, three.advance(weights, x, tuple(states.values())), strict=True))
    for layer, suffix in enumerate(("_l0", "_l1", "")):
        alone = Layout(own, len(x), 3, 2)

        def part(name: str, first: int, rows: int, layer: int = layer) -> Any:
            called = f"{name.removesuffix('_l0')}_l{layer}" if layer else name
            return tensors[called][first : first + rows]

        before = tuple(states[name + suffix] for name in own.state_names)
        after = own.advance(alone.weights(part), x, before)
        for name, state in zip(own.state_names, after, strict=True):
            np.testing.assert_array_equal(found[name + suffix], state)
        x = after[0]


def test_tensors_and_states_have_pytorch_s_names() -> None:
    layout = Layout(stacked(CELLS["lstm"], 2), 5, 3, 2)
    assert layout.cell.state_names == ("h", "c", "h_l0", "c_l0")
    assert list(layout.shapes)[:2] == ["rnn.weight_ih_l0", "rnn.weight_hh_l0"]
    assert list(layout.shapes)[4:] == [
        "rnn.weight_ih_l1", "rnn.weight_hh_l1", "rnn.bias_ih_l1", "rnn.bias_hh_l1",
        "output.weight", "output.bias",
    ]  # fmt: skip
    assert layout.shapes["rnn.weight_ih_l0"] == (12, 5)
    assert layout.shapes["rnn.weight_ih_l1"] == (12, 3)


def test_the_variables_of_every_layer_have_names() -> None:
    names = set(step_graph(Layout(stacked(CELLS["lstm"], 3), 2, 2, 2)).names.values())
    assert {f"{gate}{layer}" for gate in "ifgo" for layer in ("", "_l0", "_l1")} <= names
    assert {"h", "c", "h_l0", "c_l1", "y"} <= names


@pytest.mark.parametrize("own", [CELLS["lstm"], ZOO["mingru"], TOYS["minimal"]], ids=lambda own: own.name)
def test_several_layers_are_written_and_read(own: Cell) -> None:
    two = stacked(own, 2)
    assert isinstance(two, Stacked)
    assert cell_written(written_cell(two)) == two
    assert pickle.loads(pickle.dumps(two)) == two
    assert two not in (own, stacked(own, 3))
    assert two.gated == own.gated
    assert stacked(own, 1) == own


def test_cells_with_layers_go_by_their_names() -> None:
    assert cell_named("lstm_x2") == stacked(CELLS["lstm"], 2)
    with pytest.raises(UnknownName, match="unknown cell 'lsm', did you mean lstm"):
        cell_named("lsm_x2")
    with pytest.raises(BadInput, match="Layers: there can be 2 to 8 layers, got 9"):
        cell_named("lstm_x9")
    assert written_cell(mine_x2).startswith("mine_x2#")
    assert cell_written(written_cell(mine_x2)) == mine_x2
    absent = cell_written("nobody#0123456789ab_x2")
    assert isinstance(absent, Stacked)
    assert isinstance(absent.layer, AbsentCell)


def test_a_spec_counts_layers_however_they_are_said() -> None:
    dyck = language_named("dyck-1")
    two = Spec(dyck, CELLS["lstm"], layers=2)
    assert two == Spec(dyck, stacked(CELLS["lstm"], 2)) == Spec.from_dict(two.as_dict())
    assert two.layout.cell == stacked(CELLS["lstm"], 2)
    assert two.key_values() == Spec(dyck, CELLS["lstm"]).key_values() | {"layers": 2}
    for layers in (0, 9):
        with pytest.raises(BadInput, match=f"Spec: layers must be from 1 to 8, got {layers}"):
            Spec(dyck, CELLS["lstm"], layers=layers)


def test_every_layer_begins_as_its_cell_says() -> None:
    tensors = Networks.initial(Layout(stacked(ZOO["irnn"], 2), 2, 3, 2), [0], "float64").tensors(0)
    for layer in (0, 1):
        assert (tensors[f"rnn.weight_hh_l{layer}"] == np.eye(3)).all()
        assert 0 < np.abs(tensors[f"rnn.weight_ih_l{layer}"]).max() < 0.002
