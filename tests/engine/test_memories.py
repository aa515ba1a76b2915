"""Cells with memories: the names of their tensors, and how their weights begin."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from abacist.cells import MEMORIES, Cell, Layout, cell_named
from abacist.errors import BadInput
from abacist.specs import Networks
from tests.engine.cases import layout_of, random_networks
from tests.requirements import need

by_name = pytest.mark.parametrize("cell", MEMORIES.values(), ids=MEMORIES)


@need("torch")
@pytest.mark.parametrize(
    ("name", "layer", "read"),
    [("stack_rnn", "rnn", "W_sh"), ("stack_lstm", "lstm", "W_sh"), ("baby_ntm", "rnn", "W_m")],
)
def test_weights_come_and_go_under_their_authors_names(name: str, layer: str, read: str) -> None:
    import torch

    recurrent = torch.nn.LSTM if layer == "lstm" else torch.nn.RNN
    sizes = {"W_y": (8, 4), "W_n": (8, 5), "W_a": (8, 5 if name == "baby_ntm" else 2), read: (5, 8)}
    layers = {layer: recurrent(4, 8)} | {own: torch.nn.Linear(*size) for own, size in sizes.items()}
    module = torch.nn.ModuleDict(layers)
    published = module.state_dict()
    networks = Networks.from_tensors(cell_named(name), published)
    assert networks.layout == Layout(cell_named(name), 4, 8, 4)
    back = networks.state_dict(0, output="W_y")
    assert back.keys() == published.keys()
    assert all(torch.equal(back[own], published[own]) for own in published)
    with pytest.raises(BadInput, match=f"^{name}: needs the tensors that its parameters name, got "):
        Networks.from_tensors(cell_named(name), {own: back[own] for own in list(back)[:-3]})


@by_name
def test_a_network_is_found_again_in_its_tensors(cell: Cell) -> None:
    networks = random_networks(layout_of(cell, 3, "dyck-2"), 2, seed=6)
    again = Networks.from_tensors(cell, networks.tensors(1))
    assert again.layout == networks.layout
    assert again.parameters.tobytes() == networks.parameters[1:].tobytes()


#: What the weights of cells without linear layers begin within: actions of the NNPDA are small.
BOUNDS = {
    "nnpda": {"W_s": 1 / sqrt(20), "V_s": 1 / sqrt(20), "W_a": 0.1 / sqrt(20), "V_a": 0.1 / sqrt(20)},
    "russ": {"W_e": 1.0, "W_s": 1 / sqrt(40), "W_v": 1 / sqrt(40), "b_a": 1 / sqrt(20)},
}


@by_name
def test_first_weights_end_where_they_should(cell: Cell) -> None:
    """A linear layer's by its own inputs, a recurrent one's and the output layer's by the units."""
    networks = Networks.initial(layout_of(cell, 20, "dyck-2"), range(30), "float64")
    tensors, shapes = [networks.tensors(run) for run in range(30)], networks.layout.shapes
    for name in shapes:
        layer, _, kind = name.rpartition(".")
        of_layer = kind in ("weight", "bias") and layer != "output"
        usual = 1 / sqrt(shapes[f"{layer}.weight"][1] if of_layer else 20)
        bound = BOUNDS.get(cell.name, {}).get(kind, usual)
        assert 0.9 * bound < max(np.abs(of_run[name]).max() for of_run in tensors) <= bound
