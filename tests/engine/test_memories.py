"""Cells with memories: against PyTorch modules written independently, and against finite differences."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from abacist.cells import MEMORIES, Cell, Layout, cell_named
from abacist.cells.memories.layers import ControllerLayers
from abacist.corpora import Window
from abacist.engine import first_mistakes, trace, train
from abacist.engine.reference import forward
from abacist.errors import BadInput
from abacist.languages import language_named
from abacist.specs import Networks, Spec
from tests.compiler.interpreter import derived_gradient
from tests.engine import pytorch
from tests.engine.cases import any_words, each, kernel_gradient, layout_of, random_networks, small
from tests.engine.test_gradients import slope_of_the_loss
from tests.engine.test_judging import mistakes
from tests.requirements import need

by_name = pytest.mark.parametrize("cell", MEMORIES.values(), ids=MEMORIES)

#: Those with linear layers beside a recurrent one.
layered = [cell for cell in MEMORIES.values() if isinstance(cell.parameters, ControllerLayers)]

#: The same where programs must be compiled for each, which takes long.
compiled = pytest.mark.parametrize(
    "cell",
    [
        pytest.param(cell, id=name, marks=() if name == "stack_rnn_1" else pytest.mark.thorough)
        for name, cell in MEMORIES.items()
    ],
)


@need("torch")
@by_name
def test_the_formula_and_its_adjoint_are_pytorchs(cell: Cell) -> None:
    networks = random_networks(layout_of(cell, 3, "dyck-2"), 1, seed=2, scale=2.0)
    pytorch.is_the_module_s(networks, any_words("dyck-2", [2, 25], seed=4), 1e-9)


@pytest.mark.parametrize(
    "name",
    [
        "stack_rnn",
        "stack_rnn_no_op_1",
        "stack_lstm_1",
        "baby_ntm_1",
        pytest.param("ntm", marks=pytest.mark.thorough),
        "nnpda",
        "russ",
    ],
)
def test_the_derived_adjoint_is_the_slope_of_the_loss(name: str) -> None:
    networks = random_networks(layout_of(MEMORIES[name], 2), 1, seed=5, scale=2.0)
    ((word, targets, counted),) = each(any_words("dyck-1", [7], seed=1))
    counted[2] = 0
    assert np.abs(slope_of_the_loss(networks, word, targets, counted)).max() > 1e-4


@compiled
def test_the_kernels_gradient_is_the_derived_one_beyond_the_last_row(cell: Cell) -> None:
    """Words of 1 to 120 symbols side by side: a memory has 104 rows."""
    networks = random_networks(layout_of(cell, 3, "dyck-2"), 2, seed=1)
    spec = Spec(language_named("dyck-2"), cell, 3, precision="float64")
    runs = [any_words("dyck-2", lengths, seed=3) for lengths in ([1, 13, 120, 6], [120, 2, 5, 40])]
    expected = [
        np.mean([derived_gradient(networks, run, *word) for word in each(words)], axis=0)
        for run, words in enumerate(runs)
    ]
    found = kernel_gradient(spec, networks, runs)
    np.testing.assert_allclose(found, np.array(expected), rtol=1e-9, atol=1e-14)


@pytest.mark.thorough
@need("torch")
@by_name
def test_training_ends_at_pytorchs_weights(cell: Cell) -> None:
    spec = small(cell, precision="float64", training=100, short=Window(2, 16), long=Window(18, 20))
    spec = replace(spec, language=language_named("dyck-2"), rate=0.01)
    pytorch.ends_at_the_module_s_weights(spec)


@compiled
def test_traces_and_verdicts_are_the_references(cell: Cell) -> None:
    """Long words first, so that what they leave behind would be seen in short ones."""
    scale = 2.0 if cell.name == "nnpda" else 3.0  # with larger weights its rounding errors grow beyond all
    networks = random_networks(layout_of(cell, 3, "dyck-2"), 1, seed=3, scale=scale)
    words = any_words("dyck-2", [130, *([9] * 40), 110, 30, *([17] * 40)], seed=5)
    found = first_mistakes(networks, 0, words)
    assert found.tolist() == mistakes(lambda word: forward(networks, 0, word)[1], words)
    word = each(words)[0][0]
    traced, (states, outputs) = trace(networks, 0, word), forward(networks, 0, word)
    for name in cell.state_names:
        np.testing.assert_allclose(traced[name], states[name], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(traced["y"], outputs, rtol=1e-9, atol=1e-9)


@pytest.mark.thorough
def test_a_run_does_not_depend_on_its_neighbours() -> None:
    spec = replace(small(MEMORIES["stack_rnn"]), language=language_named("dyck-2"))
    together, alone = train(spec, range(5)), train(spec, [3])
    assert together.networks.parameters[3].tobytes() == alone.networks.parameters[0].tobytes()


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


def test_actions_of_the_nnpda_begin_small() -> None:
    networks = Networks.initial(layout_of(MEMORIES["nnpda"], 20, "dyck-2"), range(9), "float64")
    tensors = [networks.tensors(run) for run in range(9)]
    for name, bound in {"W_s": 1.0, "V_s": 1.0, "W_a": 0.1, "V_a": 0.1}.items():
        most = max(np.abs(own[f"rnn.{name}"]).max() for own in tensors)
        assert 0.9 * bound < sqrt(20) * most <= bound


def test_embeddings_of_russ_begin_between_plus_and_minus_one() -> None:
    networks = Networks.initial(layout_of(MEMORIES["russ"], 20, "dyck-2"), range(30), "float64")
    tensors = [networks.tensors(run) for run in range(30)]
    bounds = {"W_e": 1.0, "W_s": 1 / sqrt(40), "W_v": 1 / sqrt(40), "b_a": 1 / sqrt(20)}
    for name, bound in bounds.items():
        assert 0.9 * bound < max(np.abs(own[f"rnn.{name}"]).max() for own in tensors) <= bound


@pytest.mark.parametrize("cell", layered, ids=lambda cell: cell.name)
def test_first_weights_end_where_pytorchs_do(cell: Cell) -> None:
    """A linear layer's by its own inputs, a recurrent one's and the output layer's by the units."""
    networks = Networks.initial(layout_of(cell, 20, "dyck-2"), range(30), "float64")
    tensors, shapes = [networks.tensors(run) for run in range(30)], networks.layout.shapes
    for name in shapes:
        layer, _, kind = name.rpartition(".")
        own_inputs = kind in ("weight", "bias") and layer != "output"
        inputs = shapes[f"{layer}.weight"][1] if own_inputs else 20
        most = max(np.abs(own[name]).max() for own in tensors)
        assert 0.9 / sqrt(inputs) < most <= 1 / sqrt(inputs)
