"""The tables of experiments: figures are NumPy's on the runs, and missing runs are shown as missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from abacist.experiments import (
    TABLE_3,
    Experiment,
    Figures,
    Results,
    Store,
    Task,
    check_claims,
    experiment_named,
    holm,
    joint_p_value,
    median_interval,
    p_value,
    percents,
)
from abacist.experiments.distributions import Distribution, Distributions, SetDistribution
from abacist.report import Table, claims_table, distributions, markdown, table_of
from tests.experiments.cases import made_up, small, with_shares

SETS = ("training", "short", "long")
FUNCTIONS: dict[str, Callable[..., Any]] = {"min": np.min, "max": np.max, "median": np.median}
DYCK_1_GRU = experiment_named("table-3").tasks[1]


@pytest.fixture
def no_distributions(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if no network had been run thousands of times."""
    monkeypatch.setattr(distributions, "distributions", lambda: Distributions({}, ()))


@pytest.fixture
def made_up_distribution(monkeypatch: pytest.MonkeyPatch) -> Distribution:
    """As if one had: three hundred runs, each as good on one set as on another."""
    accepted = np.random.default_rng(7).integers(0, 5_001, 300)
    words = SetDistribution(5_000, tuple(np.sort(accepted).tolist()), ())
    sample = dict.fromkeys(SETS, accepted / 50)
    made = Distribution(DYCK_1_GRU.spec, 300, dict.fromkeys(SETS, words), sample, "")
    monkeypatch.setattr(distributions, "distributions", lambda: Distributions({}, (made,)))
    return made


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


@pytest.mark.usefixtures("no_distributions")
def test_ten_runs_stand_beside_the_papers(store: Store) -> None:
    percents = filled(store, DYCK_1_GRU, 10)
    table = table_of(asked(DYCK_1_GRU, 10), Results.of(store))
    assert [row["figures"] for row in table.rows] == ["paper", "ours, 10 runs"]
    for name in SETS:
        for statistic, function in FUNCTIONS.items():
            ours = of(table, "ours, 10 runs")[f"{name} {statistic}"]
            assert ours == pytest.approx(function(percents), abs=1e-12)


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


@pytest.mark.usefixtures("no_distributions")
def test_no_runs_at_all(store: Store) -> None:
    table = table_of(asked(DYCK_1_GRU, 10), Results.of(store))
    (row,) = [row for row in table.cells() if row[3] == "ours, 0 of 10 runs"]
    assert row[4:] == ["—"] * 9
    assert "| ours, 0 of 10 runs | — |" in markdown(table)
    by_epoch = table_of(experiment_named("last-bracket"), Results.of(store)).cells()
    assert all(row[4] == "0 of 10" and set(row[5:]) == {"—"} for row in by_epoch)


def test_a_set_that_only_some_runs_were_judged_on_is_not_passed_off_as_all(store: Store) -> None:
    task = experiment_named("crossing").tasks[0]
    store.put(with_shares(task.spec, [0.5] * 10, ("short", "long")))
    store.put(with_shares(task.spec, [0.25] * 4, task.sets))
    row = table_of(asked(task, 10), Results.of(store)).rows[-1]
    assert "crossing short median" not in row or row["figures"] != "ours, 10 runs"
    store.put(with_shares(task.spec, [0.25] * 10, task.sets))
    assert table_of(asked(task, 10), Results.of(store)).rows[-1]["crossing short median"] == 25


@pytest.mark.usefixtures("no_distributions")
def test_more_than_ten_runs_get_p_values_and_intervals(store: Store) -> None:
    percents = filled(store, DYCK_1_GRU, 31)
    table = table_of(asked(DYCK_1_GRU, 31), Results.of(store))
    assert [row["figures"] for row in table.rows] == [
        "paper", "ours, 31 runs", "p-value, paper", "median from", "median to",
    ]  # fmt: skip
    low, high = median_interval(percents)
    paper = TABLE_3["dyck-1", "gru"]
    for name in SETS:
        for s in FUNCTIONS:
            expected = p_value(percents, paper[name].of(s), s)
            assert of(table, "p-value, paper")[f"{name} {s}"] == pytest.approx(expected, abs=1e-12)
        assert of(table, "median from")[f"{name} median"] == pytest.approx(low, abs=1e-12)
        assert of(table, "median to")[f"{name} median"] == pytest.approx(high, abs=1e-12)
    joint = joint_p_value(dict.fromkeys(SETS, percents), paper)
    assert of(table, "p-value, paper")["joint p"] == of(table, "p-value, paper")["joint Holm"] == joint
    assert "exact by ranks" in table.note
    few = table_of(asked(DYCK_1_GRU, 10), Results.of(store))
    assert "exact by ranks" not in few.note
    assert "joint test Holm" not in few.headings()


def test_ten_runs_and_the_papers_are_placed_in_their_distribution(
    store: Store, made_up_distribution: Distribution
) -> None:
    ours = filled(store, DYCK_1_GRU, 10)
    table = table_of(asked(DYCK_1_GRU, 10), Results.of(store))
    assert [row["figures"] for row in table.rows] == [
        "paper", "ours, 10 runs", "p-value, paper", "p-value, ours",
    ]  # fmt: skip
    all_of_them = made_up_distribution.sample["short"]
    others = all_of_them[10:]  # the first ten have our seeds
    paper = TABLE_3["dyck-1", "gru"]
    for name in SETS:
        for s, function in FUNCTIONS.items():
            chance = p_value(all_of_them, paper[name].of(s), s)
            assert of(table, "p-value, paper")[f"{name} {s}"] == pytest.approx(chance, abs=1e-12)
            chance = p_value(others, float(function(ours)), s)
            assert of(table, "p-value, ours")[f"{name} {s}"] == pytest.approx(chance, abs=1e-12)
    joint = joint_p_value(dict.fromkeys(SETS, all_of_them), paper)
    assert of(table, "p-value, paper")["joint p"] == joint
    figures = Figures(*(float(function(ours)) for function in FUNCTIONS.values()))
    mine = joint_p_value(dict.fromkeys(SETS, others), dict.fromkeys(SETS, figures))
    assert of(table, "p-value, ours")["joint p"] == mine
    assert "drawn from 300 out of 300 of the same network" in table.note


def test_of_other_epochs_and_of_too_many_runs_nothing_is_placed(
    store: Store, made_up_distribution: Distribution
) -> None:
    other = replace(DYCK_1_GRU, spec=replace(DYCK_1_GRU.spec, epochs=19))
    filled(store, other, 10)
    table = table_of(asked(other, 10), Results.of(store))
    assert [row["figures"] for row in table.rows] == ["paper", "ours, 10 runs"]
    filled(store, DYCK_1_GRU, 160)
    table = table_of(asked(DYCK_1_GRU, 160), Results.of(store))
    assert "p-value, ours" not in [row["figures"] for row in table.rows]  # 140 have other seeds


@pytest.mark.usefixtures("no_distributions")
def test_several_networks_are_adjusted_for_and_counted(store: Store) -> None:
    """One network that is not the paper's, one far below all its figures and one that is perfect."""
    tasks = experiment_named("table-3", runs=30).tasks[:3]
    made = (np.linspace(0.3, 0.5, 30), np.full(30, 0.1), np.full(30, 1.0))
    for task, shares in zip(tasks, made, strict=True):
        store.put(with_shares(task.spec, shares.tolist(), SETS))
    table = table_of(Experiment("table-3", "Table 3", tasks), Results.of(store))
    rows = [row for row in table.rows if row["figures"] == "p-value, paper"]
    assert [row["joint Holm"] for row in rows] == pytest.approx(holm([row["joint p"] for row in rows]))
    assert rows[1]["joint Holm"] < 0.05 < rows[2]["joint Holm"]
    medians = [row[f"{name} median"] for row in rows for name in SETS]
    every = [row[f"{name} {s}"] for row in rows for name in SETS for s in FUNCTIONS]
    for values, what in ((every, "figures"), (medians, "medians")):
        assert f"{sum(v < 0.05 for v in values)} of {len(values)} {what}" in table.note
    assert "together (Fisher)" not in table.note  # networks of one language share their words
    assert "3 are 100 in both and 0 at most 0.25 in both" in table.note
    above, below = table.note.split("above all of theirs: ")[1].split(". Below all of theirs: ")
    assert "dyck-1 gru training min, training max, training median, short min" in above
    assert "dyck-1 rnn training max" in above
    assert "dyck-1 rnn training min" in below
    assert "dyck-1 lstm" not in above


def test_by_epoch_p_values_stand_below_medians(store: Store) -> None:
    tasks = tuple(replace(t, seeds=tuple(range(25))) for t in experiment_named("epochs").tasks[1:3])
    rng = np.random.default_rng(0)
    shares = rng.random((2, 25, 3, len(tasks[0].epochs)))
    for which, task in enumerate(tasks):
        for seed in task.seeds:
            named = {
                name: {str(e): shares[which, seed, n, m] for m, e in enumerate(task.epochs)}
                for n, name in enumerate(SETS)
            }
            store.put([made_up(task.spec, seed, named)])
    table = table_of(Experiment("epochs", "Epochs", tasks), Results.of(store))
    joint: list[list[float]] = []
    for which, cell in enumerate(("gru", "lstm")):
        rows = table.rows[7 * which : 7 * which + 7]
        assert [(row["set"], row["figures"]) for row in rows] == [
            *((name, kind) for name in SETS for kind in ("median", "p-value")), ("all", "joint test, Holm"),
        ]  # fmt: skip
        paper = TABLE_3["dyck-1", cell]
        for m, epoch in enumerate(tasks[0].epochs):
            percents = 100 * shares[which, :, :, m]
            for n, name in enumerate(SETS):
                expected = p_value(percents[:, n], paper[name].median, "median")
                assert rows[2 * n + 1][f"epoch {epoch}"] == pytest.approx(expected, abs=1e-12)
        joint.append(
            [
                joint_p_value({name: 100 * shares[which, :, n, m] for n, name in enumerate(SETS)}, paper)
                for m in range(len(tasks[0].epochs))
            ]
        )
    for m, epoch in enumerate(tasks[0].epochs):
        adjusted = [table.rows[place][f"epoch {epoch}"] for place in (6, 13)]
        assert adjusted == pytest.approx(holm([row[m] for row in joint]), abs=1e-12)
    assert len(table.rows) == 14


def test_what_the_paper_did_not_do_has_no_figures_of_it(store: Store) -> None:
    other = replace(DYCK_1_GRU, spec=replace(DYCK_1_GRU.spec, hidden=2))
    filled(store, other, 12)
    table = table_of(asked(other, 12), Results.of(store))
    (row,) = table.rows
    assert row["figures"] == "ours, 12 runs"
    shares = percents(Results.of(store).complete(asked(other, 12).tasks[0]), "long")
    assert (row["long from"], row["long to"]) == median_interval(shares)
    assert [column.key for column in table.columns][-2:] == ["long from", "long to"]


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


def test_crossing_and_nested_sets_by_epoch(store: Store) -> None:
    """They are none of the paper's."""
    crossing = experiment_named("crossing").tasks[0]
    table = table_of(Experiment("x", "X", (replace(crossing, at_epochs=(1,)),)), Results.of(store))
    assert [row["paper"] is None for row in table.rows] == [
        name.startswith(("crossing", "nested")) for name in crossing.sets
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
        assert (row["claim"], row["verdict"]) == (f"“{verdict.claim}”", verdict.verdict)
        assert (row["rule"], row["which"]) == (verdict.rule, verdict.which or None)
        assert row["figures"].split("; ")[0].startswith(f"{verdict.parts[0].about}: {verdict.parts[0].ours}")
        assert row["figures"].endswith(f"(paper: {verdict.parts[-1].paper})")


def test_runs_that_diverged_are_mentioned_where_there_are_any(store: Store) -> None:
    filled(store, DYCK_1_GRU, 10)
    assert "diverged" not in table_of(asked(DYCK_1_GRU, 10), Results.of(store)).note
    share = {name: {"20": 0.5} for name in SETS}
    store.put([made_up(DYCK_1_GRU.spec, seed, share, diverged=7) for seed in (2, 5)])
    assert table_of(asked(DYCK_1_GRU, 10), Results.of(store)).note.endswith(" 2 of 10 runs diverged.")
    by_epoch = replace(DYCK_1_GRU, at_epochs=(20,))
    assert table_of(asked(by_epoch, 10), Results.of(store)).note.endswith(" 2 of 10 runs diverged.")
