"""The table of recognisers: both sides and their mean, from made-up runs."""

from __future__ import annotations

import numpy as np

from abacist.corpora import EDITS
from abacist.experiments import RECOGNITION_SETS, Experiment, Run, Task, experiment_named
from abacist.report import table_of
from tests.experiments.cases import made_up, small, view

SETS = ("short", *RECOGNITION_SETS)


def made_up_runs(sets: tuple[str, ...]) -> tuple[list[Run], dict[str, list[float]]]:
    rng = np.random.default_rng(4)
    shares = {name: rng.random(5).round(3).tolist() for name in sets}
    runs = [made_up(small(), seed, {n: {"3": v[seed]} for n, v in shares.items()}) for seed in range(5)]
    return runs, shares


def test_each_test_set_has_a_row_with_both_sides_and_their_mean() -> None:
    runs, shares = made_up_runs(SETS)
    table = table_of(Experiment("own", "Own", (Task("own", small(), tuple(range(5)), SETS),)), view(runs))
    assert [(row["set"], row["runs"]) for row in table.rows] == [("short", "5"), ("long", "5")]
    for row in table.rows:
        taken = 100 * np.array(shares[f"members {row['set']}"])
        rejected = 100 * np.mean([shares[f"{kind} {row['set']}"] for kind in EDITS], axis=0)
        np.testing.assert_allclose(row["taken median"], np.median(taken))
        np.testing.assert_allclose(row["rejected min"], min(rejected))
        np.testing.assert_allclose(row["rejected median"], np.median(rejected))
        np.testing.assert_allclose(row["balanced median"], np.median((taken + rejected) / 2))
        for kind in EDITS:
            np.testing.assert_allclose(row[f"{kind} median"], 100 * np.median(shares[f"{kind} {row['set']}"]))
    assert table.rows[0]["accepted median"] == 100 * np.median(shares["short"])
    assert "accepted median" not in table.rows[1]


def test_what_was_not_asked_for_or_is_not_there_is_shown_as_missing() -> None:
    some = ("swapped long", "extended long")
    runs, shares = made_up_runs(some)
    task = Task("own", small(), tuple(range(8)), some)
    (row,) = table_of(Experiment("own", "Own", (task,)), view(runs)).rows
    assert row["runs"] == "5 of 8"
    np.testing.assert_allclose(row["rejected min"], 100 * np.mean(list(shares.values()), axis=0).min())
    assert "balanced median" not in row
    assert "inserted median" not in row
    empty = table_of(experiment_named("recognition"), view([]))
    assert len(empty.rows) == 24
    assert all(cell == "—" for cell in empty.cells()[0][5:])
