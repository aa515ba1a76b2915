"""The derived adjoint, and the kernel that is printed from it, give the gradient of the reference's loss."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abacist.cells import CELLS, MEMORIES, ZOO
from abacist.corpora import Words
from abacist.languages import language_named
from abacist.specs import Networks, Spec
from tests.cells.looking import LOOKING
from tests.cells.toys import TOYS
from tests.compiler.interpreter import derived_gradient
from tests.engine.cases import (
    EVERY,
    any_words,
    each,
    kernel_gradient,
    layout_of,
    random_networks,
    thorough_but,
)
from tests.engine.reference import loss

Array = NDArray[Any]


def differences(networks: Networks, measure: Callable[[Networks], float]) -> Array:
    """The gradient by central finite differences, (parameter,)."""
    slopes = np.zeros(networks.layout.size)
    for place in range(networks.layout.size):
        sides = []
        for shift in (1e-6, -1e-6):
            moved = networks.parameters.copy()
            moved[0, place] += shift
            sides.append(measure(Networks(networks.layout, moved)))
        slopes[place] = (sides[0] - sides[1]) / 2e-6
    return slopes


#: Cells with their hidden units; the others of the memories have the same formulas with more actions or rows.
SLOPES = [
    *product(CELLS, (1, 2, 3)),
    *product(ZOO, (1, 5)),
    *product(("stack_rnn", "stack_rnn_no_op_1", "stack_lstm_1", "baby_ntm_1", "nnpda", "russ"), (2,)),
    *product(LOOKING, (1, 3)),
    *product(TOYS, (2,)),
    *product(("minimal_x2", "paired_x2", "deep_x2"), (3,)),
]


@pytest.mark.parametrize(
    ("name", "hidden"), thorough_but(SLOPES, [*SLOPES, *product(CELLS, range(4, 9)), ("ntm", 2)])
)
def test_the_derived_adjoint_is_the_slope_of_the_loss(name: str, hidden: int) -> None:
    language = "anbn" if name in CELLS and hidden % 2 else "dyck-1"
    scale, length = 2.0 if name in MEMORIES else 1.5, 12 if name in LOOKING else 7
    networks = random_networks(layout_of(EVERY[name], hidden, language), 1, seed=hidden, scale=scale)
    ((word, targets, counted),) = each(any_words(language, [length], seed=hidden))
    counted[2] = 0
    slope = differences(networks, lambda moved: loss(moved, 0, word, targets, counted))
    derived = derived_gradient(networks, 0, word, targets, counted)
    np.testing.assert_allclose(derived, slope, rtol=1e-6, atol=2e-9)
    assert np.abs(slope).max() > 1e-4
    assert name not in ZOO or (np.abs(slope) > 1e-7).mean() > 0.4  # dead units of ReLU have none


def is_the_derived_gradient(spec: Spec, runs: list[Words], *, seed: int) -> None:
    """The kernel's gradient of every run is the mean of its words', derived and interpreted."""
    networks = random_networks(spec.layout, len(runs), seed=seed)
    expected = [
        np.mean([derived_gradient(networks, run, *word) for word in each(words)], axis=0)
        for run, words in enumerate(runs)
    ]
    gradient = kernel_gradient(spec, networks, runs)
    np.testing.assert_allclose(gradient, np.array(expected), rtol=1e-9, atol=1e-14)


#: Cells, hidden units and languages. With many units, gradients are summed in loops over columns, with some
#: left over.
KERNELS = [
    *product(CELLS, (3,), ("dyck-1",)),
    ("rnn", 100, "dyck-2"),
    ("stack_rnn_1", 3, "dyck-2"),
    ("stacked_up", 3, "dyck-1"),
]
FURTHER = [
    *product(CELLS, (1,), ("dyck-1",)),
    *product(CELLS, (7, 256), ("dyck-2",)),
    *product((name for name in MEMORIES if name != "stack_rnn_1"), (3,), ("dyck-2",)),
    *product(LOOKING, (1, 3), ("dyck-1",)),
    *product(TOYS, (2,), ("dyck-1",)),
]


@pytest.mark.parametrize(
    ("name", "hidden", "language"), thorough_but(KERNELS, dict.fromkeys([*KERNELS, *FURTHER]))
)
def test_the_kernels_gradient_is_the_derived_one(name: str, hidden: int, language: str) -> None:
    """Words of other lengths lie side by side; with memories, they go beyond the last of 104 rows."""
    lengths = [1, 13, 120, 6] if name in MEMORIES else [13, 2] if hidden > 99 else [1, 13, 6, 29, 2]
    runs = [any_words(language, np.roll(lengths, seed).tolist(), seed=seed) for seed in range(2)]
    spec = Spec(language_named(language), EVERY[name], hidden, precision="float64")
    is_the_derived_gradient(spec, runs, seed=hidden)


@pytest.mark.parametrize("name", CELLS)
def test_the_kernels_gradient_of_the_last_prediction_alone(name: str) -> None:
    runs = [any_words("dyck-1", [9, 4, 1], seed=seed, steps="last") for seed in range(2)]
    assert [int(counted.sum()) for _, _, counted in each(runs[0])] == [1, 1, 0]
    spec = Spec(language_named("dyck-1"), CELLS[name], 3, precision="float64", steps="last")
    is_the_derived_gradient(spec, runs, seed=5)
