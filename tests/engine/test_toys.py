"""A cell of a few lines, defined anywhere, is differentiated, trained, judged and traced like any other."""

from __future__ import annotations

import numpy as np
import pytest

from abacist.compiler.graph import step_graph
from abacist.compiler.scheduling import schedule
from abacist.languages import language_named
from abacist.specs import Spec
from tests.cells.toys import TOYS
from tests.engine.cases import any_words, each, is_judged_and_traced, layout_of, random_networks, train_on
from tests.engine.reference import loss
from tests.engine.test_gradients import is_the_derived_gradient, slope_of_the_loss

toys = pytest.mark.parametrize("name", TOYS)

#: Three of them; the others take turns with these in what is compiled, and are thorough.
some_toys = pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in ("deep", "forgetful", "shaped") else pytest.mark.thorough)
        for name in TOYS
    ],
)

HIDDEN = 2


@toys
def test_the_derived_adjoint_is_the_slope_of_the_loss(name: str) -> None:
    networks = random_networks(layout_of(TOYS[name], HIDDEN), 1, seed=2, scale=1.5)
    ((word, targets, counted),) = each(any_words("dyck-1", [9], seed=4))
    slope_of_the_loss(networks, word, targets, counted)


@pytest.mark.thorough
@toys
def test_the_kernels_gradient_is_the_derived_one(name: str) -> None:
    networks = random_networks(layout_of(TOYS[name], HIDDEN), 2, seed=2)
    spec = Spec(language_named("dyck-1"), TOYS[name], HIDDEN, precision="float64")
    runs = [any_words("dyck-1", [1, 12, 5], seed=seed) for seed in range(2)]
    is_the_derived_gradient(spec, networks, runs)


@some_toys
def test_training_lowers_the_loss(name: str) -> None:
    networks = random_networks(layout_of(TOYS[name], HIDDEN), 2, seed=2)
    spec = Spec(language_named("dyck-1"), TOYS[name], HIDDEN, precision="float64", rate=0.02, epochs=40)
    runs = [any_words("dyck-1", [1, 12, 5, 8, 20, 3], seed=seed) for seed in range(2)]
    trained = train_on(spec, networks, runs)
    assert (trained.losses[:, -1] < 0.7 * trained.losses[:, 0]).all()
    for run, words in enumerate(runs):
        mean = np.mean([loss(trained.networks, run, *word) for word in each(words)])
        assert mean < 0.8 * trained.losses[run, 0]


@some_toys
def test_traces_and_verdicts_are_the_references(name: str) -> None:
    networks = random_networks(layout_of(TOYS[name], HIDDEN), 1, seed=3, scale=2.0)
    words = any_words("dyck-1", [1, 15, 30], seed=5)
    is_judged_and_traced(networks, words, 1e-9)


def test_a_product_of_a_product_takes_a_further_stage() -> None:
    stages = {
        name: max(loop.stage for loop in schedule(step_graph(layout_of(toy, 2)).after).loops)
        for name, toy in TOYS.items()
    }
    assert stages == {
        "minimal": 1, "paired": 0, "delayed": 0, "deep": 2, "forgetful": 1, "affine": 0,
        "delay_line": 0, "shaped": 1,
    }  # fmt: skip
