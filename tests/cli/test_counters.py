"""`abacist counters`: it prints what the analysis finds, for the networks that are named or chosen."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.analysis import counting_units, counting_words
from abacist.cells import cell_named
from abacist.corpora import Window
from abacist.experiments import Run, Store
from abacist.languages import language_named
from abacist.specs.files import save_folder
from tests.cli.command import inside, refused
from tests.experiments.cases import made_up, small

FEW = ("--words", "30", "--lengths", "2:12")


def made(cell: str, seed: int, **changed: Any) -> Run:
    return made_up(replace(small(), cell=cell_named(cell), **changed), seed, {"short": {"3": 0.5}})


RUNS = [
    made("lstm", 0), made("lstm", 1), made("gru", 0),
    made("lstm", 0, steps="last"), made("lstm", 0, language=language_named("shuffle-2"), hidden=4),
]  # fmt: skip


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("results")
    with Store(folder) as store:
        store.put(RUNS)
    return str(folder)


def printed(*arguments: str) -> Any:
    code, output, errors = inside("counters", *arguments, *FEW, "--json")
    assert code == 0, errors
    return json.loads(output)


def test_json_has_all_that_is_found(results: str) -> None:
    run = RUNS[4]
    (one,) = printed(run.key, "--results", results, "--seed", "5")
    language = run.spec.language
    found = counting_units(run.networks, 0, counting_words(language, Window(2, 12), 30, seed=5))
    assert (one["run"], one["seed"], one["language"], one["cell"]) == (run.key[:8], 0, "shuffle-2", "lstm")
    assert one["counters"] == ["( )", "[ ]"]
    assert one["saturation"] == {gate: values.tolist() for gate, values in found.saturation.items()}
    for shown, state in zip(one["states"], found.states, strict=True):
        assert shown["state"] == state.name
        assert shown["matched"] == [unit + 1 for unit in state.matching.units if unit is not None]
        units = shown["units"]
        assert [unit["unit"] for unit in units] == [1, 2, 3, 4]
        assert [unit["verdict"] for unit in units] == [v.in_words(language) for v in state.verdicts()]
        assert [unit["correlations"] for unit in units] == state.matching.correlations.tolist()
        assert [unit["length"] for unit in units] == state.with_length.tolist()
        for name, moves in (("up", state.moves.up), ("down", state.moves.down), ("drift", state.moves.drift)):
            assert [unit[name]["mean"] for unit in units] == moves.mean.tolist()
            assert [unit[name]["spread"] for unit in units] == moves.spread.tolist()


def test_what_is_not_known_is_null(results: str) -> None:
    (one,) = json.loads(
        inside("counters", RUNS[4].key, "--results", results, "--words", "1", "--lengths", "2:2", "--json")[1]
    )
    for unit in one["states"][0]["units"]:
        assert sum(mean is None for mean in unit["up"]["mean"]) == 1


def test_one_network_has_a_row_for_every_unit_of_every_state(results: str) -> None:
    code, output, _ = inside("counters", RUNS[4].key, "--results", results, *FEW)
    assert code == 0
    rows = [line.split()[:2] for line in output.splitlines() if line[:2] in ("h ", "c ")]
    assert rows == [[state, str(unit)] for state in "hc" for unit in (1, 2, 3, 4)]
    code, output, _ = inside("counters", RUNS[4].key, "--results", results, *FEW, "--state", "c")
    assert [line.split()[0] for line in output.splitlines() if line[:2] in ("h ", "c ")] == ["c"] * 4


def test_several_have_a_row_for_every_state(results: str) -> None:
    chosen = ("--results", results, "--where", "language=dyck-1")
    code, output, _ = inside("counters", *chosen, *FEW, "--threshold", "0.3")
    assert code == 0
    for run in RUNS[:4]:
        rows = [line for line in output.splitlines() if line.startswith(run.key[:8])]
        assert len(rows) == len(run.spec.cell.states)
    (row,) = [line for line in output.splitlines() if line.startswith(RUNS[2].key[:8])]
    words = counting_words(RUNS[2].spec.language, Window(2, 12), 30)
    (state,) = counting_units(RUNS[2].networks, 0, words).states
    tally, cells = state.tally(0.3), " ".join(row.split())
    assert f"{tally.counting} {tally.following} {tally.neither} {len(tally.counted)} of 1" in cells


def test_tasks_gather_their_runs_and_no_others(results: str) -> None:
    code, output, _ = inside("counters", "--results", results, *FEW, "--by-task", "--state", "h")
    assert code == 0
    rows = [line.split() for line in output.splitlines() if line.startswith(("dyck", "shuffle"))]
    assert sorted((row[0], row[1], row[row.index("h") + 1]) for row in rows) == [
        ("dyck-1", "gru", "1"), ("dyck-1", "lstm", "1"), ("dyck-1", "lstm", "2"), ("shuffle-2", "lstm", "1"),
    ]  # fmt: skip


def test_a_network_that_was_imported_is_provable_as_if_it_lay_in_a_store(
    results: str, tmp_path: Path
) -> None:
    run = RUNS[1]
    save_folder(run.networks, tmp_path / "nets", about={"language": "dyck-1"})
    (own,) = printed(str(tmp_path / "nets"))
    (stored,) = printed(run.key, "--results", results)
    assert own["states"] == stored["states"]
    assert (own["run"], own["seed"], own["hidden"]) == (f"{tmp_path / 'nets'} 0", None, 2)
    save_folder(run.networks, tmp_path / "bare")
    assert "name it with --language" in refused("counters", str(tmp_path / "bare"), *FEW)
    assert printed(str(tmp_path / "bare"), "--language", "dyck-1")[0]["states"] == own["states"]


def test_a_diverged_network_counts_nothing(tmp_path: Path) -> None:
    run = RUNS[0]
    with Store(tmp_path) as store:
        store.put([replace(run, kept=np.full_like(run.weights, np.nan))])
    (one,) = printed(str(tmp_path))
    assert {unit["verdict"] for state in one["states"] for unit in state["units"]} == {"neither"}
    assert one["saturation"]["f"] == [None] * 2


def test_what_is_refused(results: str) -> None:
    store = ("--results", results)
    assert "--threshold must be from 0 to 1, got 2.0" in refused("counters", "--threshold", "2", *store)
    assert "words must be at least 1, got 0" in refused("counters", "--words", "0", *store)
    assert "words must be at most 100,000 where they have up to 50 symbols, got 100,001" in refused(
        "counters", "--words", "100001", *store
    )
    assert "words must be at most 5 where they have up to 1,000,000 symbols" in refused(
        "counters", "--lengths", "2:1000000", *store
    )
    assert "unknown state 'q'; there are h, c" in refused("counters", "--state", "q", *store)
    assert "unknown state 'c'; there are h" in refused("counters", RUNS[2].key, "--state", "c", *store)
    assert "has a length from 3 to 3" in refused("counters", RUNS[0].key, "--lengths", "3:3", *store)


def test_networks_without_the_state_that_is_asked_for_are_left_out(results: str) -> None:
    code, output, errors = inside("counters", "--results", results, "--state", "c", *FEW, "--json")
    assert (code, errors) == (0, "left out 1 network without a state c\n")
    assert {one["cell"] for one in json.loads(output)} == {"lstm"}
