"""A trace follows the reference step by step, in both precisions, and names every gate and state."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abacist.cells import Cell
from abacist.engine import trace
from abacist.engine.reference import array_parts, forward
from abacist.specs import Networks
from abacist.targets import target_for
from tests.engine.cases import (
    LANGUAGES,
    any_words,
    cells,
    each,
    gates_of,
    in_precision,
    layout_of,
    random_networks,
)

#: Every cell at sizes from 1 to 8; languages and precisions take turns. Every size is compiled by itself.
SHAPES, FURTHER = (
    [
        (cell, hidden, LANGUAGES[(hidden + number) % 4], ("float64", "float32")[(hidden // 4 + number) % 2])
        for number, cell in enumerate(cells)
        for hidden in sizes
    ]
    for sizes in ((3, 6), (1, 2, 4, 5, 7, 8))
)

TOLERANCE = {"float64": 1e-13, "float32": 2e-6}

shapes = pytest.mark.parametrize(
    ("cell", "hidden", "language", "precision"),
    [*SHAPES, *(pytest.param(*shape, marks=pytest.mark.thorough) for shape in FURTHER)],
    ids=lambda v: getattr(v, "name", str(v)),
)


@shapes
def test_a_trace_is_the_reference(cell: Cell, hidden: int, language: str, precision: str) -> None:
    networks = in_precision(random_networks(layout_of(cell, hidden, language), 2, seed=hidden), precision)
    ((word, _, _),) = each(any_words(language, [20], seed=hidden))
    found = trace(networks, 1, word)
    states, outputs = forward(networks, 1, word)
    assert found.word == word
    gates = gates_of(cell)
    assert set(found.values) == {*cell.state_names, "y"} | ({*gates} if len(gates) > 1 else set())
    assert {value.dtype.name for value in found.values.values()} == {precision}
    tolerance = 20 * TOLERANCE[precision]
    for name in cell.state_names:
        np.testing.assert_allclose(found[name], states[name], rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(found["y"], outputs, rtol=tolerance, atol=tolerance)
    np.testing.assert_array_equal(found.predicted, found["y"] > 0.5)


@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("count", [0, 1, 7, 40])
def test_words_traced_side_by_side_are_those_traced_alone(precision: str, count: int) -> None:
    """To the last bit, whatever stands in the other lanes, and however long that is."""
    networks = in_precision(random_networks(layout_of(cells[0], 3, "dyck-2"), 2, seed=1), precision)
    words = [word for word, _, _ in each(any_words("dyck-2", [(7 * n) % 30 for n in range(count)], seed=2))]
    found = target_for(networks.layout).tracing(networks, 1, words)
    assert len(found) == count
    for word, values in zip(words, found, strict=True):
        alone = trace(networks, 1, word).values
        assert {name: value.tobytes() for name, value in values.items()} == {
            name: value.tobytes() for name, value in alone.items()
        }


def follows(networks: Networks, word: tuple[int, ...]) -> None:
    """Each step of a trace is the formula's, from where the trace itself was before."""
    layout, precision = networks.layout, str(networks.parameters.dtype)
    part = array_parts(networks, 0)
    weights = layout.weights(part)
    found = trace(networks, 0, word)
    before = tuple(np.zeros(size) for size in layout.state_sizes)
    for time, symbol in enumerate(word):
        with np.errstate(all="ignore"):
            expected = layout.cell.advance(weights, np.eye(layout.inputs)[symbol], before)
            y = layout.scores(layout.sums(part, expected[0]))
        largest = max(1.0, *(float(np.abs(state).max()) for state in before))
        tolerance = 30 * TOLERANCE[precision] * largest
        before = tuple(found[name][time].astype(np.float64) for name in layout.cell.state_names)
        for state, wanted in zip(before, expected, strict=True):
            np.testing.assert_allclose(state, wanted, rtol=0, atol=tolerance)
        if largest < 10:
            np.testing.assert_allclose(found["y"][time], y, rtol=0, atol=30 * tolerance)


@settings(max_examples=60)
@given(st.data())
def test_every_step_of_a_trace_is_the_formula_whatever_the_weights(data: st.DataObject) -> None:
    cell, hidden, language, precision = data.draw(st.sampled_from(SHAPES))
    seed, length = data.draw(st.integers(0, 10**6)), data.draw(st.integers(0, 40))
    scale = data.draw(st.sampled_from([0.0, 1.0, 5.0]))
    networks = random_networks(layout_of(cell, hidden, language), 1, seed=seed, scale=scale)
    ((word, _, _),) = each(any_words(language, [length], seed=seed))
    follows(in_precision(networks, precision), word)


def test_gates_are_traced_under_their_own_names() -> None:
    lstm, gru = (next(c for c in cells if c.name == name) for name in ("lstm", "gru"))
    networks = random_networks(layout_of(lstm, 3), 1, seed=3)
    found = trace(networks, 0, (0, 0, 1, 0, 1, 1))
    c_before = np.vstack([np.zeros(3), found["c"][:-1]])
    np.testing.assert_allclose(found["f"] * c_before + found["i"] * found["g"], found["c"], atol=1e-14)
    np.testing.assert_allclose(found["o"] * np.tanh(found["c"]), found["h"], atol=1e-14)
    found = trace(random_networks(layout_of(gru, 3), 1, seed=3), 0, (0, 0, 1, 0, 1, 1))
    h_before = np.vstack([np.zeros(3), found["h"][:-1]])
    np.testing.assert_allclose((1 - found["z"]) * found["n"] + found["z"] * h_before, found["h"], atol=1e-14)
    assert ((found["r"] > 0) & (found["r"] < 1)).all()
