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
from abacist.engine.reference import forward
from abacist.experiments import FILE_NAME, Run, Store
from abacist.languages import language_named
from abacist.specs.files import Folder
from tests.analysis.cases import networks
from tests.cli.command import inside, refused, shown, split
from tests.experiments.cases import TINY, content, runs_of
from tests.ordinary import closed, closed_folder

SMALL = split("--train-words 60 --test-words 20 --train-lengths 2:14 --long-lengths 16:20 --epochs 2")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three little LSTMs, trained by the command."""
    path = tmp_path_factory.mktemp("networks") / "kept"
    code, _, errors = inside(
        "train", "dyck-1", "lstm", "--runs", "3", "--seed", "5", *SMALL, "--out", str(path), "--quiet"
    )
    assert (code, errors) == (0, f"kept in {path}\n")
    return path


def kept_in(folder: Path) -> list[Run]:
    """The runs of a folder, in the order of `abacist runs`."""
    with Store(folder) as store:
        return runs_of(store)


def test_train_keeps_what_the_library_trains(folder: Path) -> None:
    runs = kept_in(folder)
    spec = runs[0].spec
    assert spec.language == language_named("dyck-1")
    assert [run.seed for run in runs] == [5, 6, 7]
    trained = train(spec, [5, 6, 7])
    accuracies = judge(spec, [5, 6, 7], trained.networks)
    for number, run in enumerate(runs):
        assert run.weights.tobytes() == trained.networks.parameters[number].tobytes()
        for name in accuracies.splits:
            assert run.accuracy(name) == accuracies.of(name)[number]


def test_train_is_an_experiment_in_a_store_like_any_other(tmp_path: Path) -> None:
    """What `run` has computed, `train` finds, and the other way round."""
    (tmp_path / "one.toml").write_text(TINY + "runs = 2\n")
    assert inside("run", str(tmp_path / "one.toml"), "--results", str(tmp_path / "a"))[0] == 0
    same = split("--hidden 2 --train-words 40 --test-words 10 --train-lengths 2:12 --long-lengths 14:20")
    asked = ("train", "dyck-1", "rnn", *same, "--epochs", "3", "--runs", "2")
    assert inside(*asked, "--results", str(tmp_path / "b"))[0] == 0
    assert content(tmp_path / "a") == content(tmp_path / "b")
    before = [run.outcome for run in kept_in(tmp_path / "a")]
    assert (
        "nothing would run: the store has all of it"
        in inside(*asked, "--out", str(tmp_path / "a"), "--dry-run")[1]
    )
    assert inside(*asked, "--out", str(tmp_path / "a"))[1] == inside(*asked, "--out", str(tmp_path / "b"))[1]
    assert [run.outcome for run in kept_in(tmp_path / "a")] == before


def test_train_goes_on_and_force_trains_again(tmp_path: Path) -> None:
    asked = ("train", "dyck-1", "lstm", *SMALL, "--out", str(tmp_path / "kept"))
    inside(*asked, "--runs", "1")
    (first,) = kept_in(tmp_path / "kept")
    inside(*asked, "--runs", "2")
    runs = kept_in(tmp_path / "kept")
    assert [run.seed for run in runs] == [0, 1]
    assert runs[0].outcome == first.outcome
    inside(*asked, "--runs", "1", "--force")
    again = kept_in(tmp_path / "kept")
    assert again[0].outcome.begun > first.outcome.begun
    assert again[1].outcome == runs[1].outcome


def test_a_dry_run_of_train_makes_nothing(tmp_path: Path) -> None:
    output = shown("train", "dyck-1", "lstm", *SMALL, "--dry-run", "--out", str(tmp_path / "no"))
    assert "10 runs in 1 block would run" in output
    assert not (tmp_path / "no").exists()


def test_a_place_that_cannot_be_written_is_refused_before_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("abacist.cli.work.run", lambda *_, **__: pytest.fail("it was trained"))
    (tmp_path / "file").write_text("")
    said = refused("train", "dyck-1", "lstm", *SMALL, "--out", str(tmp_path / "file"), code=1)
    assert f"{tmp_path / 'file'}" in said
    with closed_folder() as folder, closed(folder):
        assert "permission denied" in refused(
            "train", "dyck-1", "lstm", "--out", str(folder / "kept"), code=1
        )
    Folder(networks("dyck-1"), {"language": "dyck-1"}).save(tmp_path / "imported")
    said = refused("train", "dyck-1", "lstm", *SMALL, "--out", str(tmp_path / "imported"), code=1)
    assert "is already a folder of networks" in said
    said = refused("teach", "dyck-1", "lstm", "--runs", "1", "--out", str(tmp_path / "imported"), code=1)
    assert "is already a folder of networks" in said


def test_train_prints_minimum_maximum_and_median(tmp_path: Path) -> None:
    options = ("--runs", "3", *SMALL, "--epochs", "20", "--rate", "0.01", "--out", str(tmp_path))
    asked = ("train", "dyck-1", "gru", *options)
    table = shown(*asked)
    assert "dyck-1, gru with 3 hidden units, 3 runs, 20 epochs, seeds 0–2" in table
    accuracy = json.loads(inside(*asked, "--json")[1])["accuracy"]
    assert len(set(accuracy["training"])) == 3  # so that no two columns are the same
    for name, shares in accuracy.items():
        row = next(line.split() for line in table.splitlines() if line.strip().startswith(name))
        assert [float(x) for x in row[1:]] == [
            pytest.approx(100 * f(shares), abs=0.005) for f in (np.min, np.max, np.median)
        ]


def test_judge_agrees_with_the_reference(folder: Path) -> None:
    words = ["()", "(())()", "(((())))", "()()()()()()"]
    text = shown("judge", str(folder), *words, "--json")
    rows = json.loads(text)
    language, runs = language_named("dyck-1"), kept_in(folder)
    assert len(rows) == 12
    for row in rows:
        word = language.alphabet.parse(row["word"])
        _, outputs = forward(runs[row["run"]].networks, 0, word)
        wrong = ((outputs > 0.5) != language.targets(word).astype(bool)).any(axis=1)
        first = int(np.argmax(wrong)) + 1 if wrong.any() else None
        assert (row["accepted"], row["wrong_at"]) == (first is None, first)
    _, table, errors = inside("judge", str(folder), *words, "--run", "1")
    assert table.count("all right") + table.count("wrong at") == 4
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
    assert np.array_equal(kept.networks.parameters[0], kept_in(folder)[2].weights)


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


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_import_refuses_weights_that_are_not_finite(value: float, tmp_path: Path) -> None:
    tensors = networks("dyck-1").tensors(0)
    tensors["output.weight"][0, 1] = value
    save_file(tensors, tmp_path / "model.safetensors")
    said = refused("import", str(tmp_path / "model.safetensors"), "--cell", "lstm", code=1)
    assert said.endswith("model.safetensors: output.weight has values that are not finite\n")
    assert not (tmp_path / "model").exists()


def test_misuse_gets_one_sentence(folder: Path, tmp_path: Path) -> None:
    kept = str(folder)
    assert "did you mean lstm?" in refused("train", "dyck-1", "lstmm")
    assert "--hidden must be from 1 to 256, got 0" in refused("train", "dyck-1", "lstm", "--hidden", "0")
    assert "do not exist" in refused("train", "dyck-1", "lstm", "--train-lengths", "2:8")
    assert "float32 or float64, got 'half'" in refused("train", "dyck-1", "lstm", "--precision", "half")
    assert "all or last, got 'some'" in refused("train", "dyck-1", "lstm", "--steps", "some")
    assert "rate must be positive" in refused("train", "dyck-1", "lstm", "--rate", "0")
    assert "--runs must be from 1 to" in refused("train", "dyck-1", "lstm", "--runs", "0")
    assert "run must be from 0 to 2, got 3" in refused("judge", kept, "()", "--run", "3")
    assert "has no step to judge" in refused("judge", kept, " ")
    assert "not in the alphabet" in refused("judge", kept, "[]")
    assert "there is no such folder" in refused("judge", str(tmp_path / "nothing"), "()")
    assert "cannot be read" in refused("import", str(tmp_path / "no.safetensors"), "--cell", "lstm")
    (tmp_path / "bad.safetensors").write_bytes(b"nonsense")
    assert "is not a safetensors file" in refused(
        "import", str(tmp_path / "bad.safetensors"), "--cell", "gru", code=1
    )
    file = tmp_path / "one.safetensors"
    inside("export", kept, "--out", str(file))
    assert "its cell is lstm, not gru" in refused("import", str(file), "--cell", "gru", code=1)
    inside("import", str(file), "--cell", "lstm")
    again = refused("import", str(file), "--cell", "lstm", code=1)
    assert "one: already exists and is not empty; name another folder" in again
    assert "cannot be written" in refused(
        "export", kept, "--out", str(tmp_path / "nowhere" / "x.safetensors")
    )


def test_control_c_keeps_finished_blocks_and_the_same_command_goes_on(tmp_path: Path) -> None:
    options = ("--runs", "33", "--jobs", "1", "--out", str(tmp_path / "kept"))
    asked = ("train", "dyck-1", "lstm", *SMALL, *options)
    script = (
        "import os, signal, sys\n"
        "from abacist.cli.app import run\n"
        "from abacist.experiments import Store\n"
        "put = Store.put\n"
        "def put_and_stop(self, runs):\n"
        "    put(self, runs)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "Store.put = put_and_stop\n"
        "sys.exit(run(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *asked, "--quiet"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (130, "")
    kept = kept_in(tmp_path / "kept")
    assert len(kept) in (16, 32)  # whole blocks; a second one may have been finished meanwhile
    place = tmp_path / "kept" / FILE_NAME
    assert done.stderr == f"{len(kept)} of 33 runs kept in {place}; the same command continues from there\n"
    assert inside(*asked)[0] == 0
    whole = kept_in(tmp_path / "kept")
    assert len(whole) == 33
    same = {run.key: run.outcome for run in kept}
    assert {run.key: run.outcome for run in whole if run.key in same} == same
