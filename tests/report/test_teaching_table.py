"""What taught runs reached, against the same counted by hand."""

from __future__ import annotations

import pytest

from abacist.experiments import Experiment, Task
from abacist.report import table_of
from abacist.report.experiment_tables import proved_to, share_interval, wrong_at
from abacist.report.horizon_tables import quartiles
from abacist.specs import Round, Taught
from tests.analysis.short_lessons import short_lesson
from tests.experiments.cases import made_up, view

SPEC = short_lesson()


def taught(*lengths: int | None, proved: int) -> Taught:
    rounds = (Round(4 * n + 4, n, None if m is None else "()" * (m // 2), m) for n, m in enumerate(lengths))
    return Taught(tuple(rounds), proved, 1.0)


LOGS = [taught(6, 10, 20, proved=19), taught(2, None, proved=40), taught(4, 30, None, proved=38)]
RUNS = [made_up(SPEC, seed, {"short": {"12": 1.0}}, taught=log) for seed, log in enumerate(LOGS)]


def test_the_shortest_failing_words_of_a_round() -> None:
    """A run that was proved earlier keeps what it had."""
    infinite = float("inf")
    assert wrong_at(RUNS, 0) == [6, 2, 4]
    assert wrong_at(RUNS, 1) == [10, infinite, 30]
    assert wrong_at(RUNS, 2) == wrong_at(RUNS) == [20, infinite, infinite]
    assert quartiles(wrong_at(RUNS), 40) == ["20", "20", ">40", ">40"]
    assert quartiles([], 40) == []
    assert (proved_to(RUNS, 40), proved_to(RUNS, 30), proved_to(RUNS, 10)) == (1, 2, 3)


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (180, 200, 0.8506, 0.9343)],
)
def test_the_interval_is_wilsons(count: int, of: int, low: float, high: float) -> None:
    """Figures of Wilson (1927) as they are tabulated."""
    assert share_interval(count, of) == pytest.approx((low, high), abs=5e-5)


def test_an_experiment_of_taught_networks_is_shown_by_what_they_reached() -> None:
    table = table_of(Experiment("own", "Own", (Task("own", SPEC, (0, 1, 2), ("short",)),)), view(RUNS))
    (row,) = table.rows
    assert row["proved"] == "1 of 3 to 40"
    assert [row[key] for key in table.further] == [3, 1, 40]
    assert row["wrong median"] == ">40"
    assert row["share"] == pytest.approx(100 / 3)
    assert "Wilson" in table.note


def test_missing_runs_are_shown_as_missing() -> None:
    table = table_of(Experiment("own", "Own", (Task("own", SPEC, (7, 8), ("short",)),)), view(RUNS))
    (row,) = table.rows
    assert row["figures"] == "ours, 0 of 2 runs"
    assert "proved" not in row
