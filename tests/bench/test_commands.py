"""What whole commands cost: made-up stores are stores, growth is against rows, missing Dask is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from abacist.bench import Missing, commands
from abacist.bench.commands import fill, growth
from abacist.experiments import Results, Store, experiment_named
from tests.cli.command import inside


@pytest.mark.thorough
def test_a_made_up_store_is_whole_and_the_same_each_time(tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        fill(tmp_path / name, 130)
        store = Store(tmp_path / name)
        results = Results.of(store)
        store.close()
        assert (len(results.runs), results.left_out) == (130, ())
        found.append([(run.key, run.outcome, run.weights.tobytes()) for run in results.runs])
    assert found[0] == found[1]
    tasks = experiment_named("table-3").tasks
    assert sum(len(results.complete(task)) for task in tasks) == 120
    assert "ours, 10 runs" in inside("table", "--results", str(tmp_path / "one"))[1]


def test_linear_growth_is_met_and_quadratic_growth_is_not() -> None:
    linear, quadratic = growth("runs", [1.0, 1.9, 10.9]), growth("runs", [0.0001, 0.01, 1.0])
    assert (linear.verdict, quadratic.verdict) == ("met", "MISSED")
    assert linear.ratio == pytest.approx(1)


def test_without_dask_the_reason_stands_in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "find_spec", lambda _: None)
    found = list(commands.cluster_rows())
    assert [row.ratio for row in found] == [Missing("distributed is not installed")] * 2
    assert all(row.what.count("two threads") == 1 for row in found)
