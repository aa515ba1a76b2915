"""The commands about networks: train, judge, import, export."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from abacist.engine import judge, train
from abacist.languages import language_named
from abacist.specs import Spec
from abacist.specs.files import Folder
from tests.cli.command import inside, refused

SMALL = ("--training", "60", "--test", "20", "--lengths", "2:14", "--long", "16:20", "--epochs", "2")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three little LSTMs, trained by the command."""
    path = tmp_path_factory.mktemp("networks") / "kept"
    code, _, errors = inside(
        "train", "dyck-1", "lstm", "--runs", "3", "--seed", "5", *SMALL, "--out", str(path)
    )
    assert (code, errors) == (0, f"kept in {path}\n")
    return path


def test_train_keeps_what_the_library_trains(folder: Path) -> None:
    record = json.loads((folder / "run.json").read_text())
    spec = Spec.from_dict(record["spec"])
    assert spec.language == language_named("dyck-1")
    assert record["seeds"] == [5, 6, 7]
    trained = train(spec, [5, 6, 7])
    assert Folder.load(folder).networks == trained.networks
    accuracies = judge(spec, [5, 6, 7], trained.networks)
    assert record["accuracy"] == {name: accuracies.of(name).tolist() for name in accuracies.splits}
    assert np.array(record["losses"]).shape == (3, 2)


def test_train_prints_minimum_maximum_and_median() -> None:
    asked = ("train", "dyck-1", "gru", "--runs", "3", *SMALL, "--epochs", "20", "--rate", "0.01")
    code, table, _ = inside(*asked)
    assert code == 0
    assert "dyck-1, gru with 3 hidden units, 3 runs, 20 epochs, seeds 0 to 2" in table
    accuracy = json.loads(inside(*asked, "--json")[1])["accuracy"]
    assert len(set(accuracy["training"])) == 3  # so that no two columns are the same
    for name, shares in accuracy.items():
        row = next(line.split() for line in table.splitlines() if line.strip().startswith(name))
        assert [float(x) for x in row[1:]] == [
            pytest.approx(100 * f(shares), abs=0.005) for f in (np.min, np.max, np.median)
        ]


def test_train_reports_runs_that_blow_up() -> None:
    code, _, errors = inside("train", "dyck-1", "rnn_relu", "--runs", "2", "--rate", "1e30", *SMALL)
    assert code == 0
    assert "the run with seed 0 diverged: weights not finite after epoch" in errors


def test_judge_agrees_with_the_reference(folder: Path) -> None:
    from abacist.engine.reference import forward

    words = ["()", "(())()", "(((())))", "()()()()()()"]
    code, text, errors = inside("judge", str(folder), *words, "--json")
    assert code == 0
    rows = json.loads(text)
    language, networks = language_named("dyck-1"), Folder.load(folder).networks
    assert len(rows) == 12
    for row in rows:
        word = language.alphabet.parse(row["word"])
        _, outputs = forward(networks, row["run"], word)
        wrong = ((outputs > 0.5) != language.targets(word).astype(bool)).any(axis=1)
        first = int(np.argmax(wrong)) + 1 if wrong.any() else None
        assert (row["accepted"], row["wrong_at"]) == (first is None, first)
    code, table, errors = inside("judge", str(folder), *words, "--run", "1")
    assert table.count("accepts") + table.count("rejects") == 4
    assert errors.endswith("of 4 accepted\n")


def test_judge_reads_lines(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "abacist", "judge", str(folder), "--json"],
        input="()\n\n(())\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert [row["word"] for row in json.loads(done.stdout)] == ["()", "(())"] * 3


def test_export_and_import_are_inverse(folder: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "one.safetensors", tmp_path / "other"
    assert inside("export", str(folder), "--run", "2", "--out", str(file))[0] == 0
    assert set(load_file(file)) >= {"rnn.weight_ih_l0", "rnn.bias_hh_l0", "output.weight", "output.bias"}
    code, printed, _ = inside("import", str(file), "--cell", "lstm", "--out", str(other))
    assert (code, printed) == (0, f"{other}\n")
    kept = Folder.load(other)
    assert kept.record["language"] == "dyck-1"
    whole = Folder.load(folder).networks.parameters
    assert np.array_equal(kept.networks.parameters[0], whole[2])


def test_import_of_other_names_and_a_language_given_later(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    shapes = {"lstm.weight_ih_l0": (16, 4), "lstm.weight_hh_l0": (16, 4), "fc.weight": (4, 4)}
    tensors = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    save_file(tensors, tmp_path / "model.safetensors")
    assert inside("import", str(tmp_path / "model.safetensors"), "--cell", "lstm")[0] == 0
    folder = str(tmp_path / "model")
    assert "name it with --language" in refused("judge", folder, "()")
    assert inside("judge", folder, "([])", "--language", "shuffle-2")[0] == 0
    assert "dyck-1: has 2 symbols" in refused("judge", folder, "()", "--language", "dyck-1")


def test_misuse_gets_one_sentence(folder: Path, tmp_path: Path) -> None:
    kept = str(folder)
    assert "did you mean lstm?" in refused("train", "dyck-1", "lstmm")
    assert "hidden must be at least 1, got 0" in refused("train", "dyck-1", "lstm", "--hidden", "0")
    assert "do not exist" in refused("train", "dyck-1", "lstm", "--lengths", "2:8")
    assert "float32 or float64, got 'half'" in refused("train", "dyck-1", "lstm", "--precision", "half")
    assert "all or last, got 'some'" in refused("train", "dyck-1", "lstm", "--steps", "some")
    assert "rate must be positive" in refused("train", "dyck-1", "lstm", "--rate", "0")
    assert "at least 1, got 0" in refused("train", "dyck-1", "lstm", "--runs", "0")
    assert "not empty" in refused("train", "dyck-1", "lstm", "--out", kept, code=1)
    assert "run must be from 0 to 2, got 3" in refused("judge", kept, "()", "--run", "3")
    assert "still open" in refused("judge", kept, "(")
    assert "not in the alphabet" in refused("judge", kept, "[]")
    assert "is no folder of networks" in refused("judge", str(tmp_path / "nothing"), "()", code=1)
    assert "cannot be read" in refused("import", str(tmp_path / "no.safetensors"), "--cell", "lstm", code=1)
    (tmp_path / "bad.safetensors").write_bytes(b"nonsense")
    assert "is no safetensors file" in refused(
        "import", str(tmp_path / "bad.safetensors"), "--cell", "gru", code=1
    )
    file = tmp_path / "one.safetensors"
    inside("export", kept, "--out", str(file))
    assert "its cell is lstm, not gru" in refused("import", str(file), "--cell", "gru", code=1)
    assert "cannot be written" in refused("export", kept, "--out", "/nowhere/x.safetensors", code=1)


def test_control_c_stops_training(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys, threading\n"
        "import abacist.engine.training as training\n"
        "whole, calls = training._Watch.advance, []\n"
        "def advance(self, words, loss):\n"
        "    calls.append(words)\n"
        "    if len(calls) == 3:\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "    whole(self, words, loss)\n"
        "training._Watch.advance = advance\n"
        "from abacist.cli.app import run\n"
        f"code = run(['train', 'dyck-1', 'rnn', '--epochs', '100000', '--out', {str(tmp_path / 'out')!r}])\n"
        "print(code, len(calls) < 1000)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.split() == ["130", "True"], done.stderr
    assert not (tmp_path / "out").exists()
