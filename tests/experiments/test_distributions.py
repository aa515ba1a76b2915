"""Distributions: a summary says what NumPy says of all runs, a file gives it back, and damage is noticed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from typing import Any

import numpy as np
import pytest

from abacist.corpora import Window
from abacist.errors import AbacistError, BadFile, BadInput
from abacist.experiments import Results, Store, Task, experiment_named
from abacist.experiments.distributions import (
    SAMPLE,
    Distributions,
    distributions,
    read_distributions,
    summarised,
    written_distributions,
)
from tests.experiments.cases import made_up, small

RUNS, WORDS = 3_001, 5_000
SPEC = small(pool=50, test=WORDS, training=10_000, short=Window(2, 50), long=Window(52, 100))
TASK = Task("own", SPEC, tuple(range(RUNS)), ("short", "long"))
ACCEPTED = np.random.default_rng(0).integers(0, WORDS + 1, (2, RUNS))
ACCEPTED[0, :700] = WORDS


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    epoch = str(SPEC.epochs)
    with Store(tmp_path_factory.mktemp("runs")) as store:
        store.put(
            [
                made_up(SPEC, seed, {"short": {epoch: short / WORDS}, "long": {epoch: long / WORDS}})
                for seed, (short, long) in enumerate(ACCEPTED.T.tolist())
            ]
        )
        return Results.of(store)


@pytest.fixture(scope="module")
def known(results: Results) -> Distributions:
    return summarised([TASK], results)


def test_a_summary_says_what_numpy_says(known: Distributions) -> None:
    (network,) = known.networks
    assert (network.runs, network.network.pool) == (RUNS, 0)
    for name, accepted in zip(("short", "long"), ACCEPTED, strict=True):
        own, percents = network.of(name), 100 * (accepted / WORDS)
        for share in (0.0, 0.01, 0.25, 0.5, 0.95, 1.0):
            assert own.quantile(share) == np.quantile(percents, share, method="nearest")
        counts, _ = np.histogram(accepted * 100 // WORDS, np.arange(102))
        assert list(own.histogram) == counts.tolist()
        assert own.perfect == np.mean(accepted == WORDS)
        np.testing.assert_array_equal(network.sample[name], percents[:SAMPLE])
    assert network.sha256 == hashlib.sha256(ACCEPTED.astype("<u2").tobytes()).hexdigest()


def test_a_file_gives_it_back(known: Distributions) -> None:
    text = written_distributions(known)
    again = read_distributions(text)
    assert written_distributions(again) == text
    for name in ("short", "long"):
        np.testing.assert_array_equal(again.networks[0].sample[name], known.networks[0].sample[name])
    assert again.of(SPEC) is again.of(replace(SPEC, pool=0)) is again.networks[0]
    assert again.of(replace(SPEC, hidden=7)) is None


def test_runs_with_some_seeds_can_be_left_out(known: Distributions) -> None:
    (network,) = known.networks
    left = network.without([0, 2, SAMPLE + 5])
    expected = np.delete(network.sample["long"], [0, 2])
    np.testing.assert_array_equal(left["long"], expected)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda values: values.update(format=2), "the format is 1 here, got 2"),
        (lambda values: values.pop("made"), "a value is missing"),
        (lambda values: values["networks"][0]["sample"].update(sha256="0"), "are damaged"),
        (lambda values: values["networks"][0]["sample"].update(packed="AAAA"), "a value is missing"),
    ],
)
def test_damage_is_a_sentence(
    known: Distributions, change: Callable[[dict[str, Any]], object], sentence: str
) -> None:
    values = json.loads(written_distributions(known))
    change(values)
    with pytest.raises(BadFile, match=sentence):
        read_distributions(json.dumps(values))


def test_all_runs_are_needed(results: Results) -> None:
    more = replace(TASK, seeds=tuple(range(RUNS + 1)))
    with pytest.raises(BadInput, match="has 3,001 of 3,002 runs of dyck-1, rnn with"):
        summarised([more], results)


def test_what_comes_with_abacist_holds_together() -> None:
    place = files("abacist.experiments") / "distributions.json"
    assert len(place.read_bytes()) <= 300_000
    asked = {task.spec: task.sets for task in experiment_named("distributions").tasks}
    found = distributions().networks
    assert found
    for network in found:
        assert set(asked[network.spec]) == set(network.sets)
        for name, own in network.sets.items():
            assert sum(own.histogram) == network.runs == 10_000
            assert list(own.quantiles) == sorted(own.quantiles)
            assert 0 <= own.quantiles[0] <= own.quantiles[-1] <= own.words
            sample = network.sample[name]
            assert len(sample) == SAMPLE
            assert own.percents[0] <= sample.min() <= sample.max() <= own.percents[-1]
            middle = np.median(sample)  # of a fifth of the runs: near that of all
            assert own.quantile(0.44) - 1e-9 <= middle <= own.quantile(0.56) + 1e-9
        if network.horizons is not None:
            for proved, wrong in zip(*network.horizons.values(), strict=True):
                assert wrong is None or proved < wrong


def test_an_unknown_set_is_a_sentence(known: Distributions) -> None:
    with pytest.raises(AbacistError, match="no set is called 'crossing'; there are short, long"):
        known.networks[0].of("crossing")
