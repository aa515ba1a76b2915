"""Weights are read from the store when they are asked for: the same ones, or a sentence."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from abacist.analysis import Search
from abacist.errors import BadFile
from abacist.experiments import FILE_NAME, HorizonAim, Measurement, Results, Store
from tests.experiments.cases import flip, made_up, small
from tests.ordinary import closed, closed_folder

RUNS = [made_up(small(rate=rate), seed, {"short": {"3": 0.5}}) for rate in (0.2, 0.1) for seed in (2, 0, 1)]


def results_of(folder: Path) -> Results:
    store = Store(folder)
    store.put(RUNS)
    results = Results.of(store)
    store.close()
    return results


def test_rows_are_handed_out_one_by_one(tmp_path: Path) -> None:
    """A list of them would hold the weights of all runs at once."""
    store = Store(tmp_path)
    store.put(RUNS)
    rows = store.rows()
    assert iter(rows) is rows
    assert len(list(rows)) == len(RUNS)
    store.close()


def test_they_are_read_where_nothing_may_be_written() -> None:
    with closed_folder() as folder:
        results = results_of(folder)
        with closed(folder):
            found = {run.key: run.weights for run in results.runs}
    assert all(np.array_equal(found[run.key], run.weights) for run in RUNS)


def test_what_is_gone_or_damaged_meanwhile_is_said(tmp_path: Path) -> None:
    results = results_of(tmp_path)
    flip(tmp_path, "weights", seed=1)
    for run in results.runs:
        if run.seed == 1:
            with pytest.raises(BadFile, match=f"run {run.key} "):
                _ = run.weights
        else:
            assert len(run.weights)
    results = results_of(tmp_path / "other")
    (tmp_path / "other" / FILE_NAME).unlink()
    with pytest.raises(BadFile, match=f"{FILE_NAME}: cannot be opened, no such file"):
        _ = results.runs[0].weights


def test_a_measurement_that_is_sent_to_another_machine_has_its_weights_with_it(tmp_path: Path) -> None:
    run = results_of(tmp_path).runs[0]
    sent = pickle.dumps(Measurement(run, (HorizonAim(Search(9)),)))
    (tmp_path / FILE_NAME).unlink()
    (expected,) = [own.weights for own in RUNS if own.key == run.key]
    assert np.array_equal(pickle.loads(sent).run.weights, expected)
