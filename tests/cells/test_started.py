"""Started cells: a word is read as by the plain cell from other states than zeros."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from abacist.analysis import Search, horizon
from abacist.cells import (
    CELLS,
    KNOWN,
    STARTED,
    Layout,
    cell_named,
    cell_written,
    stacked,
    start_of,
    written_cell,
)
from abacist.engine import train
from abacist.engine.reference import array_parts, forward
from abacist.languages import language_named
from abacist.specs import Networks, Spec
from abacist.targets import target_for


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("name", CELLS)
def test_states_are_those_of_the_plain_cell_from_its_start(name: str, layers: int) -> None:
    cell, rng = CELLS[name], np.random.default_rng(2)
    layout = Layout(stacked(STARTED[f"{name}_started"], layers), 3, 4, 2)
    networks = Networks(layout, rng.normal(size=(1, layout.size)))
    plain, tensors = Layout(stacked(cell, layers), 3, 4, 2), networks.tensors(0)
    inner = Networks(plain, np.concatenate([tensors[tensor].ravel() for tensor in plain.shapes])[None])
    states = tuple(
        tensors[f"{start_of(state.partition('_l')[0])}{'_l1' if layers == 2 and '_l' not in state else ''}"]
        for state in plain.cell.state_names
    )
    word = rng.integers(0, 3, size=12).tolist()
    paths, _ = forward(networks, 0, word)
    for step, symbol in enumerate(word):
        states = plain.cell.advance(plain.weights(array_parts(inner, 0)), np.eye(3)[symbol], states)
        for state, values in zip(plain.cell.state_names, states, strict=True):
            np.testing.assert_array_equal(paths[state][step], values)
    (traced,) = target_for(layout).tracing(networks, 0, [tuple(word)])
    for state in plain.cell.state_names:
        np.testing.assert_allclose(traced[state], paths[state], atol=1e-9)


@pytest.mark.parametrize("name", STARTED)
def test_a_started_cell_goes_by_its_name_and_is_in_no_list(name: str) -> None:
    assert name not in KNOWN
    for cell in (STARTED[name], stacked(STARTED[name], 3)):
        assert cell_named(written_cell(cell)) == cell_written(written_cell(cell)) == cell
        assert pickle.loads(pickle.dumps(cell)) is cell
    assert STARTED[name].gate_rows(2, 3) == CELLS[name.removesuffix("_started")].gate_rows(2, 3)


def test_a_started_cell_is_trained_and_bracketed_like_any_other() -> None:
    language = language_named("dyck-1")
    spec = Spec(language, cell_named("gru_started"), hidden=2, epochs=3, training=200, test=20)
    trained = train(spec, seeds=[0])
    assert trained.losses[0, -1] < trained.losses[0, 0]
    found = horizon(trained.networks, 0, language, Search(to=20, budget=64))
    assert found.wrong is None or found.wrong.word in language
