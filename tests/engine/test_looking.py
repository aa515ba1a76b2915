"""Formulas of whole vectors are differentiated, trained, judged, traced and stepped like any other."""

from __future__ import annotations

import numpy as np
import pytest

from abacist.cells import Cell
from abacist.engine.reference import forward
from abacist.languages import language_named
from abacist.specs import Networks, Spec
from abacist.targets import target_named
from abacist.targets.webassembly import refusal as refused_by_webassembly
from tests.cells.looking import LOOKING
from tests.compiler.interval_reading import step_states
from tests.engine.cases import (
    any_words,
    each,
    is_judged_and_traced,
    kernel_gradient,
    layout_of,
    random_networks,
)
from tests.engine.test_gradients import is_the_derived_gradient, slope_of_the_loss
from tests.targets import plain

by_name = pytest.mark.parametrize("cell", LOOKING.values(), ids=LOOKING)

#: The same where programs must be compiled for each, which takes long.
compiled = pytest.mark.parametrize(
    "cell",
    [
        pytest.param(cell, id=name, marks=() if name == "stacked_up" else pytest.mark.thorough)
        for name, cell in LOOKING.items()
    ],
)


@by_name
@pytest.mark.parametrize("hidden", [1, 3])
def test_the_derived_adjoint_is_the_slope_of_the_loss(cell: Cell, hidden: int) -> None:
    networks = random_networks(layout_of(cell, hidden), 1, seed=2, scale=1.5)
    ((word, targets, counted),) = each(any_words("dyck-1", [12], seed=4))
    slope_of_the_loss(networks, word, targets, counted)


@compiled
@pytest.mark.parametrize("hidden", [pytest.param(1, marks=pytest.mark.thorough), 3])
def test_both_targets_give_the_derived_gradient(cell: Cell, hidden: int) -> None:
    networks = random_networks(layout_of(cell, hidden), 2, seed=2)
    spec = Spec(language_named("dyck-1"), cell, hidden, precision="float64")
    runs = [any_words("dyck-1", [1, 12, 5, 2], seed=seed) for seed in range(2)]
    is_the_derived_gradient(spec, networks, runs)
    one = any_words("dyck-1", [9], seed=3)
    ((word, targets, counted),) = each(one)
    alone = Networks(networks.layout, networks.parameters[:1])
    found = plain.gradient(alone, word, targets, counted)
    np.testing.assert_allclose(found, kernel_gradient(spec, alone, [one])[0], rtol=1e-9, atol=1e-14)


@pytest.mark.thorough
@by_name
def test_traces_and_verdicts_are_the_references(cell: Cell) -> None:
    networks = random_networks(layout_of(cell, 3), 1, seed=3, scale=2.0)
    words = any_words("dyck-1", [1, 15, 30], seed=5)
    is_judged_and_traced(networks, words, 1e-9)
    for word, _, _ in each(words):
        _, outputs = forward(networks, 0, word)
        for sums in (False, True):
            scores = plain.scores(networks, word, sums=sums)
            scores = 1 / (1 + np.exp(-scores)) if sums else scores
            np.testing.assert_allclose(scores, outputs, rtol=1e-9, atol=1e-12)


@compiled
@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_single_steps_from_any_state_are_those_of_the_reference(cell: Cell, precision: str) -> None:
    layout, rng = layout_of(cell, 3), np.random.default_rng(8)
    networks = Networks(layout, random_networks(layout, 1, seed=4).parameters.astype(precision))
    states = rng.normal(size=(1, 6, sum(layout.state_sizes))).astype(precision)
    wanted = step_states(networks, 1, states)[0]
    stepper = target_named("llvm").stepping(networks, 0, False)
    before, after = (stepper.rows(6, count) for count in (stepper.width, stepper.results))
    before[:, :6] = states[0].T
    stepper(1, before, after, 6)
    np.testing.assert_allclose(after[:, :6].T, wanted, atol=1e-4 if precision == "float32" else 1e-12)
    for place in range(6):
        found = plain.stepped(networks, 1, states[0, place], boxes=False)
        np.testing.assert_allclose(found, wanted[place], rtol=1e-9, atol=1e-9)


def test_who_cannot_compute_a_formula_says_so() -> None:
    layout = layout_of(LOOKING["attentive"], 3)
    assert target_named("cuda").refusal(layout) == "attentive: the target cuda cannot compute 'part'"
    assert refused_by_webassembly(layout) is None
