"""Formulas of whole vectors, as statements and as single steps."""

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
from tests.engine.cases import any_words, each, kernel_gradient, layout_of, random_networks, thorough_but
from tests.targets import plain

#: Programs must be compiled for each, which takes long.
compiled = pytest.mark.parametrize(
    "cell", thorough_but([LOOKING["stacked_up"]], LOOKING.values()), ids=LOOKING
)


@compiled
def test_statements_give_the_gradient_and_the_scores(cell: Cell) -> None:
    """Those of the target that interprets statements: the kernel's gradient and the reference's scores."""
    networks = random_networks(layout_of(cell, 3), 1, seed=2)
    spec = Spec(language_named("dyck-1"), cell, 3, precision="float64")
    words = any_words("dyck-1", [9], seed=3)
    ((word, targets, counted),) = each(words)
    gradient = plain.gradient(networks, word, targets, counted)
    np.testing.assert_allclose(gradient, kernel_gradient(spec, networks, [words])[0], rtol=1e-9, atol=1e-14)
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
