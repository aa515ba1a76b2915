"""One damaged run: it is named, left out and recomputed, and hides no other; `abacist repair` removes it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from abacist.experiments import Run, Store, run_key
from tests.cli.command import inside, refused
from tests.experiments.cases import TINY, content, flip, made_up, runs_in, small
from tests.report.report_cases import Page


def runs_of_all() -> list[Run]:
    return [made_up(small(), seed, {"short": {"3": seed / 8}}) for seed in range(5)]


@pytest.fixture(params=["weights", "results", "spec", "checksum"])
def results(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A store of five runs, the fourth of them damaged."""
    folder = tmp_path / "results"
    with Store(folder) as store:
        store.put(runs_of_all())
    flip(folder, request.param, seed=3)
    return folder


DAMAGED = run_key(small(), 3)


def named(errors: str) -> bool:
    """Whether the damaged run, and nothing else, is named in one line."""
    lines = [line for line in errors.splitlines() if "damaged" in line]
    return len(lines) == 1 and f"run {DAMAGED} is damaged" in lines[0] and lines[0].startswith("abacist: ")


def test_runs_lists_the_others(results: Path) -> None:
    code, output, errors = inside("runs", "--results", str(results), "--format", "json")
    assert code == 0
    assert [row["seed"] for row in json.loads(output)["rows"]] == [0, 1, 2, 4]
    assert named(errors)


def test_export_writes_the_others(results: Path, tmp_path: Path) -> None:
    code, _, errors = inside("export", str(results), "--csv", str(tmp_path / "runs.csv"))
    assert code == 0
    with (tmp_path / "runs.csv").open() as file:
        assert [row["seed"] for row in csv.DictReader(file)] == ["0", "1", "2", "4"]
    assert named(errors)


def test_a_table_has_the_others_and_misses_it(results: Path, tmp_path: Path) -> None:
    (tmp_path / "tiny.toml").write_text(TINY + 'runs = 5\nsets = ["short"]\n')
    code, output, errors = inside("table", str(tmp_path / "tiny.toml"), "--results", str(results))
    assert code == 0
    assert "ours, 4 of 5 runs" in output
    assert named(errors)


def test_a_report_is_written_and_names_it(results: Path) -> None:
    code, _, errors = inside("report", "--results", str(results))
    assert code == 0
    assert named(errors)
    page = Page.of(results / "report.html")
    assert f"run {DAMAGED} is damaged" in page.said("missing")
    assert "The store has 4 runs" in page.said("ran")


def test_run_names_it_and_recomputes_it_alone(results: Path, tmp_path: Path) -> None:
    kept = {run.key: run.outcome.as_json() for run in runs_of_all()}
    (tmp_path / "tiny.toml").write_text(TINY + 'runs = 5\nsets = ["short"]\n')
    asked = ("run", str(tmp_path / "tiny.toml"), "--results", str(results))
    _, output, errors = inside(*asked, "--dry-run")
    assert "1 run in 1 block would run" in output
    assert named(errors)
    code, output, errors = inside(*asked)
    assert code == 0
    assert "ours, 5 runs" in output
    assert named(errors)
    assert DAMAGED in content(results)
    for run in runs_in(results):
        assert (run.outcome.as_json() == kept[run.key]) == (run.key != DAMAGED)
    assert inside(*asked)[2] == ""


def test_repair_removes_it_and_says_so(results: Path) -> None:
    code, output, errors = inside("repair", "--results", str(results))
    assert code == 0
    assert output.splitlines() == [f"removed: run {DAMAGED} is damaged, its checksum does not match"]
    assert errors.startswith("1 damaged run in ")
    assert "4 runs left" in errors
    assert sorted(run.seed for run in runs_in(results)) == [0, 1, 2, 4]
    code, output, errors = inside("repair", "--results", str(results))
    assert (code, output) == (0, "")
    assert errors.startswith("nothing damaged in ")


def test_there_is_nothing_to_repair_where_there_is_no_store(tmp_path: Path) -> None:
    assert "holds no results" in refused("repair", "--results", str(tmp_path), code=1)
    assert list(tmp_path.iterdir()) == []
