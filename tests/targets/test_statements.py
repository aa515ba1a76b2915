"""Statements are all that a target needs: a second one, which knows no lanes, computes the same."""

from __future__ import annotations

import numpy as np
import pytest

from abacist.cells import CELLS, Cell
from abacist.engine import first_mistakes
from abacist.engine.reference import forward
from abacist.languages import language_named
from abacist.specs import Spec
from tests.cells.toys import TOYS, UNBOUNDED
from tests.engine.cases import any_words, each, kernel_gradient, layout_of, random_networks
from tests.targets import plain

every = pytest.mark.parametrize(
    "cell", [*CELLS.values(), *TOYS.values(), *UNBOUNDED.values()], ids=lambda cell: cell.name
)


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
