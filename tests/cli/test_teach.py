"""`abacist teach`: rounds on the screen, networks in a store, every run in JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import inside, refused, shown
from tests.experiments.cases import runs_in

QUICK = (
    "teach", "dyck-1", "--runs", "3", "--epochs", "12", "--rounds", "3", "--fed-words", "20",
    "--max-length", "40", "--boxes", "8", "--train-words", "400", "--rate", "0.03", "--seed", "3",
)  # fmt: skip


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of a lesson."""
    folder = tmp_path_factory.mktemp("taught")
    assert inside(*QUICK, "--out", str(folder))[0] == 0
    return folder


def test_it_shows_the_shortest_failing_word_round_by_round(kept: Path) -> None:
    code, printed, said = inside(*QUICK, "--out", str(kept))
    assert code == 0
    assert said.endswith(f"kept in {kept}\n")
    title, head, _, *rounds, last = printed.splitlines()
    assert title.startswith("dyck-1, lstm with 1 hidden unit, 3 runs: the shortest word found")
    assert head.split() == ["round", "epochs", "still", "taught", "words", "fed", "min", "¼", "median", "¾"]
    assert [line.split()[:2] for line in rounds] == [["1", "4"], ["2", "8"], ["3", "12"]]
    logs = [run.outcome.taught for run in runs_in(kept)]
    firsts = sorted(log.rounds[0].length or 1000 for log in logs if log is not None)
    assert rounds[0].split()[2:] == ["3", "0", *map(str, (firsts[0], firsts[0], firsts[1], firsts[1]))]
    proved = sum(log is not None and log.proved == 40 for log in logs)
    assert f"proved right on every word of up to 40 symbols: {proved} of 3 runs" in last


def test_json_has_every_round_of_every_run(kept: Path) -> None:
    printed = shown(*QUICK, "--out", str(kept), "--json")
    record = json.loads(printed)
    assert record["seeds"] == [3, 4, 5]
    assert record["spec"]["lesson"] == {
        "feed": "counterexamples", "rounds": 3, "kept": 20, "to": 40, "sharpen": 1.4, "budget": 8,
    }  # fmt: skip
    runs = sorted(runs_in(kept), key=lambda run: run.seed)
    logs = [run.outcome.taught for run in runs]
    assert record["taught"] == [log.as_dict() for log in logs if log is not None]
    assert len(record["taught"]) == 3


def test_runs_and_tables_tell_taught_runs_apart(kept: Path, tmp_path: Path) -> None:
    printed = shown("runs", "--results", str(kept), "--format", "csv")
    assert "counterexamples, rounds 3, kept 20, to 40, sharpen 1.4, budget 8" in printed
    file = tmp_path / "own.toml"
    file.write_text(
        'language = "dyck-1"\ncell = "lstm"\nhidden = 1\nepochs = 12\ntraining = 400\nrate = 0.03\nseed = 3\n'
        "runs = 3\nteach = { rounds = 3, kept = 20, to = 40, sharpen = 1.4, budget = 8 }\n"
    )
    code, printed, _ = inside("run", str(file), "--results", str(kept), "--dry-run")
    assert (code, printed.splitlines()[0]) == (0, "nothing would run: the store has all of it")
    code, printed, _ = inside("table", str(file), "--results", str(kept), "--format", "json")
    (row,) = json.loads(printed)["rows"]
    logs = [run.outcome.taught for run in runs_in(kept)]
    lengths = sorted(float(log.rounds[-1].length or "inf") for log in logs if log is not None)
    assert row["wrong min"] == (f"{lengths[0]:.0f}" if lengths[0] < 41 else ">40")
    assert row["proved"].endswith("of 3 to 40")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("--feed cake", "feed must be nothing, counterexamples, random or stress, got 'cake'"),
        ("--max-length 0", "--max-length must be from 1 to 100,000, got 0"),
        ("--train-words 300 --test-words 5 --repeats --hidden 0", "--hidden must be from 1 to 256, got 0"),
        ("--epochs 3", "--rounds must be at most the 3 epochs that are divided among them, got 10"),
    ],
)
def test_misuse_gets_one_sentence(line: str, sentence: str) -> None:
    assert sentence in refused("teach", "dyck-1", *line.split())


@pytest.mark.parametrize("cell", ["rnn_relu", "irnn", "selective"])
def test_what_has_no_gates_is_taught_without_sharpening(cell: str, tmp_path: Path) -> None:
    said = refused("teach", "dyck-1", cell, "--out", str(tmp_path))
    assert f"{cell} has no gates to sharpen" in said
    assert "--sharpen must be 1: " in said
    assert inside("teach", "dyck-1", cell, "--sharpen", "1", "--out", str(tmp_path), "--dry-run")[0] == 0
