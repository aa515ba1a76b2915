"""`abacist table`: which runs, which columns, in which order; what has no runs is left out and named."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from abacist.experiments import Store, experiment_named
from tests.cli.command import inside, refused
from tests.report.own_cases import runs_for, swept


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Store(tmp_path / "results") as store:
        store.put(runs_for(swept(cell=["gru", "lstm"], rate=[0.01, 0.1], hidden=[2, 4]), 2))
    return tmp_path / "results"


def rows(*arguments: str, folder: Path) -> list[dict[str, Any]]:
    code, output, errors = inside("table", *arguments, "--results", str(folder), "--format", "json")
    assert (code, errors) == (0, "")
    listed: list[dict[str, Any]] = json.loads(output)["rows"]
    return listed


def test_conditions_choose_the_runs(folder: Path) -> None:
    chosen = rows("--where", "cell=lstm", "--where", "rate<0.05", folder=folder)
    assert [row["hidden"] for row in chosen] == [2, 4]
    output = inside("table", "--where", "cell=lstm", "--results", str(folder))[1]
    assert "8 of 16 runs fit cell=lstm." in output
    assert "cell lstm" in output.splitlines()[0]
    code, output, errors = inside("table", "--where", "cell=rnn", "--results", str(folder))
    assert (code, output) == (2, "")
    assert (
        errors
        == "no run has cell rnn; there are gru, lstm\nabacist: no table: the store has no runs that fit\n"
    )


def test_columns_and_order(folder: Path) -> None:
    chosen = rows("--columns", "hidden,cell,long", "--sort=-long,hidden", folder=folder)
    assert list(chosen[0]) == ["hidden", "cell", "long min", "long max", "long median"]
    medians = [row["long median"] for row in chosen]
    assert medians == sorted(medians, reverse=True)
    assert "unknown column 'colour'" in refused("table", "--columns", "colour", "--results", str(folder))
    assert "unknown column 'colour'" in refused("table", "--sort", "colour", "--results", str(folder))


def test_every_form_has_the_columns_of_the_screen(folder: Path) -> None:
    asked = ("table", "--columns", "cell,long median", "--results", str(folder), "--format")
    csv_rows = list(csv.reader(io.StringIO(inside(*asked, "csv")[1])))
    screen = inside(*asked, "text")[1].splitlines()
    assert csv_rows[0] == ["cell", "long median"]
    assert [screen[1].split(), screen[2].split()] == [["long"], ["cell", "median"]]
    assert inside(*asked, "latex") == inside(*asked, "tex")
    assert "cell & median \\\\" in inside(*asked, "latex")[1]


@pytest.fixture
def of_table_3(tmp_path: Path) -> Iterator[tuple[Path, Store]]:
    with Store(tmp_path / "three") as store:
        yield tmp_path / "three", store


def test_one_network_is_one_row(of_table_3: tuple[Path, Store]) -> None:
    folder, store = of_table_3
    store.put(runs_for([experiment_named("table-3").tasks[2].spec], 3))
    code, output, errors = inside("table", "--results", str(folder))
    assert code == 0
    assert output.startswith("3 runs: language dyck-1, cell lstm")
    assert "0 of 10" not in output
    assert len(output.splitlines()) == 6
    assert errors == "`abacist table table-3` shows the paper's figures beside them\n"


def test_networks_without_runs_are_left_out_and_named_unless_the_experiment_is(
    of_table_3: tuple[Path, Store],
) -> None:
    folder, store = of_table_3
    store.put(runs_for([task.spec for task in experiment_named("table-3").tasks[:3]], 3))
    code, output, errors = inside("table", "--results", str(folder))
    assert (code, output.count("3 of 10 runs"), output.count("0 of 10 runs")) == (0, 3, 0)
    assert errors == "left out: 9 of 12 networks of table-3 without runs; `abacist table table-3` shows all\n"
    assert inside("table", "table-3", "--results", str(folder))[1].count("0 of 10 runs") == 9
    output = inside("table", "table-3", "--results", str(folder), "--where", "cell=gru,lstm")[1]
    assert (output.count("3 of 10 runs"), output.count("0 of 10 runs")) == (2, 0)
    message = refused("table", "few-units", "--where", "cell=gru", "--results", str(folder))
    assert message.endswith("has no runs of few-units that fit\n")


def test_claims_take_no_conditions(folder: Path) -> None:
    assert "no --where" in refused("table", "claims", "--where", "cell=gru", "--results", str(folder))
