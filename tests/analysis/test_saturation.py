"""Saturation multiplies the inputs of all gates, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from abacist.analysis import constructed, sharpened
from abacist.cells import CELLS, Cell, Layout, cell_named
from abacist.engine import trace
from abacist.engine.reference import array_parts, forward
from abacist.errors import BadInput
from abacist.languages import Dyck, language_named
from abacist.specs import PRECISIONS, Networks
from tests.engine import pytorch
from tests.engine.cases import gates_of, in_precision, layout_of, random_networks
from tests.requirements import need

GATED = {name: cell for name, cell in CELLS.items() if cell.sharpens}
each_cell = pytest.mark.parametrize("cell", GATED.values(), ids=GATED)
each_precision = pytest.mark.parametrize("precision", PRECISIONS)

POWERS = (2.0**-6, 0.5, 1.0, 2.0, 4.0, 2.0**10)


def some(cell: Cell, precision: str = "float32", language: str = "shuffle-2") -> Networks:
    return in_precision(random_networks(layout_of(cell, 3, language), 4, seed=7), precision)


@each_precision
@each_cell
def test_twice_is_once_by_the_product(cell: Cell, precision: str) -> None:
    networks = some(cell, precision)
    for a in POWERS:
        for b in POWERS:
            twice = sharpened(sharpened(networks, a), b)
            assert twice.parameters.tobytes() == sharpened(networks, a * b).parameters.tobytes()


@pytest.mark.parametrize("factor", [1, 3.7])
@each_precision
@each_cell
def test_every_tensor_of_the_gates_and_no_other(cell: Cell, precision: str, factor: float) -> None:
    networks = some(cell, precision)
    sharper = sharpened(networks, factor)
    assert sharper.parameters.dtype == precision
    for run in range(len(networks)):
        before, after = networks.tensors(run), sharper.tensors(run)
        for name, tensor in before.items():
            if name.startswith("output."):
                assert np.array_equal(after[name], tensor)
            else:  # the product, rounded once
                assert np.array_equal(after[name], (tensor.astype(np.float64) * factor).astype(precision))


@each_cell
def test_the_sums_of_the_gates_are_multiplied_exactly(cell: Cell) -> None:
    networks = some(cell, "float64")
    layout = networks.layout
    plain = layout.weights(array_parts(networks, 1))
    rng = np.random.default_rng(3)
    for factor in POWERS:
        sharper = layout.weights(array_parts(sharpened(networks, factor), 1))
        for _ in range(5):
            x, h = np.eye(layout.inputs)[rng.integers(layout.inputs)], rng.uniform(-1, 1, layout.hidden)
            for gate in gates_of(cell):
                assert np.array_equal(getattr(sharper, gate)(x, h), factor * getattr(plain, gate)(x, h))


@each_cell
def test_the_engine_and_pytorch_run_it_like_any_other(cell: Cell) -> None:
    need("torch")
    networks = sharpened(some(cell, "float64"), 2.5)
    word = language_named("shuffle-2").alphabet.parse("([)(])")
    states, outputs = forward(networks, 2, word)
    hidden, scores = pytorch.states_and_outputs(pytorch.module_of(networks, 2), word)
    for found, expected in (
        (hidden.detach().numpy(), states["h"]),
        (scores.detach().numpy(), outputs),
        (trace(networks, 2, word)["h"], states["h"]),
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def test_what_is_saturated_already_stays_right() -> None:
    networks = sharpened(constructed(Dyck(1)), 1000)
    word = Dyck(1).alphabet.parse("((())())")
    assert trace(networks, 0, word)["c"][:, 0].tolist() == [1, 2, 3, 2, 1, 2, 1, 0]


@pytest.mark.parametrize(("precision", "factor"), [("float32", 1e39), ("float64", 1e308)])
def test_weights_must_stay_finite(precision: str, factor: float) -> None:
    networks = constructed(Dyck(1), precision)
    with pytest.raises(BadInput, match=f"must stay finite in {precision}, but times .* those of network 0"):
        sharpened(networks, factor)


def test_cells_without_gates_are_refused() -> None:
    networks = Networks.initial(Layout(CELLS["rnn_relu"], 2, 2, 2), [0])
    with pytest.raises(BadInput, match="sharpened: rnn_relu has no gates to sharpen"):
        sharpened(networks, 2)


@pytest.mark.parametrize(
    ("cell", "gates"),
    [
        pytest.param("peephole", "ifo", marks=pytest.mark.thorough),
        ("peephole_x2", "ifo"),
        pytest.param("qrnn", "fo", marks=pytest.mark.thorough),
        pytest.param("diagonal", "a", marks=pytest.mark.thorough),
        pytest.param("minlstm_unscaled", "fi", marks=pytest.mark.thorough),
        ("mlstm", "o"),
        ("stack_rnn", "an"),
        pytest.param("russ", "a", marks=pytest.mark.thorough),
    ],
)
def test_gates_of_any_cell_become_steps(cell: str, gates: str) -> None:
    """σ and softmax come to 0 and 1, and what is no gate's stays as it was."""
    networks = some(cell_named(cell), "float64")
    sharper = sharpened(networks, 1e9)
    found = trace(sharper, 0, language_named("shuffle-2").alphabet.parse("([)(])"))
    for gate in gates:
        np.testing.assert_allclose(found[gate], found[gate].round(), atol=1e-12)
    names = {name for name, _, _ in networks.layout.cell.gate_rows(4, 3)}
    before, after = networks.tensors(0), sharper.tensors(0)
    assert {name for name in before if np.array_equal(before[name], after[name])} == {*before} - names
