"""The table of speeds: what was measured, what was missing, and that it survives its file."""

from __future__ import annotations

import pytest

from abacist.bench import PARTS, Row, engine, machine
from abacist.bench.measure import side_by_side
from tests.readme_page import speed_table


def test_a_row_says_whether_it_meets_its_limit() -> None:
    assert [Row.of("x", "1 s", "3 s", ratio, 2).verdict for ratio in (3.0, 1.99)] == ["met", "MISSED"]


@pytest.mark.parametrize(
    ("ratio", "at_least", "shown"),
    [(2878.4, 1500, "2,878×"), (27.13, 20, "27.1×"), (0.634, 0.4, "63 %"), (1.0, 1, "1×")],
)
def test_ratios_are_shown_as_people_read_them(ratio: float, at_least: float, shown: str) -> None:
    assert Row.of("x", "", "", ratio, at_least).shown_ratio == shown


def test_rows_keep_their_order_and_say_what_is_missing() -> None:
    rows = [Row.of("a", "1 s", "2 s", 2.0, 1), Row.missing("b", 1.8, "there is one core")]
    lines = speed_table(rows).splitlines()
    assert len(lines) == 4
    assert lines[2] == "| a | 1 s | 2 s | 2× | 1× |"
    assert "there is one core" in lines[3]


def test_jobs_take_turns() -> None:
    calls: list[str] = []
    seconds = side_by_side(3, lambda: calls.append("ours"), lambda: calls.append("theirs"))
    assert calls == ["ours", "theirs"] * 3
    assert len(seconds) == 2
    assert all(second >= 0 for second in seconds)


def test_there_is_a_machine_and_parts_to_measure() -> None:
    assert machine()
    assert list(PARTS) == ["engine", "horizons", "reproduce", "clusters"]


def test_without_dask_the_reason_stands_in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "find_spec", lambda _: None)
    (row,) = engine.cluster_rows()
    assert (row.ratio, row.verdict) == (None, "distributed is not installed")
