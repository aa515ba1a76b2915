"""The commands that make networks without training: construct."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from abacist.analysis import constructed
from abacist.languages import language_named
from abacist.specs.files import Folder
from tests.cli.command import inside, refused


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_construct_keeps_the_network_of_the_library(precision: str, tmp_path: Path) -> None:
    out = tmp_path / "counter"
    code, printed, said = inside("construct", "Shuffle-2", "--precision", precision, "--out", str(out))
    assert (code, printed) == (0, f"{out}\n")
    assert said == f"lstm with 2 hidden units that counts shuffle-2, {precision}, kept in {out}\n"
    kept = Folder.load(out)
    assert kept.networks == constructed(language_named("shuffle-2"), precision)
    assert kept.record["language"] == "shuffle-2"


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
    assert Folder.load(tmp_path / "again").networks == Folder.load(Path(out)).networks


def test_misuse_gets_one_sentence(tmp_path: Path) -> None:
    out = str(tmp_path / "counter")
    assert "known for Dyck-1 and shuffles of it, got dyck-2" in refused("construct", "dyck-2", "--out", out)
    assert "float32 or float64, got 'half'" in refused(
        "construct", "dyck-1", "--precision", "half", "--out", out
    )
    inside("construct", "dyck-1", "--out", out)
    assert "counter: already exists and is not empty" in refused("construct", "dyck-1", "--out", out, code=1)
