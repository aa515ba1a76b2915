"""The commands about networks, trained, named in any way, judged, imported and exported."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from abacist.cells import cell_named
from abacist.cli import interrupt
from abacist.cli.screen import working
from abacist.engine import judge, train
from abacist.experiments import FILE_NAME, Run, Store
from abacist.languages import language_named
from abacist.specs.files import NetworkFile, save_folder
from tests.analysis.cases import networks
from tests.cli.command import inside, refused, shown, split
from tests.experiments.cases import TINY, content, made_up, runs_of, small
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
    save_folder(networks("dyck-1"), tmp_path / "imported", about={"language": "dyck-1"})
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
    kept = NetworkFile.load_folder(other)
    assert kept.about.get("language") == "dyck-1"
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


def run_of(seed: int) -> Run:
    return made_up(replace(small(), cell=cell_named("lstm")), seed, {"short": {"3": 0.5}})


@pytest.fixture
def results(tmp_path: Path) -> Path:
    with Store(tmp_path / "results") as store:
        store.put([run_of(1), run_of(2)])
    return tmp_path / "results"


@pytest.mark.parametrize("verb", ["judge", "trace", "export"])
def test_what_is_neither_is_refused(verb: str, results: Path, tmp_path: Path) -> None:
    more = ("--out", str(tmp_path / "x.safetensors")) if verb == "export" else ("()",)
    where = ("--results", str(results))
    assert "has a key that begins with 'zz'" in refused(verb, "zz", *more, *where)
    nowhere = refused(verb, "zz", *more, "--results", str(tmp_path / "none"))
    assert "zz: is not a folder, and" in nowhere
    assert "holds no results" in nowhere
    assert "no: there is no such folder" in refused(verb, str(tmp_path / "no"), *more, *where)
    (tmp_path / "empty").mkdir(exist_ok=True)
    assert "it has no networks.safetensors" in refused(verb, str(tmp_path / "empty"), *more, *where, code=1)
    key = run_of(1).key
    assert "a key names one network, so --run does not apply" in refused(
        verb, key, *more, *where, "--run", "0"
    )


def test_the_networks_of_a_folder_with_a_store_are_all_judged_in_the_order_of_runs(results: Path) -> None:
    place = ("--results", str(results))
    rows = json.loads(inside("judge", str(results), "(())", "--json")[1])
    assert [row["run"] for row in rows] == [0, 1]
    seeds = [row["seed"] for row in json.loads(inside("runs", *place, "--format", "json")[1])["rows"]]
    for number, seed in enumerate(seeds):
        (one,) = json.loads(inside("judge", str(results), "(())", "--run", str(number), "--json")[1])
        assert one == rows[number]
        (by_key,) = json.loads(inside("judge", run_of(seed).key, "(())", *place, "--json")[1])
        assert by_key | {"run": number} == one
    assert "run must be from 0 to 1, got 2" in refused("judge", str(results), "()", "--run", "2")


def test_networks_of_several_languages_or_shapes_must_be_chosen_from(results: Path, tmp_path: Path) -> None:
    with Store(results) as store:
        store.put([made_up(small(), 7, {})])  # an RNN among the LSTMs
    for verb, more in (
        ("judge", ("()",)),
        ("trace", ("()",)),
        ("export", ("--out", str(tmp_path / "n.safetensors"))),
    ):
        said = refused(verb, str(results), *more)
        assert "holds networks of several languages or shapes; choose one with --run" in said
        assert f"`abacist runs --results {results}`" in said
        assert inside(verb, str(results), *more, "--run", "2")[0] == 0


def test_a_store_without_runs_has_no_network(tmp_path: Path) -> None:
    Store(tmp_path).close()
    assert f"{tmp_path}: its store holds no runs yet" in refused("judge", str(tmp_path), "()", code=1)


def test_a_swallowed_control_c_is_raised_at_the_next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python drops what is raised while an object is disposed of."""
    monkeypatch.setattr(interrupt, "_seen", False)

    class Disposed:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            sum(range(1000))  # the signal arrives by now

    with interrupt.watch(), working("nothing") as progress:
        progress()
        monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
        Disposed()
        with pytest.raises(KeyboardInterrupt):
            progress(0.5)


def test_control_c_while_it_is_being_loaded_leaves_no_traceback() -> None:
    script = (
        "import builtins, os, signal, sys\n"
        "whole = builtins.__import__\n"
        "def load(name, *rest):\n"
        "    if name == 'abacist.cli.app':\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "    return whole(name, *rest)\n"
        "builtins.__import__ = load\n"
        "from abacist.__main__ import main\n"
        "sys.argv = ['abacist', 'languages']\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
