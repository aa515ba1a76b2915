"""Networks that the user names: all commands find those of a folder and those of a store."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from abacist.cells import cell_named
from abacist.cli import interrupt
from abacist.cli.screen import working
from abacist.corpora import pack_texts
from abacist.engine import first_mistakes
from abacist.experiments import Run, Store
from abacist.specs.files import Folder, NetworkFile
from tests.cli.command import inside, refused, shown
from tests.experiments.cases import made_up, small


def run_of(seed: int) -> Run:
    return made_up(replace(small(), cell=cell_named("lstm")), seed, {"short": {"3": 0.5}})


@pytest.fixture
def results(tmp_path: Path) -> Path:
    with Store(tmp_path / "results") as store:
        store.put([run_of(1), run_of(2)])
    return tmp_path / "results"


def test_a_network_of_a_store_is_judged_as_if_it_lay_in_a_folder(results: Path, tmp_path: Path) -> None:
    run = run_of(2)
    Folder(run.networks, {"language": "dyck-1"}).save(tmp_path / "nets")
    by_key = shown("judge", run.key[:10], "(())", "()", "--results", str(results), "--json")
    assert inside("judge", str(tmp_path / "nets"), "(())", "()", "--json")[1] == by_key
    words = pack_texts(run.spec.language, [(0, 0, 1, 1), (0, 1)])
    wrong = [row["wrong_at"] for row in json.loads(by_key)]
    assert [-1 if at is None else at - 1 for at in wrong] == first_mistakes(run.networks, 0, words).tolist()


def test_a_network_of_a_store_goes_to_pytorch(results: Path, tmp_path: Path) -> None:
    run, file = run_of(1), tmp_path / "one.safetensors"
    assert inside("export", run.key, "--results", str(results), "--out", str(file))[0] == 0
    assert (
        NetworkFile.load(file, run.spec.cell).networks.parameters.tobytes()
        == run.networks.parameters.tobytes()
    )


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
    assert "it has no run.json" in refused(verb, str(tmp_path / "empty"), *more, *where, code=1)
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


def test_export_asks_for_a_network(tmp_path: Path) -> None:
    assert "name a network" in refused("export", "--out", str(tmp_path / "x.safetensors"))


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
