"""A cell of a few lines, defined anywhere, is differentiated, trained, judged and traced like any other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from abacist.cells import Cell, Layout, cell
from abacist.compiler import schedule, step_graph
from abacist.engine import first_mistakes, trace
from abacist.engine.reference import forward, loss
from abacist.errors import BadInput
from abacist.languages import language_named
from abacist.specs import Spec
from tests.engine.cases import any_words, each, layout_of, random_networks, train_on
from tests.engine.interpreter import derived_gradient
from tests.engine.test_gradients import differences, is_the_derived_gradient
from tests.engine.test_judging import mistakes
from tests.engine.toys import TOYS

toys = pytest.mark.parametrize("name", TOYS)

HIDDEN = 2


@toys
def test_the_derived_adjoint_is_the_slope_of_the_loss(name: str) -> None:
    networks = random_networks(layout_of(TOYS[name], HIDDEN), 1, seed=2, scale=1.5)
    ((word, targets, counted),) = each(any_words("dyck-1", [9], seed=4))
    derived = derived_gradient(networks, 0, word, targets, counted)
    slope = differences(networks, lambda moved: loss(moved, 0, word, targets, counted))
    np.testing.assert_allclose(derived, slope, rtol=1e-6, atol=2e-9)


@toys
def test_the_kernels_gradient_is_the_derived_one(name: str) -> None:
    networks = random_networks(layout_of(TOYS[name], HIDDEN), 2, seed=2)
    spec = Spec(language_named("dyck-1"), TOYS[name], HIDDEN, precision="float64")
    runs = [any_words("dyck-1", [1, 12, 5], seed=seed) for seed in range(2)]
    is_the_derived_gradient(spec, networks, runs)


@toys
def test_training_lowers_the_loss(name: str) -> None:
    networks = random_networks(layout_of(TOYS[name], HIDDEN), 2, seed=2)
    spec = Spec(language_named("dyck-1"), TOYS[name], HIDDEN, precision="float64", rate=0.02, epochs=40)
    runs = [any_words("dyck-1", [1, 12, 5, 8, 20, 3], seed=seed) for seed in range(2)]
    trained = train_on(spec, networks, runs)
    assert (trained.losses[:, -1] < 0.7 * trained.losses[:, 0]).all()
    for run, words in enumerate(runs):
        mean = np.mean([loss(trained.networks, run, *word) for word in each(words)])
        assert mean < 0.8 * trained.losses[run, 0]


@toys
def test_traces_and_verdicts_are_the_references(name: str) -> None:
    networks = random_networks(layout_of(TOYS[name], HIDDEN), 1, seed=3, scale=2.0)
    words = any_words("dyck-1", [1, 15, 30], seed=5)
    for word, _, _ in each(words):
        found = trace(networks, 0, word)
        states, outputs = forward(networks, 0, word)
        for index, state in enumerate(TOYS[name].states):
            np.testing.assert_allclose(found[state], states[:, index], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(found["y"], outputs, rtol=1e-9, atol=1e-9)
    expected = mistakes(lambda word: forward(networks, 0, word)[1], words)
    assert first_mistakes(networks, 0, words).tolist() == expected


def test_a_product_of_a_product_takes_a_further_stage() -> None:
    stages = {
        name: max(loop.stage for loop in schedule(step_graph(layout_of(toy, 2)).after).loops)
        for name, toy in TOYS.items()
    }
    assert stages == {"minimal": 1, "paired": 0, "delayed": 0, "deep": 2}


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        (lambda w, x, h: None, "its formula must return its states, got"),
        (lambda w, x, h: 0.5, "its formula must return its states, got"),
        (lambda w, x, h: (w.n(x, h), h), r"must return 1 state of 3 units \(h\), got sizes \[3, 3\]"),
        (lambda w, x, h: x, r"must return 1 state of 3 units \(h\), got sizes \[2\]"),
        (lambda w, x, h: w.n(x, h) * np.array([1, 2, 3]), "a formula can multiply vectors and numbers, got"),
    ],
)
def test_a_formula_that_returns_something_else_is_told_so(formula: Any, why: str) -> None:
    wrong = Cell("wrong", ("n",), ("h",), formula)
    with pytest.raises(BadInput, match=why):
        step_graph(Layout(wrong, 2, 3, 2))


def test_gates_and_states_have_names_that_can_be_told_apart() -> None:
    with pytest.raises(BadInput, match="gates must differ, got n n"):
        Cell("twice", ("n", "n"), ("h",), lambda w, x, h: h)
    with pytest.raises(BadInput, match="y is the name of the outputs"):
        Cell("output", ("n",), ("h", "y"), lambda w, x, h, y: (h, y))
    with pytest.raises(BadInput, match="gates must be one text, such as 'r z n', got"):
        cell(gates=["n"])  # type: ignore[arg-type]


def test_a_cell_of_ones_own_is_not_taken_for_another_of_its_name() -> None:
    """A store knows cells by name, so it must not keep runs of a cell that only has one's name."""
    own = Cell("lstm", ("n",), ("h",), lambda w, x, h: 0.5 * w.n(x, h))
    for mine in (*TOYS.values(), own):
        with pytest.raises(BadInput, match="only built-in cells can be stored"):
            Spec(language_named("dyck-1"), mine).as_dict()
