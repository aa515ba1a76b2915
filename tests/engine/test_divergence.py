"""What happens to one run, whatever it is, does not reach the runs beside it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from abacist.cells import CELLS
from abacist.corpora import pack_texts
from abacist.engine import train
from abacist.engine.reference import forward
from abacist.languages import language_named
from abacist.specs import Networks
from abacist.specs.networks import LARGEST_WEIGHT
from tests.cells.toys import UNBOUNDED
from tests.engine.cases import kernel_gradient, layout_of, small, train_on


@pytest.mark.parametrize("harm", [1e20, np.nan, np.inf])
@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("place", [0, 2])
def test_a_diverged_run_is_reported_and_harms_no_neighbour(place: int, precision: str, harm: float) -> None:
    spec = small(CELLS["rnn_relu"], precision=precision)
    seeds = [1, 2, 3, 4]
    healthy = Networks.initial(spec.layout, seeds, precision)
    harmed = healthy.parameters.copy()
    harmed[place] *= harm
    if harm == 1e20:
        harmed[place] = np.abs(harmed[place])
    with np.errstate(all="ignore"):
        trained = train(spec, seeds, start=Networks(spec.layout, harmed))
    expected = train(spec, seeds, start=healthy)
    for run in range(4):
        if run == place:
            assert trained.diverged[run] == 1
        else:
            assert trained.diverged[run] is None
            assert trained.losses[run].tobytes() == expected.losses[run].tobytes()
            assert trained.networks.parameters[run].tobytes() == expected.networks.parameters[run].tobytes()


@pytest.mark.parametrize(("cell", "rate"), [("rnn_relu", 1e30), ("lstm", 1e9), ("lstm", 1.0)])
def test_a_huge_rate_diverges_and_the_epoch_is_told(cell: str, rate: float) -> None:
    """Gates and outputs of an LSTM saturate, so that its loss stays small and its weights stay finite."""
    spec = small(CELLS[cell], precision="float32", rate=rate, epochs=4)
    trained = train(spec, range(8))
    assert bool(set(trained.diverged) - {None}) == (rate > 1)
    for run, epoch in enumerate(trained.diverged):
        for done in range(1, 5):
            shorter = train(replace(spec, epochs=done), [run])
            whole = bool((np.abs(shorter.networks.parameters) <= LARGEST_WEIGHT).all())
            assert whole == (epoch is None or done < epoch)
            assert shorter.diverged == ((None,) if whole else (epoch,))


def test_a_continued_run_remembers_when_it_diverged() -> None:
    spec = small(CELLS["rnn_relu"], precision="float32", epochs=1)
    broken = Networks(spec.layout, np.full((1, spec.layout.size), np.nan, np.float32))
    first = train(spec, [0], start=broken)
    assert first.diverged == (1,)
    assert train(replace(spec, epochs=3), [0], start=first).diverged == (1,)


@pytest.mark.parametrize(("precision", "growth"), [("float32", 3.0), ("float64", 100.0)])
def test_a_word_is_over_where_it_ends(precision: str, growth: float) -> None:
    """Alone, a run's word ends after 4 steps; beside a longer one, its state must not go on growing."""
    spec = replace(small(CELLS["rnn_relu"], precision=precision), hidden=1)
    layout = layout_of(CELLS["rnn_relu"], 1)
    row = np.array([1.0, 1.0, growth, 0.5, 0.5, -1e-3, -2e-3, 0.1, -0.1], precision)
    tame = np.array([0.3, -0.4, 0.5, 0.1, 0.1, 0.4, -0.3, 0.1, -0.1], precision)
    networks = Networks(layout, np.array([row, tame]))
    language = language_named("dyck-1")
    short, long = pack_texts(language, [(0, 0, 1, 1)]), pack_texts(language, [(0, 1) * 102])
    with np.errstate(all="ignore"):
        states, _ = forward(networks, 0, (0, 1) * 102)
        assert not np.isfinite(states["h"][-1].astype(precision)).all()
    beside = kernel_gradient(spec, networks, [short, long])
    alone = kernel_gradient(spec, Networks(layout, row[None].copy()), [short])
    assert np.isfinite(beside).all()
    assert np.abs(alone).max() > 0
    assert beside[0].tobytes() == alone[0].tobytes()
    trained = train_on(spec, networks, [short, long])
    assert trained.diverged == (None, None)


@pytest.mark.parametrize("name", UNBOUNDED)
def test_what_overflows_past_the_end_of_a_word_is_selected_away(name: str) -> None:
    """One more step would be infinite; zero times that must not reach the gradient."""
    cell = UNBOUNDED[name]
    spec = replace(small(cell, precision="float64"), hidden=1)
    growing = np.array([1, 1, 0, 0, 1e100, 0 if name == "unbounded" else 1, 0, 0, 0, 0, 1e-300, 2e-300, 0, 0])
    tame = np.linspace(-0.4, 0.5, len(growing))
    networks = Networks(spec.layout, np.array([growing, tame]))
    language = language_named("dyck-1")
    short, long = pack_texts(language, [(0, 0, 1, 1)]), pack_texts(language, [(0, 1) * 5])
    with np.errstate(all="ignore"):
        states, _ = forward(networks, 0, (0, 0, 1, 1, 0))
        assert np.isfinite(states["h"][3]).all()
        assert not np.isfinite(states["h"][4]).all()
    alone = kernel_gradient(spec, Networks(spec.layout, growing[None].copy()), [short])
    assert np.isfinite(alone).all()
    assert np.abs(alone).max() > 0
    beside = kernel_gradient(spec, networks, [short, long])
    np.testing.assert_array_equal(beside[0], alone[0])
