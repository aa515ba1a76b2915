"""`abacist runs`: conditions say which runs are listed; one that no run fits is told truthfully."""

from __future__ import annotations

import gc
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from abacist.analysis import Search
from abacist.cells import cell_named
from abacist.cli.options import open_results
from abacist.experiments import HorizonAim, Run, Store
from tests.cli.command import inside, refused, split
from tests.experiments.cases import keep, made_up, made_up_horizons, small


def made(cell: str, seed: int) -> Run:
    return made_up(replace(small(), cell=cell_named(cell)), seed, {"short": {"3": 0.5}})


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two RNNs, a GRU and an LSTM, of which only the RNNs have a seed 1."""
    folder = tmp_path_factory.mktemp("results")
    with Store(folder) as store:
        store.put([made("rnn", 0), made("rnn", 1), made("gru", 0), made("lstm", 0)])
    return folder


def listed(results: Path, *where: str) -> tuple[list[tuple[str, int]], str]:
    """The cells and seeds of the runs that are listed, and what is said about them."""
    conditions = [word for condition in where for word in ("--where", condition)]
    code, output, said = inside("runs", "--results", str(results), "--format", "json", *conditions)
    if code:
        assert (code, output) == (2, "")
        return [], said.removesuffix("abacist: no runs to list: the store has none that fit\n")
    rows: list[dict[str, Any]] = json.loads(output)["rows"]
    return sorted((row["cell"], row["seed"]) for row in rows), said


def test_values_of_one_field_mean_any_of_them_and_fields_all(results: Path) -> None:
    assert listed(results, "cell=gru", "cell=lstm") == ([("gru", 0), ("lstm", 0)], "")
    assert listed(results, "cell=rnn", "cell=lstm", "seed=1") == ([("rnn", 1)], "")
    assert listed(results, "seed=0", "seed=1", "cell=rnn") == ([("rnn", 0), ("rnn", 1)], "")


def test_a_key_is_found_by_its_beginning(results: Path) -> None:
    run = made("gru", 0)
    for length in (4, 8, 24):
        assert listed(results, f"key={run.key[:length]}") == ([("gru", 0)], "")
    found, said = listed(results, "key=nothing")
    assert found == []
    assert said.startswith("no run has key nothing; there are ")


def test_what_no_run_has_is_told_of_the_value_that_no_run_has(results: Path) -> None:
    assert listed(results, "cell=gru", "cell=elman") == (
        [("gru", 0)],
        "no run has cell elman; there are gru, lstm, rnn\n",
    )
    assert listed(results, "cell=lstm", "seed=1") == ([], "no run fits all of these conditions\n")
    assert listed(results, "seed=7", "cell=lstm") == ([], "no run has seed 7; there are 0, 1\n")


def test_runs_are_chosen_and_sorted_by_what_is_known_of_their_horizons(tmp_path: Path) -> None:
    aims = [HorizonAim(Search(to), certify=True) for to in (8, 30, 20)]
    horizons = [made_up_horizons((aim,)) for aim in aims]
    store = [replace(made(cell, 0), outcome=replace(made(cell, 0).outcome, horizons=known))
             for cell, known in zip(("rnn", "gru", "lstm"), horizons, strict=True)]  # fmt: skip
    keep(tmp_path, store)
    assert listed(tmp_path, "proved=30") == ([("gru", 0)], "")
    assert listed(tmp_path, "certified=yes", "proved=8") == ([("rnn", 0)], "")
    rows = json.loads(inside("runs", "--results", str(tmp_path), "--sort", "-proved", "--format", "json")[1])
    assert [row["proved"] for row in rows["rows"]] == [30, 20, 8]


def test_values_that_there_are_are_listed_in_order(tmp_path: Path) -> None:
    keep(tmp_path, [made_up(small(hidden=hidden), 0, {}) for hidden in (8, 3, 10, 1)])
    assert listed(tmp_path, "hidden=99") == ([], "no run has hidden 99; there are 1, 3, 8, 10\n")


def test_runs_that_a_beginning_could_mean_are_named(tmp_path: Path) -> None:
    runs = [made_up(small(), seed, {}) for seed in range(80)]
    keep(tmp_path, runs)
    beginning = max("0123456789abcdef", key=lambda sign: sum(run.key[0] == sign for run in runs))
    meant = sorted(run.key[:8] for run in runs if run.key[0] == beginning)
    said = refused("trace", beginning, "()", "--results", str(tmp_path))
    shown = said.partition(f"begin with {beginning!r}: ")[2].removesuffix("\n").removesuffix(" …").split(", ")
    assert f"{len(meant)} runs in " in said
    assert len(shown) == min(len(meant), 5)
    assert set(shown) <= set(meant)


def test_a_store_without_runs_has_nothing_to_say(tmp_path: Path) -> None:
    Store(tmp_path).close()
    assert listed(tmp_path) == ([], "")


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of two rates and three sizes, some without an accuracy on the long set."""
    folder = tmp_path_factory.mktemp("sweep")
    keep(folder, [
        made_up(small(hidden=hidden, rate=rate), seed, {"long": {"3": seed / 10}} if seed != 2 else {})
        for hidden in (1, 2, 3) for rate in (0.001, 0.01) for seed in range(5)
    ])  # fmt: skip
    return folder


def rows_of(folder: Path, *options: str) -> list[dict[str, Any]]:
    code, output, said = inside("runs", "--results", str(folder), "--format", "json", *options)
    assert (code, said) == (0, "")
    found: list[dict[str, Any]] = json.loads(output)["rows"]
    return found


def test_comparisons_lists_and_ranges_choose_runs(sweep: Path) -> None:
    found = rows_of(sweep, "--where", "hidden>=2", "--where", "rate<=0.001", "--where", "seed=0..1,4")
    assert [(row["hidden"], row["seed"]) for row in found] == [(h, s) for h in (2, 3) for s in (0, 1, 4)]
    assert {row["seed"] for row in rows_of(sweep, "--where", "long>10", "--where", "seed!=4")} == {3}
    said = refused("runs", "--results", str(sweep), "--where", "long>0.9")
    assert "write 90% for a share of 0.9" in said


def test_columns_order_and_number_of_rows_are_chosen(sweep: Path) -> None:
    options = split("--columns seed,long --columns hidden --sort -long,hidden,-rate --limit 3")
    found = rows_of(sweep, *options)
    assert [list(row) for row in found] == [["seed", "long", "hidden"]] * 3
    assert [(row["seed"], row["hidden"]) for row in found] == [(4, 1), (4, 1), (4, 2)]
    table = inside("runs", "--results", str(sweep), *options)[1]
    assert table.endswith("The first 3 of 30 rows.\n")
    assert "did you mean rate?" in refused("runs", "--results", str(sweep), "--columns", "rates")
    assert "--limit must be at least 1" in refused("runs", "--results", str(sweep), "--limit", "0")


def test_groups_show_what_they_are_asked_for(sweep: Path) -> None:
    found = rows_of(sweep, "--group-by", "hidden,rate", "--show", "mean,count", "--sort", "-rate")
    assert [(row["hidden"], row["rate"], row["runs"]) for row in found] == [
        (hidden, rate, 5) for rate in (0.01, 0.001) for hidden in (1, 2, 3)
    ]
    assert {row["long count"] for row in found} == {4}
    assert [row["long mean"] for row in found] == pytest.approx([20.0] * 6)
    table = inside("runs", "--results", str(sweep), "--group-by", "cell")[1]
    assert "6 of 30 runs without long." in table
    assert "goes with --group-by" in refused("runs", "--results", str(sweep), "--show", "mean")
    said = refused("runs", "--results", str(sweep), "--group-by", "rate", "--columns", "cell")
    assert "--columns with --group-by are numbers, such as long, got cell" in said


def test_a_file_has_whole_keys_and_all_digits(sweep: Path) -> None:
    output = inside("runs", "--results", str(sweep), "--format", "csv")[1]
    head, first = (line.split(",") for line in output.splitlines()[:2])
    run = made_up(small(hidden=1, rate=0.001), 0, {})
    row = dict(zip(head, first, strict=False))
    assert (row["key"], float(row["rate"]), row["hidden"]) == (run.key, 0.001, "1")
    assert {"language", "cell", "hidden"} <= set(head)


def test_commands_leave_the_garbage_collector_as_it_was(results: Path) -> None:
    """While one works, too, which may take hours: only what was read is never looked through again."""
    gc.unfreeze()  # what the tests share
    before = gc.isenabled(), gc.get_freeze_count()
    assert before == (True, 0)
    assert inside("runs", "--results", str(results))[0] == 0
    assert (gc.isenabled(), gc.get_freeze_count()) == before
    try:
        open_results(results)
        assert gc.isenabled()
    finally:
        gc.unfreeze()
