"""Statements are all that a target needs: a second one, which knows no lanes, computes the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from abacist.algebra import linear, tanh
from abacist.cells import CELLS, ZOO, Cell, Layout, cell, stacked
from abacist.engine import first_mistakes
from abacist.engine.reference import forward
from abacist.languages import language_named
from abacist.specs import Spec
from tests.cells.toys import TOYS, UNBOUNDED
from tests.compiler.interval_reading import step_boxes, step_states
from tests.compiler.made_boxes import boxes_of_all_kinds, scaled_networks
from tests.engine.cases import any_words, each, has_boxes, kernel_gradient, layout_of, random_networks, zoo
from tests.targets import plain

every = pytest.mark.parametrize(
    "cell", [*CELLS.values(), *TOYS.values(), *UNBOUNDED.values(), *zoo], ids=lambda cell: cell.name
)


@pytest.mark.thorough
@every
@pytest.mark.parametrize(("hidden", "language"), [(1, "dyck-1"), (3, "anbn"), (6, "dyck-2")])
def test_both_targets_give_the_same_gradient(cell: Cell, hidden: int, language: str) -> None:
    networks = random_networks(layout_of(cell, hidden, language), 1, seed=hidden)
    spec = Spec(language_named(language), cell, hidden, precision="float64")
    words = any_words(language, [11], seed=hidden)
    ((word, targets, counted),) = each(words)
    found = plain.gradient(networks, word, targets, counted)
    np.testing.assert_allclose(found, kernel_gradient(spec, networks, [words])[0], rtol=1e-9, atol=1e-14)


@every
def test_both_targets_decide_alike(cell: Cell) -> None:
    networks = random_networks(layout_of(cell, 3, "dyck-2"), 1, seed=4, scale=3.0)
    words = any_words("dyck-2", [1, 8, 14], seed=2)
    for (word, targets, _), mistake in zip(each(words), first_mistakes(networks, 0, words), strict=True):
        traced = plain.scores(networks, word, sums=False)
        np.testing.assert_allclose(traced, forward(networks, 0, word)[1], rtol=1e-9, atol=1e-12)
        assert plain.first_wrong(traced, targets) == mistake
        sums = plain.scores(networks, word, sums=True)
        np.testing.assert_allclose(1 / (1 + np.exp(-sums)), traced, rtol=1e-9, atol=1e-12)


@cell(gates="h")
def repeated(w: Any, x: Any, h: Any, same: Any, column: Any, late: Any) -> Any:
    """States that are one vector, one that has no width as a box, and one that is only handed on."""
    h = tanh(w.h(x, h) + 0.1 * same - 0.3 * column)
    return h, h, linear(w.h.input.weight, x), column


@pytest.mark.parametrize(
    "cell",
    [
        *CELLS.values(),
        *TOYS.values(),
        *UNBOUNDED.values(),
        repeated,
        *filter(has_boxes, ZOO.values()),
        stacked(CELLS["gru"], 2),
    ],
    ids=lambda cell: cell.name,
)
@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_single_steps_are_those_of_the_reference(cell: Cell, precision: str) -> None:
    """Of states and of boxes, for every number that comes out."""
    rng = np.random.default_rng(8)
    for hidden in (1, 3):
        layout = Layout(cell, 2, hidden, 3)
        networks = scaled_networks(layout, 1, precision, rng)
        lower, upper = boxes_of_all_kinds((1, 6, sum(layout.state_sizes)), precision, rng)
        states, (low, high) = step_states(networks, 1, lower), step_boxes(networks, 1, lower, upper)
        starts = [*layout.state_starts, sum(layout.state_sizes)]
        for place in range(6):
            found = plain.stepped(networks, 1, lower[0, place], boxes=False)
            np.testing.assert_allclose(found, states[0, place], rtol=1e-9, atol=1e-9)
            sides = [np.split(bounds[0, place], starts[1:-1]) for bounds in (lower, upper)]
            rows = np.concatenate([bound for pair in zip(*sides, strict=True) for bound in pair])
            found = plain.stepped(networks, 1, rows, boxes=True)
            sides = [np.split(bounds[0, place], starts[1:]) for bounds in (low, high)]
            wanted = np.concatenate([bound for pair in zip(*sides, strict=True) for bound in pair])
            apart = 1e-12 if precision == "float64" else 1e-4  # multiplied matrices are rounded
            np.testing.assert_allclose(found, wanted, rtol=apart, atol=apart)
