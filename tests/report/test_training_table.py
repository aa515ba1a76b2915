"""The table of a sweep of training settings, against the same counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from abacist.experiments import experiment_named, parse_experiment
from abacist.report import table_of
from abacist.report.training_table import sweeps_training
from tests.experiments.cases import TINY, made_up, made_up_horizons, view

LOSSES = 'objective = ["squared", "cross-entropy"]'
SWEEP = TINY + f"runs = 5\nhorizon = {{ max_length = 16 }}\n{LOSSES}\n"


def test_a_row_for_every_setting_says_what_its_runs_say() -> None:
    experiment, rng, runs = parse_experiment(SWEEP, "sweep.toml"), np.random.default_rng(3), []
    for task in experiment.tasks:
        for seed in task.seeds:
            epochs = str(task.spec.epochs)
            shares = {name: {epochs: float(rng.integers(0, 2))} for name in task.sets}
            runs.append(made_up(task.spec, seed, shares, horizons=made_up_horizons(task.horizons, rng)))
    table = table_of(experiment, view(runs[:-1]))
    assert [row["objective"] for row in table.rows] == ["squared", "cross-entropy"]
    assert [(row["runs there"], row["runs asked"]) for row in table.rows] == [(5, 5), (4, 5)]
    for row, task in zip(table.rows, experiment.tasks, strict=True):
        own = [run for run in runs[:-1] if run.spec == task.spec]
        horizons = [run.outcome.horizon() for run in own]
        known = [one for one in horizons if one is not None]
        lengths = sorted(len(one.wrong) if one.wrong else 10**6 for one in known)
        looked = min((one.looked for one in known if one.wrong is None), default=0)
        for name, share in (("min", 0), ("quarter", 0.25), ("median", 0.5), ("three quarters", 0.75)):
            value = lengths[int(share * (len(lengths) - 1))]
            assert row[f"wrong {name}"] == (f">{looked}" if value == 10**6 else str(value))
        to = task.spec.short.high
        assert row["trained to"] == to
        proved = sum(one.proved >= to for one in known)
        none = sum(len(one.wrong) > to if one.wrong else one.looked >= to for one in known)
        assert (row["proved runs"], row["none wrong runs"]) == (proved, none)
        assert row["proved"] == pytest.approx(100 * proved / len(known))
        assert row["none wrong"] == pytest.approx(100 * none / len(known))
        perfect = sum(run.accuracy("long") == 1 for run in own)
        assert row["perfect runs"] == perfect
        assert row["perfect"] == pytest.approx(100 * perfect / len(own))


def test_other_experiments_keep_their_tables() -> None:
    assert sweeps_training(parse_experiment(SWEEP, "sweep.toml"))
    assert not sweeps_training(parse_experiment(SWEEP + "saturate = [1, 4]\n", "sweep.toml"))
    assert not sweeps_training(parse_experiment(SWEEP.replace(LOSSES, "pool = [0, 2]"), "sweep.toml"))
    for name in ("counting", "far-beyond", "distribution-horizons"):
        assert not sweeps_training(experiment_named(name))
    assert sweeps_training(experiment_named("training-grid"))
