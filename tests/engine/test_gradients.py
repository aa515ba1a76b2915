"""The derived adjoint, and the kernel that is printed from it, give the gradient of the reference's loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.cells import CELLS, Cell
from abacist.corpora import Words
from abacist.languages import language_named
from abacist.specs import Networks, Spec
from tests.compiler.interpreter import derived_gradient
from tests.engine.cases import any_words, cells, each, kernel_gradient, layout_of, random_networks
from tests.engine.reference import loss

Array = NDArray[Any]

by_name = pytest.mark.parametrize("cell", cells, ids=lambda cell: cell.name)


def differences(networks: Networks, measure: Callable[[Networks], float]) -> Array:
    """The gradient by central finite differences, (parameter,)."""
    found = np.zeros(networks.layout.size)
    for place in range(networks.layout.size):
        sides = []
        for shift in (1e-6, -1e-6):
            moved = networks.parameters.copy()
            moved[0, place] += shift
            sides.append(measure(Networks(networks.layout, moved)))
        found[place] = (sides[0] - sides[1]) / 2e-6
    return found


def slope_of_the_loss(networks: Networks, word: tuple[int, ...], targets: Array, counted: Array) -> Array:
    """The gradient of a word's loss by differences; that of the derived adjoint is the same."""
    slope = differences(networks, lambda moved: loss(moved, 0, word, targets, counted))
    derived = derived_gradient(networks, 0, word, targets, counted)
    np.testing.assert_allclose(derived, slope, rtol=1e-6, atol=2e-9)
    return slope


@by_name
@pytest.mark.parametrize(
    "hidden", [1, 2, 3, *(pytest.param(units, marks=pytest.mark.thorough) for units in range(4, 9))]
)
def test_the_derived_adjoint_is_the_slope_of_the_loss(cell: Cell, hidden: int) -> None:
    language = ("dyck-1", "anbn")[hidden % 2]
    networks = random_networks(layout_of(cell, hidden, language), 1, seed=hidden, scale=1.5)
    ((word, targets, counted),) = each(any_words(language, [6], seed=hidden))
    counted[2] = 0
    assert np.abs(slope_of_the_loss(networks, word, targets, counted)).max() > 1e-4


def is_the_derived_gradient(spec: Spec, networks: Networks, runs: list[Words]) -> None:
    """The kernel's gradient of every run is the mean of its words', derived and interpreted."""
    expected = [
        np.mean([derived_gradient(networks, run, *word) for word in each(words)], axis=0)
        for run, words in enumerate(runs)
    ]
    np.testing.assert_allclose(
        kernel_gradient(spec, networks, runs), np.array(expected), rtol=1e-10, atol=1e-15
    )


@by_name
@pytest.mark.parametrize(
    ("hidden", "language"),
    [
        (3, "dyck-1"),
        pytest.param(1, "dyck-1", marks=pytest.mark.thorough),
        pytest.param(7, "dyck-2", marks=pytest.mark.thorough),
    ],
)
def test_the_kernels_gradient_is_the_derived_one(cell: Cell, hidden: int, language: str) -> None:
    networks = random_networks(layout_of(cell, hidden, language), 3, seed=hidden)
    spec = Spec(language_named(language), cell, hidden, precision="float64")
    runs = [any_words(language, [1, 13, 6, 29, 2], seed=seed) for seed in range(3)]
    is_the_derived_gradient(spec, networks, runs)


@pytest.mark.parametrize(
    ("name", "hidden"),
    [("rnn", 100), *(pytest.param(name, 256, marks=pytest.mark.thorough) for name in CELLS)],
)
def test_so_it_is_with_many_units(name: str, hidden: int) -> None:
    """Where gradients are summed in loops over columns, with some left over."""
    networks = random_networks(layout_of(CELLS[name], hidden, "dyck-2"), 2, seed=hidden)
    spec = Spec(language_named("dyck-2"), CELLS[name], hidden, precision="float64")
    runs = [any_words("dyck-2", [13, 2], seed=seed) for seed in range(2)]
    is_the_derived_gradient(spec, networks, runs)


@by_name
def test_the_kernels_gradient_of_the_last_prediction_alone(cell: Cell) -> None:
    networks = random_networks(layout_of(cell, 3), 2, seed=5)
    spec = Spec(language_named("dyck-1"), cell, 3, precision="float64", steps="last")
    runs = [any_words("dyck-1", [9, 4, 1], seed=seed, steps="last") for seed in range(2)]
    assert [int(counted.sum()) for _, _, counted in each(runs[0])] == [1, 1, 0]
    expected = [
        np.mean([derived_gradient(networks, run, *word) for word in each(words)], axis=0)
        for run, words in enumerate(runs)
    ]
    np.testing.assert_allclose(
        kernel_gradient(spec, networks, runs), np.array(expected), rtol=1e-10, atol=1e-15
    )
