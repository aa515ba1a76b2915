"""The commands that make networks without training: construct, sharpen."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from abacist.analysis import constructed, saturated
from abacist.experiments import Store
from abacist.languages import language_named
from abacist.specs import Networks
from abacist.specs.files import NetworkFile, save_folder
from tests.analysis.cases import networks
from tests.cli.command import inside, refused
from tests.experiments.cases import TINY, runs_of, small


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_construct_keeps_the_network_of_the_library(precision: str, tmp_path: Path) -> None:
    out = tmp_path / "counter"
    code, printed, said = inside("construct", "Shuffle-2", "--precision", precision, "--out", str(out))
    assert (code, printed) == (0, f"{out}\n")
    assert said == f"lstm with 2 hidden units that counts shuffle-2, {precision}, kept in {out}\n"
    kept = NetworkFile.load_folder(out)
    assert kept.networks == constructed(language_named("shuffle-2"), precision)
    assert kept.about.get("language") == "shuffle-2"


def test_a_constructed_network_goes_by_its_folder(tmp_path: Path) -> None:
    out, file = str(tmp_path / "counter"), str(tmp_path / "counter.safetensors")
    inside("construct", "dyck-1", "--out", out)
    words = ("()", "((()))()", "(" * 500 + ")" * 500)
    rows = json.loads(inside("judge", out, *words, "--json")[1])
    assert [row["accepted"] for row in rows] == [True] * 3
    steps = json.loads(inside("trace", out, "(())", "--json")[1])["rows"]
    assert [step["c 1"] for step in steps] == [1, 2, 1, 0]
    assert inside("export", out, "--out", file)[0] == 0
    assert inside("import", file, "--cell", "lstm", "--out", str(tmp_path / "again"))[0] == 0
    assert NetworkFile.load_folder(tmp_path / "again").networks == NetworkFile.load_folder(Path(out)).networks


def test_misuse_gets_one_sentence(tmp_path: Path) -> None:
    out = str(tmp_path / "counter")
    assert "known for Dyck-1 and shuffles of it, got dyck-2" in refused("construct", "dyck-2", "--out", out)
    assert "float32 or float64, got 'half'" in refused(
        "construct", "dyck-1", "--precision", "half", "--out", out
    )
    inside("construct", "dyck-1", "--out", out)
    assert "counter: already exists and is not empty" in refused("construct", "dyck-1", "--out", out, code=1)
    (tmp_path / "file").touch()
    assert "is a file; name a folder" in refused(
        "construct", "dyck-1", "--out", str(tmp_path / "file"), code=1
    )


def test_saturate_keeps_the_networks_of_the_library(tmp_path: Path) -> None:
    kept, out = tmp_path / "kept", tmp_path / "sharper"
    save_folder(networks("dyck-1", "gru", 2, 3), kept, about={"language": "dyck-1", "steps": "last"})
    code, printed, said = inside("sharpen", str(kept), "--factor", "4", "--out", str(out))
    assert (code, printed) == (0, f"{out}\n")
    assert said == f"3 networks with gates 4 times as sharp, kept in {out}\n"
    sharper = NetworkFile.load_folder(out)
    assert sharper.networks == saturated(networks("dyck-1", "gru", 2, 3), 4)
    assert (sharper.about["language"], sharper.about["steps"]) == ("dyck-1", "last")
    assert (
        inside("sharpen", str(kept), "--run", "1", "--factor", "0.5", "--out", str(tmp_path / "one"))[0] == 0
    )
    one = NetworkFile.load_folder(tmp_path / "one").networks
    assert np.array_equal(one.parameters[0], saturated(networks("dyck-1", "gru", 2, 3), 0.5).parameters[1])


def test_runs_of_a_store_are_saturated_too(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(TINY.replace('"rnn"', '"gru"') + "runs = 2\n")
    store, out = tmp_path / "store", tmp_path / "sharper"
    assert inside("run", str(tmp_path / "one.toml"), "--results", str(store))[0] == 0
    with Store(store, reading=True) as opened:
        first = runs_of(opened)[0]
    assert inside("sharpen", first.key, "--results", str(store), "--factor", "2", "--out", str(out))[0] == 0
    assert NetworkFile.load_folder(out).networks == saturated(first.networks, 2)
    assert inside("judge", str(out), "()()")[0] == 0
    for wrong, said in (("0", "positive and finite, got 0.0"), ("1e300", "must stay finite in float32")):
        again = ("--factor", wrong, "--out", str(tmp_path / "no"))
        assert said in refused("sharpen", first.key, "--results", str(store), *again)
    assert not (tmp_path / "no").exists()


def test_a_network_without_gates_is_not_sharpened(tmp_path: Path) -> None:
    plain, folder = Networks.initial(small().layout, [0]), str(tmp_path / "own")
    save_folder(plain, tmp_path / "own", about={"language": "dyck-1"})
    why = "abacist: rnn has no gates to sharpen: its weights enter a tanh that multiplies nothing\n"
    assert refused("sharpen", folder, "--factor", "2", "--out", str(tmp_path / "no")) == why
    assert refused("horizon", folder, "--sharpen", "2", "--max-length", "4") == why
    assert inside("horizon", folder, "--max-length", "4")[0] == 0
    assert not (tmp_path / "no").exists()


def test_the_former_name_works_and_says_the_new_one(tmp_path: Path) -> None:
    save_folder(networks("dyck-1", "gru"), tmp_path / "kept", about={"language": "dyck-1"})
    kept, places = str(tmp_path / "kept"), [str(tmp_path / name) for name in ("old", "new")]
    code, _, said = inside("saturate", kept, "--by=4", "--out", places[0])
    assert (code, said.splitlines()[:2]) == (
        0,
        ["saturate is now called sharpen", "--by is now called --factor"],
    )
    assert inside("sharpen", kept, "--factor", "4", "--out", places[1])[0] == 0
    assert (
        NetworkFile.load_folder(Path(places[0])).networks == NetworkFile.load_folder(Path(places[1])).networks
    )
    assert "saturate" not in inside("--help")[1]
