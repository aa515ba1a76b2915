"""Objectives other than the squared error: their gradients against finite differences and PyTorch."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from abacist.cells import CELLS, Cell
from abacist.engine.reference import loss
from abacist.errors import BadInput
from abacist.languages import language_named
from abacist.specs import Spec
from tests.engine import pytorch
from tests.engine.cases import any_words, cells, each, kernel_gradient, layout_of, random_networks, train_on
from tests.engine.test_gradients import differences
from tests.requirements import need

BCE = "cross-entropy"

#: Programs must be compiled for each.
CASES = [
    CELLS["gru"],
    *(pytest.param(cell, marks=pytest.mark.thorough) for cell in cells if cell.name != "gru"),
]


@need("torch")
@pytest.mark.parametrize("cell", CASES, ids=lambda cell: cell.name)
def test_the_kernel_s_gradient_is_the_slope_of_the_cross_entropy(cell: Cell) -> None:
    networks = random_networks(layout_of(cell, 2, "anbn"), 1, seed=2)
    spec = Spec(language_named("anbn"), cell, 2, precision="float64", objective=BCE)
    words = any_words("anbn", [8], seed=3)
    ((word, targets, counted),) = each(words)
    found = kernel_gradient(spec, networks, [words])[0]
    slope = differences(networks, lambda moved: loss(moved, 0, word, targets, counted, BCE))
    np.testing.assert_allclose(found, slope, rtol=1e-6, atol=2e-9)
    module = pytorch.module_of(networks, 0)
    value = pytorch.loss(module, word, targets, counted, objective=BCE)
    assert loss(networks, 0, word, targets, counted, BCE) == pytest.approx(float(value.detach()), rel=1e-12)
    squared = kernel_gradient(replace(spec, objective="squared"), networks, [words])[0]
    assert np.abs(found - squared).max() > 0.01


def test_steps_that_do_not_count_and_sums_without_bound_do_no_harm() -> None:
    """The loss of an output that is as wrong as can be is its sum, and not infinite."""
    networks = random_networks(layout_of(CELLS["rnn_relu"], 2), 4, seed=2, scale=50.0)
    spec = Spec(
        language_named("dyck-1"),
        CELLS["rnn_relu"],
        2,
        epochs=1,
        precision="float64",
        steps="last",
        objective=BCE,
    )
    words = any_words("dyck-1", [9, 1], seed=1, steps="last")
    trained = train_on(spec, networks, [words] * 4)
    assert np.isfinite(trained.networks.parameters).all()
    assert np.isfinite(trained.losses).all()
    assert trained.losses.max() > 10


def test_what_there_is_not_is_refused() -> None:
    usual = Spec(language_named("dyck-1"), CELLS["rnn"])
    with pytest.raises(BadInput, match="Spec: objective must be squared or cross-entropy, got 'hinge'"):
        replace(usual, objective="hinge")
