"""The cells of the zoo: their formulas, gradients and training against PyTorch modules of a dozen lines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from abacist.cells import ZOO, Cell
from abacist.corpora import Window
from abacist.engine import train
from abacist.specs import Networks
from tests.engine import pytorch
from tests.engine.cases import (
    any_words,
    each,
    is_judged_and_traced,
    layout_of,
    random_networks,
    small,
)
from tests.engine.test_gradients import slope_of_the_loss
from tests.requirements import need

by_name = pytest.mark.parametrize("cell", ZOO.values(), ids=ZOO)


@by_name
@pytest.mark.parametrize("hidden", [1, 5])
def test_the_derived_adjoint_is_the_slope_of_the_loss(cell: Cell, hidden: int) -> None:
    networks = random_networks(layout_of(cell, hidden), 1, seed=hidden, scale=1.5)
    ((word, targets, counted),) = each(any_words("dyck-1", [6], seed=hidden))
    counted[2] = 0
    slope = slope_of_the_loss(networks, word, targets, counted)
    assert (np.abs(slope) > 1e-7).mean() > 0.4  # dead units of ReLU have none


@by_name
@need("torch")
@pytest.mark.parametrize("hidden", [1, 6])
def test_the_formula_and_its_adjoint_are_those_of_the_module(cell: Cell, hidden: int) -> None:
    networks = random_networks(layout_of(cell, hidden, "dyck-2"), 1, seed=hidden, scale=1.5)
    pytorch.is_the_module_s(networks, any_words("dyck-2", [1, 20], seed=hidden))


def ends_at_the_module_s_weights(cell: Cell, **change: Any) -> None:
    """Training ends where PyTorch's does, in both precisions."""
    spec = small(cell, precision="float64", training=100, short=Window(2, 12), long=Window(18, 20))
    spec = replace(spec, **change)
    expected = pytorch.ends_at_the_module_s_weights(spec)
    single = train(replace(spec, precision="float32"), [3, 4])
    np.testing.assert_allclose(single.networks.parameters[1], expected, rtol=0, atol=1e-4)


@need("torch")
def test_training_ends_at_the_module_s_weights() -> None:
    ends_at_the_module_s_weights(ZOO["peephole"], batch=4, training=98)


@pytest.mark.thorough
@by_name
@need("torch")
def test_three_hundred_updates_of_every_cell_end_at_the_module_s_weights(cell: Cell) -> None:
    ends_at_the_module_s_weights(cell)


@pytest.mark.parametrize(
    "cell",
    [
        pytest.param(own, id=name, marks=() if name == "qrnn" else pytest.mark.thorough)
        for name, own in ZOO.items()
    ],
)
def test_every_cell_is_judged_and_traced_as_the_reference_does(cell: Cell) -> None:
    networks = random_networks(layout_of(cell, 3, "dyck-2"), 1, seed=4, scale=3.0)
    is_judged_and_traced(networks, any_words("dyck-2", [1, 7, 30, 12], seed=5))


def test_an_irnn_begins_as_the_identity() -> None:
    networks = Networks.initial(layout_of(ZOO["irnn"], 64, "dyck-2"), [0, 1], "float64")
    first, second = networks.tensors(0), networks.tensors(1)
    assert (first["rnn.weight_hh_l0"] == np.eye(64)).all()
    assert not first["rnn.bias_ih_l0"].any()
    assert not first["rnn.bias_hh_l0"].any()
    assert 0.0008 < first["rnn.weight_ih_l0"].std() < 0.0012
    assert (first["rnn.weight_ih_l0"] != second["rnn.weight_ih_l0"]).all()
    assert np.abs(first["output.weight"]).max() > 0.12  # drawn as ever
