"""Networks of several layers against PyTorch's, and against the slow reference."""

from __future__ import annotations

from dataclasses import replace

import pytest

from abacist.cells import CELLS, Cell, stacked
from abacist.corpora import Window
from abacist.engine import trace
from tests.cells.toys import TOYS
from tests.engine import pytorch
from tests.engine.cases import any_words, cells, each, is_judged_and_traced, layout_of, random_networks, small
from tests.engine.test_gradients import slope_of_the_loss
from tests.requirements import need

by_name = pytest.mark.parametrize("cell", cells, ids=lambda cell: cell.name)


@by_name
@need("torch")
@pytest.mark.parametrize("layers", [2, 3])
def test_states_and_gradients_are_pytorch_s(cell: Cell, layers: int) -> None:
    networks = random_networks(layout_of(stacked(cell, layers), 3, "dyck-2"), 1, seed=layers)
    pytorch.is_the_module_s(networks, any_words("dyck-2", [1, 15], seed=layers))


@pytest.mark.parametrize("name", ["minimal", "paired", "deep"])
def test_the_derived_adjoint_is_the_slope_of_the_loss(name: str) -> None:
    networks = random_networks(layout_of(stacked(TOYS[name], 2), 3), 1, seed=1, scale=1.5)
    ((word, targets, counted),) = each(any_words("dyck-1", [6], seed=2))
    slope_of_the_loss(networks, word, targets, counted)


def ends_at_pytorch_s_weights(cell: Cell, layers: int) -> None:
    spec = small(cell, precision="float64", training=100, short=Window(2, 16), long=Window(18, 20))
    pytorch.ends_at_the_module_s_weights(replace(spec, layers=layers))


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
    is_judged_and_traced(networks, words)
    assert {"i", "i_l0", "c", "c_l0"} <= set(trace(networks, 0, each(words)[0][0]).values)
