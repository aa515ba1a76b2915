"""Networks of several layers against PyTorch's, and against the slow reference."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from abacist.cells import CELLS, Cell, stacked
from abacist.corpora import Window
from abacist.engine import first_mistakes, trace, train, training_words
from abacist.engine.reference import forward, loss
from abacist.specs import Networks
from tests.cells.toys import TOYS
from tests.compiler.interpreter import derived_gradient
from tests.engine import pytorch
from tests.engine.cases import any_words, cells, each, layout_of, random_networks, small
from tests.engine.test_gradients import differences
from tests.requirements import need

by_name = pytest.mark.parametrize("cell", cells, ids=lambda cell: cell.name)


@by_name
@need("torch")
@pytest.mark.parametrize("layers", [2, 3])
def test_states_and_gradients_are_pytorch_s(cell: Cell, layers: int) -> None:
    networks = random_networks(layout_of(stacked(cell, layers), 3, "dyck-2"), 1, seed=layers)
    module = pytorch.module_of(networks, 0)
    for word, targets, counted in each(any_words("dyck-2", [1, 15], seed=layers)):
        states, outputs = forward(networks, 0, word)
        hidden, scores = pytorch.states_and_outputs(module, word)
        np.testing.assert_allclose(states["h"], hidden.detach().numpy(), rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(outputs, scores.detach().numpy(), rtol=1e-12, atol=1e-12)
        derived = derived_gradient(networks, 0, word, targets, counted)
        np.testing.assert_allclose(
            derived, pytorch.gradient(module, word, targets, counted), rtol=1e-10, atol=1e-14
        )


@pytest.mark.parametrize("name", ["minimal", "paired", "deep"])
def test_the_derived_adjoint_is_the_slope_of_the_loss(name: str) -> None:
    networks = random_networks(layout_of(stacked(TOYS[name], 2), 3), 1, seed=1, scale=1.5)
    ((word, targets, counted),) = each(any_words("dyck-1", [6], seed=2))
    derived = derived_gradient(networks, 0, word, targets, counted)
    slope = differences(networks, lambda moved: loss(moved, 0, word, targets, counted))
    np.testing.assert_allclose(derived, slope, rtol=1e-6, atol=2e-9)


def ends_at_pytorch_s_weights(cell: Cell, layers: int) -> None:
    spec = small(cell, precision="float64", training=100, short=Window(2, 16), long=Window(18, 20))
    spec = replace(spec, layers=layers)
    start = Networks.initial(spec.layout, [3, 4], "float64")
    trained = train(spec, [3, 4], start=start)
    assert trained.updates == 300
    expected = pytorch.train(spec, start, 1, training_words(spec, 4), seed=4)
    assert np.abs(expected - start.parameters[1]).max() > 0.01
    np.testing.assert_allclose(trained.networks.parameters[1], expected, rtol=0, atol=1e-9)


@pytest.mark.thorough
@need("torch")
def test_training_ends_at_pytorch_s_weights() -> None:
    ends_at_pytorch_s_weights(CELLS["gru"], 2)


@pytest.mark.thorough
@need("torch")
@by_name
@pytest.mark.parametrize("layers", [2, 3])
def test_training_of_every_cell_ends_at_pytorch_s_weights(cell: Cell, layers: int) -> None:
    ends_at_pytorch_s_weights(cell, layers)


def test_judging_and_tracing_are_the_reference_s() -> None:
    networks = random_networks(layout_of(stacked(CELLS["lstm"], 2), 3, "dyck-2"), 1, seed=4, scale=3.0)
    words = any_words("dyck-2", [1, 7, 30, 12], seed=5)
    for (word, targets, _), place in zip(each(words), first_mistakes(networks, 0, words), strict=True):
        states, outputs = forward(networks, 0, word)
        wrong = np.flatnonzero(((outputs > 0.5) != (targets > 0.5)).any(axis=1))
        assert place == (wrong[0] if len(wrong) else -1)
        traced = trace(networks, 0, word)
        assert {"i", "i_l0", "c", "c_l0"} <= set(traced.values)
        for name, path in states.items():
            np.testing.assert_allclose(traced[name], path, rtol=1e-12, atol=1e-13)
