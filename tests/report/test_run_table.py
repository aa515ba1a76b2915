"""The table of single runs: every run has its row, and different runs never look alike."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from abacist.analysis import Search
from abacist.experiments import RECOGNITION_SETS, SETS, HorizonAim, Store
from abacist.report import comma_separated, runs_table
from abacist.report.run_table import without_shared_settings
from abacist.specs import Spec
from tests.experiments.cases import made_up, made_up_horizons, runs_of, small
from tests.experiments.test_store import CHANGES, changed


def test_every_run_has_its_row(store: Store) -> None:
    spec = small()
    store.put([made_up(spec, 1, {"short": {"3": 0.5}}), made_up(spec, 2, {"long": {"3": 0.25}}, diverged=2)])
    table = runs_table(runs_of(store))
    first, second = table.rows
    assert (first["short"], first.get("long"), first["seed"]) == (50, None, 1)
    assert (second["long"], second.get("short"), second["diverged"]) == (25, None, 2)
    assert (first["loss"], first["seconds"], first["rate"], first["cell"]) == (0.25, 0.125, 0.001, "rnn")
    assert (first["train_lengths"], first["long_lengths"]) == ("2:12", "14:20")
    assert [row.count("—") for row in table.cells()] == [3, 2]
    assert {(row["train_words"], row["source"]) for row in table.rows} == {(40, "grammar 1/2,1/4")}
    left_out = Spec.from_dict({"language": "shuffle-6", "cell": "rnn"})
    assert runs_table([made_up(left_out, 0, {})]).rows[0]["train_words"] == 30_000
    letters = Spec.from_dict({"language": "anbn", "cell": "rnn", "training": 5, "test": 5})
    assert runs_table([made_up(letters, 0, {})]).rows[0]["source"] == "uniform"


@pytest.mark.parametrize("field", CHANGES)
def test_runs_of_different_settings_never_look_alike(field: str) -> None:
    """In any field of a spec, beta1, beta2 and epsilon included."""
    usual, other = changed(field)
    first, second = (
        {name: value for name, value in row.items() if name != "key"}
        for row in runs_table([made_up(usual, 0, {}), made_up(other, 0, {})]).rows
    )
    assert first != second


def test_every_field_of_a_spec_has_a_column_of_its_own() -> None:
    """Also beside sets, and beside a set that is called as a field or as another column."""
    odd = {name: {"3": 0.5} for name in (*SETS, "rate", "seed", "loss")}
    table = runs_table([made_up(small(rate=0.25), 7, odd)])
    keys = [column.key for column in table.columns]
    assert (
        len(keys)
        == len(set(keys))
        == len(fields(Spec))
        + len(odd)
        + len(("key", "seed", "loss", "diverged", "seconds", "begun", "processor"))
    )
    (row,) = table.rows
    assert set(keys) == set(row)
    assert (row["rate"], row["rate_set"], row["seed"], row["seed_set"]) == (0.25, 50, 7, 50)


def test_sets_for_recognition_are_in_the_table_but_not_on_the_screen() -> None:
    judged = {name: {"3": 0.5} for name in ("short", "crossing long", *RECOGNITION_SETS)}
    table = runs_table([made_up(small(), 0, judged)])
    columns = {name.replace(" ", "_") for name in judged}
    assert {column.key for column in table.columns} > columns
    on_screen = {column.key for column in without_shared_settings(table).columns}
    assert on_screen & columns == {"short", "crossing_long"}


@pytest.mark.parametrize(
    ("changes", "shown"),
    [({"rate": 0.5}, {"rate"}), ({"beta1": 0.5, "training": 50}, {"beta1", "train_words"}), ({}, set())],
)
def test_settings_that_all_runs_share_can_be_left_out(changes: dict[str, Any], shown: set[str]) -> None:
    runs = [made_up(small(), 0, {"short": {"3": 0.5}}), made_up(small(**changes), 1, {"short": {"3": 0.5}})]
    table, less = runs_table(runs), without_shared_settings(runs_table(runs))
    always = ["key", "language", "cell", "hidden", "epochs", "seed", "short", "loss", "diverged", "seconds"]
    assert {column.key for column in less.columns} == {*always, *shown}
    assert less.rows == table.rows
    assert "beta2" in comma_separated(table).splitlines()[0].split(",")


def test_what_is_known_of_horizons_has_columns_where_a_run_has_one() -> None:
    asked, sharper = HorizonAim(Search(20), certify=True), HorizonAim(Search(30), 2.0)
    rng = np.random.default_rng(0)
    measured = [
        made_up(small(), seed, {}, horizons=made_up_horizons((sharper, asked), rng)) for seed in range(20)
    ]
    table = runs_table([made_up(small(), 99, {}), *measured])
    keys = {column.key for column in table.columns}
    assert {"proved", "wrong", "certified"} <= keys
    assert "tried" not in keys
    assert table.rows[0].get("proved") is None
    for run, row in zip(measured, table.rows[1:], strict=True):
        (known,) = [own for own in run.outcome.horizons if own.factor == 1]
        wrong, proved = known.horizon.wrong, known.horizon.proved_in(run.spec.language)
        assert (row["proved"], row["wrong"]) == (proved, None if wrong is None else len(wrong))
        assert row["certified"] == ("yes" if known.every_word else "no")
    assert len({row["certified"] for row in table.rows[1:]}) == 2
    only_sharper = made_up(small(), 0, {}, horizons=made_up_horizons((sharper,)))
    assert "proved" not in {column.key for column in runs_table([only_sharper]).columns}
