"""Objectives other than the squared error: their gradients against finite differences and PyTorch."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from abacist.cells import CELLS, NEXT_SYMBOL, Cell
from abacist.corpora import pack_texts
from abacist.errors import BadInput
from abacist.languages import language_named
from abacist.specs import Spec
from abacist.targets import target_named, webassembly
from tests.engine import pytorch
from tests.engine.cases import any_words, cells, each, kernel_gradient, random_networks, train_on
from tests.engine.reference import loss
from tests.engine.test_gradients import differences
from tests.requirements import need

BCE = "cross-entropy"

#: Programs must be compiled for each.
CASES = [
    CELLS["gru"],
    *(pytest.param(cell, marks=pytest.mark.thorough) for cell in cells if cell.name != "gru"),
]


@need("torch")
@pytest.mark.parametrize("objective", [BCE, NEXT_SYMBOL])
@pytest.mark.parametrize("cell", CASES, ids=lambda cell: cell.name)
def test_the_kernel_s_gradient_is_the_slope_of_the_loss(cell: Cell, objective: str) -> None:
    spec = Spec(language_named("dyck-1"), cell, 2, precision="float64", objective=objective)
    networks = random_networks(spec.layout, 1, seed=2)
    words = pack_texts(spec.language, ["(()())()"])
    ((word, targets, counted),) = each(words.following() if objective == NEXT_SYMBOL else words)
    assert objective != NEXT_SYMBOL or (targets.argmax(axis=1) == [*word[1:], 2]).all()
    gradient = kernel_gradient(spec, networks, [words])[0]
    slope = differences(networks, lambda moved: loss(moved, 0, word, targets, counted, objective))
    np.testing.assert_allclose(gradient, slope, rtol=1e-6, atol=2e-9)
    value = pytorch.loss(pytorch.module_of(networks, 0), word, targets, counted, objective=objective)
    expected = pytest.approx(float(value.detach()), rel=1e-12)
    assert loss(networks, 0, word, targets, counted, objective) == expected
    assert train_on(replace(spec, epochs=1), networks, [words]).losses[0, 0] == expected


def test_a_beginning_of_a_word_does_not_say_what_comes_after_it() -> None:
    """Nor does the empty word."""
    words = pack_texts(language_named("dyck-1+end"), ["(()", "", "()"]).following()
    assert words.targets.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert words.counted.tolist() == [1, 1, 0, 1, 1]


@pytest.mark.parametrize("objective", [BCE, NEXT_SYMBOL])
def test_steps_that_do_not_count_and_sums_without_bound_do_no_harm(objective: str) -> None:
    """The loss of an output that is as wrong as can be is its sum, and not infinite."""
    spec = Spec(
        language_named("dyck-1"),
        CELLS["rnn_relu"],
        2,
        epochs=1,
        precision="float64",
        steps="last",
        objective=objective,
    )
    networks = random_networks(spec.layout, 4, seed=2, scale=50.0)
    words = any_words(spec.language.name, [9, 1], seed=1, steps="last")
    trained = train_on(spec, networks, [words] * 4)
    assert np.isfinite(trained.networks.parameters).all()
    assert np.isfinite(trained.losses).all()
    assert trained.losses.max() > 10


def test_what_there_is_not_is_refused() -> None:
    usual = Spec(language_named("dyck-1"), CELLS["rnn"])
    known = "squared, cross-entropy or next-symbol"
    with pytest.raises(BadInput, match=f"Spec: objective must be {known}, got 'hinge'"):
        replace(usual, objective="hinge")
    with pytest.raises(BadInput, match=r"Spec: threshold must be 0 but for next-symbol, got 0.2"):
        replace(usual, threshold=0.2)
    with pytest.raises(BadInput, match=r"Spec: threshold must be at least 0 and below 1, got 1.0"):
        replace(usual, objective=NEXT_SYMBOL, threshold=1)


def test_targets_that_decide_every_output_by_itself_refuse_probabilities() -> None:
    layout = Spec(language_named("dyck-1"), CELLS["lstm"], objective=NEXT_SYMBOL).layout
    refusals = (target_named("cuda").refusal(layout), webassembly.refusal(layout))
    for refusal in refusals:
        assert refusal is not None
        assert "decides every output by itself, and these are probabilities" in refusal
