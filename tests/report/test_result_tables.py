"""The tables of experiments: figures are NumPy's on the runs, and missing runs are shown as missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.experiments import (
    TABLE_3,
    Experiment,
    Results,
    Store,
    Task,
    check_claims,
    experiment_named,
    median_interval,
    probability,
)
from abacist.report import Table, claims_table, markdown, table_of
from tests.experiments.cases import made_up, small, with_shares

SETS = ("training", "short", "long")
FUNCTIONS: dict[str, Callable[..., Any]] = {"min": np.min, "max": np.max, "median": np.median}
DYCK_1_GRU = experiment_named("table-3").tasks[1]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as opened:
        yield opened


def of(table: Table, figures: str) -> dict[str, Any]:
    (row,) = [row for row in table.rows if row["figures"] == figures]
    return row


def asked(task: Task, runs: int) -> Experiment:
    return Experiment("one", "One", (replace(task, seeds=tuple(range(runs))),))


def filled(store: Store, task: Task, count: int, **values: Any) -> np.ndarray[Any, Any]:
    """Put runs with random shares into the store; their percents."""
    shares = np.random.default_rng(count).random(count).round(4)
    store.put(with_shares(task.spec, shares.tolist(), task.sets, **values))
    return 100 * shares


def test_ten_runs_stand_beside_the_papers(store: Store) -> None:
    percents = filled(store, DYCK_1_GRU, 10)
    table = table_of(asked(DYCK_1_GRU, 10), Results.of(store))
    assert [row["figures"] for row in table.rows] == ["paper", "ours, 10 runs"]
    for name in SETS:
        for statistic, function in FUNCTIONS.items():
            key = f"{name} {statistic}"
            assert of(table, "paper")[key] == TABLE_3["dyck-1", "gru"][name].of(statistic)
            assert of(table, "ours, 10 runs")[key] == pytest.approx(function(percents), abs=1e-12)


def test_all_of_table_3_stands_beside_the_papers(store: Store) -> None:
    papers = [
        row
        for row in table_of(experiment_named("table-3"), Results.of(store)).rows
        if row["figures"] == "paper"
    ]
    assert {(row["language"], row["cell"]) for row in papers} == set(TABLE_3)
    for row in papers:
        for name, figures in TABLE_3[row["language"], row["cell"]].items():
            assert {s: row[f"{name} {s}"] for s in FUNCTIONS} == {s: figures.of(s) for s in FUNCTIONS}


def test_missing_runs_are_said_and_not_averaged_away(store: Store) -> None:
    percents = filled(store, DYCK_1_GRU, 7)
    table = table_of(asked(DYCK_1_GRU, 10), Results.of(store))
    row = of(table, "ours, 7 of 10 runs")
    assert row["short min"] == pytest.approx(percents.min(), abs=1e-12)
    assert len(Results.of(store).complete(asked(DYCK_1_GRU, 10).tasks[0])) == 7


def test_no_runs_by_epoch(store: Store) -> None:
    cells = table_of(experiment_named("last-bracket"), Results.of(store)).cells()
    assert all(row[4] == "0 of 10" and set(row[5:]) == {"—"} for row in cells)


def test_no_runs_at_all(store: Store) -> None:
    table = table_of(asked(DYCK_1_GRU, 10), Results.of(store))
    (row,) = [row for row in table.cells() if row[3] == "ours, 0 of 10 runs"]
    assert row[4:] == ["—"] * 9
    assert "| ours, 0 of 10 runs | — |" in markdown(table)


def test_a_set_that_only_some_runs_were_judged_on_is_not_passed_off_as_all(store: Store) -> None:
    task = experiment_named("crossing").tasks[0]
    store.put(with_shares(task.spec, [0.5] * 10, ("short", "long")))
    store.put(with_shares(task.spec, [0.25] * 4, task.sets))
    row = table_of(asked(task, 10), Results.of(store)).rows[-1]
    assert "crossing short median" not in row or row["figures"] != "ours, 10 runs"
    store.put(with_shares(task.spec, [0.25] * 10, task.sets))
    assert table_of(asked(task, 10), Results.of(store)).rows[-1]["crossing short median"] == 25


def test_more_than_ten_runs_get_probabilities_and_intervals(store: Store) -> None:
    percents = filled(store, DYCK_1_GRU, 31)
    table = table_of(asked(DYCK_1_GRU, 31), Results.of(store))
    assert [row["figures"] for row in table.rows] == [
        "paper", "ours, 31 runs", "probability", "median from", "median to",
    ]  # fmt: skip
    low, high = median_interval(percents)
    for name in SETS:
        figures = TABLE_3["dyck-1", "gru"][name]
        for s in FUNCTIONS:
            expected = probability(percents, figures.of(s), s)
            assert of(table, "probability")[f"{name} {s}"] == pytest.approx(expected, abs=1e-12)
        assert of(table, "median from")[f"{name} median"] == pytest.approx(low, abs=1e-12)
        assert of(table, "median to")[f"{name} median"] == pytest.approx(high, abs=1e-12)
    assert "resampling" in table.note
    assert "resampling" not in table_of(asked(DYCK_1_GRU, 10), Results.of(store)).note


def test_what_the_paper_did_not_do_has_no_figures_of_it(store: Store) -> None:
    other = replace(DYCK_1_GRU, spec=replace(DYCK_1_GRU.spec, hidden=2))
    filled(store, other, 12)
    table = table_of(asked(other, 12), Results.of(store))
    assert [row["figures"] for row in table.rows] == ["ours, 12 runs", "median from", "median to"]


def test_by_epoch_medians_stand_in_the_columns_of_their_epochs(store: Store) -> None:
    task = replace(experiment_named("epochs").tasks[2], seeds=tuple(range(5)))
    rng = np.random.default_rng(0)
    shares = rng.random((5, 3, len(task.epochs)))
    for seed in range(4):
        accuracy = {
            name: {str(e): shares[seed, n, m] for m, e in enumerate(task.epochs)}
            for n, name in enumerate(SETS)
        }
        store.put([made_up(task.spec, seed, accuracy)])
    table = table_of(Experiment("epochs", "Epochs", (task,)), Results.of(store))
    assert [row["set"] for row in table.rows] == list(SETS)
    for n, row in enumerate(table.rows):
        assert row["paper"] == TABLE_3["dyck-1", "lstm"][SETS[n]].median
        for m, epoch in enumerate(task.epochs):
            median = 100 * np.median(shares[:4, n, m])
            assert row[f"epoch {epoch}"] == pytest.approx(median, abs=1e-12)
        assert row["runs"] == "4 of 5"
    del accuracy["short"]["5"]
    store.put([made_up(task.spec, 4, accuracy)])
    short = table_of(Experiment("epochs", "Epochs", (task,)), Results.of(store)).rows[1]
    assert short["runs"] == "4 of 5"


def test_crossing_sets_by_epoch(store: Store) -> None:
    """They are none of the paper's."""
    crossing = experiment_named("crossing").tasks[0]
    table = table_of(Experiment("x", "X", (replace(crossing, at_epochs=(1,)),)), Results.of(store))
    assert [row["paper"] is None for row in table.rows] == [
        name.startswith("crossing") for name in crossing.sets
    ]


@pytest.mark.parametrize("change", [{"rate": 0.5}, {"epochs": 7}, {"batch": 4}, {"precision": "float64"}])
def test_the_rows_of_a_sweep_can_be_told_apart(store: Store, change: dict[str, Any]) -> None:
    tasks = (Task("sweep", small(), (0,)), Task("sweep", small(**change), (0,)))
    first, second = table_of(Experiment("sweep", "Sweep", tasks), Results.of(store)).cells()
    assert first != second


def test_claims_and_their_figures(store: Store) -> None:
    filled(store, replace(DYCK_1_GRU, spec=experiment_named("few-units").tasks[0].spec), 10)
    verdicts = check_claims(Results.of(store))
    table = claims_table(verdicts)
    for row, verdict in zip(table.rows, verdicts, strict=True):
        assert (row["claim"], row["verdict"], row["rule"]) == (verdict.claim, verdict.verdict, verdict.rule)
        for name, figures in verdict.figures.items():
            text = f"{name}: no runs"
            if figures["runs"]:
                least, most = figures["min"], figures["max"]
                assert least < figures["median"] < most
                text = f"{name}: {figures['median']:.2f} ({least:.2f} to {most:.2f})"
            assert text in row["figures"]


def test_runs_that_diverged_are_mentioned_where_there_are_any(store: Store) -> None:
    filled(store, DYCK_1_GRU, 10)
    assert "diverged" not in table_of(asked(DYCK_1_GRU, 10), Results.of(store)).note
    share = {name: {"20": 0.5} for name in SETS}
    store.put([made_up(DYCK_1_GRU.spec, seed, share, diverged=7) for seed in (2, 5)])
    assert table_of(asked(DYCK_1_GRU, 10), Results.of(store)).note.endswith(" 2 of 10 runs diverged.")
    by_epoch = replace(DYCK_1_GRU, at_epochs=(20,))
    assert table_of(asked(by_epoch, 10), Results.of(store)).note.endswith(" 2 of 10 runs diverged.")
