"""Cells, gradients and training against PyTorch itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from abacist.cells import Cell
from abacist.corpora import Window
from abacist.engine import train, training_words
from abacist.engine.reference import forward
from abacist.specs import Networks
from tests.compiler.interpreter import derived_gradient
from tests.engine import pytorch
from tests.engine.cases import any_words, cells, each, in_precision, layout_of, random_networks, small
from tests.requirements import need

pytestmark = need("torch")

by_name = pytest.mark.parametrize("cell", cells, ids=lambda cell: cell.name)


@by_name
@pytest.mark.parametrize("hidden", range(1, 9))
def test_the_formula_is_pytorchs_cell(cell: Cell, hidden: int) -> None:
    networks = random_networks(layout_of(cell, hidden, "dyck-2"), 1, seed=hidden, scale=2.0)
    module = pytorch.module_of(networks, 0)
    for word, _, _ in each(any_words("dyck-2", [1, 20], seed=hidden)):
        states, outputs = forward(networks, 0, word)
        hidden_states, scores = pytorch.states_and_outputs(module, word)
        np.testing.assert_allclose(states["h"], hidden_states.detach().numpy(), rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(outputs, scores.detach().numpy(), rtol=1e-12, atol=1e-12)


@by_name
@pytest.mark.parametrize("hidden", range(1, 9))
def test_the_derived_adjoint_is_autograds(cell: Cell, hidden: int) -> None:
    networks = random_networks(layout_of(cell, hidden, "anbn"), 1, seed=hidden)
    module = pytorch.module_of(networks, 0)
    for word, targets, counted in each(any_words("anbn", [12, 1], seed=hidden)):
        counted[::3] = 0
        counted[-1] = 1
        derived = derived_gradient(networks, 0, word, targets, counted)
        by_autograd = pytorch.gradient(module, word, targets, counted)
        np.testing.assert_allclose(derived, by_autograd, rtol=1e-10, atol=1e-14)


@by_name
@pytest.mark.parametrize(
    "change",
    [
        pytest.param({}, id="online"),
        pytest.param({"batch": 4, "training": 98}, id="batch-4", marks=pytest.mark.thorough),
        pytest.param({"steps": "last"}, id="last", marks=pytest.mark.thorough),
        pytest.param(
            {"rate": 0.01, "beta1": 0.8, "epsilon": 1e-3}, id="other-adam", marks=pytest.mark.thorough
        ),
        pytest.param({"rate": 0.01, "decay": 0.3}, id="decay"),
        pytest.param({"order": "own"}, id="own-order", marks=pytest.mark.thorough),
        pytest.param({"order": "fixed"}, id="fixed-order", marks=pytest.mark.thorough),
    ],
)
def test_training_ends_at_pytorchs_weights(cell: Cell, change: dict[str, Any]) -> None:
    spec = small(cell, precision="float64", training=100, short=Window(2, 16), long=Window(18, 20))
    spec = spec.__class__.from_dict(spec.as_dict() | change)
    start = Networks.initial(spec.layout, [3, 4, 5], "float64")
    trained = train(spec, [3, 4, 5], start=start)
    batches = -(-spec.recipe(0).splits[0].count // spec.batch)
    assert trained.updates == 3 * batches == (300 if spec.batch == 1 else 75)
    for run in (0, 2):
        expected = pytorch.train(spec, start, run, training_words(spec, 3 + run), seed=3 + run)
        assert np.abs(expected - start.parameters[run]).max() > 0.01
        np.testing.assert_allclose(trained.networks.parameters[run], expected, rtol=0, atol=1e-9)


@by_name
def test_training_in_float32_ends_near_pytorchs_weights(cell: Cell) -> None:
    spec = small(cell, precision="float32", training=100, short=Window(2, 16), long=Window(18, 20))
    start = Networks.initial(spec.layout, [6, 7], "float32")
    trained = train(spec, [6, 7], start=start)
    expected = pytorch.train(spec, in_precision(start, "float64"), 1, training_words(spec, 7))
    assert trained.networks.parameters.dtype == np.float32
    np.testing.assert_allclose(trained.networks.parameters[1], expected, rtol=0, atol=1e-4)
