"""What is named and not there is misuse, exit code 2, in every command that takes a path."""

from __future__ import annotations

from pathlib import Path

import pytest

from abacist.cli.app import VERBS
from abacist.errors import BadFile, MissingFile
from abacist.files import absence, check_parent, refusal
from tests.cli.command import inside, refused

#: Commands by verb, one for every path; NONE is a missing file or folder, COUNTER a network.
CASES = {
    "run": ["NONE.toml"],
    "table": ["NONE.toml", "table-3 --results NONE"],
    "runs": ["--results NONE"],
    "compare": ["--results NONE"],
    "show": ["abc --results NONE"],
    "report": ["--results NONE"],
    "page": ["--results NONE", "--network NONE", "--network COUNTER --out NONE/page.html"],
    "figures": ["--results NONE"],
    "repair": ["--results NONE"],
    "merge": ["all NONE"],
    "delete": ["--where cell=lstm --results NONE"],
    "vacuum": ["--results NONE"],
    "trace": ["NONE ()", "NONE.safetensors ()", "COUNTER () --out NONE/trace.svg"],
    "play": ["NONE"],
    "counters": ["NONE", "--results NONE"],
    "horizon": ["NONE", "./NONE", "COUNTER NONE", "NONE.safetensors", "--results NONE"],
    "train": ["NONE.toml lstm --runs 1", "dyck-1 lstm --plugin NONE.py"],
    "teach": ["NONE.toml lstm --runs 1"],
    "judge": ["NONE ()", "COUNTER () --language NONE.toml"],
    "score": ["NONE.jsonl --corpus NONE.npz"],
    "import": ["NONE.safetensors --out new"],
    "export": ["NONE --out new.safetensors", "COUNTER --out NONE/new.safetensors"],
    "sharpen": ["NONE --factor 2 --out new"],
    "stress": ["NONE", "COUNTER NONE", "--results NONE"],
    "certify": ["NONE", "./NONE", "COUNTER NONE", "NONE.safetensors", "COUNTER --out NONE/proof.json"],
    "check": ["NONE.json COUNTER", "COUNTER/networks.safetensors NONE"],
    "machine": ["NONE", "COUNTER --certificate NONE.json", "COUNTER --out NONE/machine.svg"],
    "cells": ["--plugin NONE.py"],
    "languages": ["--plugin NONE.py"],
    "label": ["NONE.toml ()"],
    "sample": ["NONE.toml"],
    "corpus": ["NONE.toml", "dyck-1 --out NONE/corpus.npz"],
    "distributions": ["--plugin NONE.py"],
    "reproduce": ["--plugin NONE.py"],
}

#: Verbs that read no path, or measure for long before they write one.
WITHOUT = {"construct", "reduce", "bench"}


def test_every_verb_is_here() -> None:
    assert {*CASES, *WITHOUT} == {*VERBS}


@pytest.mark.parametrize(("verb", "line"), [(verb, line) for verb, lines in CASES.items() for line in lines])
def test_what_is_missing_is_misuse(
    verb: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if "COUNTER" in line:
        assert inside("construct", "dyck-1", "--out", "COUNTER")[0] == 0
    there = sorted(tmp_path.iterdir())
    said = refused(verb, *line.split(), code=2)
    assert "NONE" in said
    assert sorted(tmp_path.iterdir()) == there


def test_only_what_is_missing_is_misuse(tmp_path: Path) -> None:
    for error, kind in ((FileNotFoundError(2, "gone"), MissingFile), (PermissionError(13, "no"), BadFile)):
        assert type(refusal(tmp_path, "cannot be read", error)) is kind
    assert type(absence(tmp_path / "none", "holds no results")) is MissingFile
    assert type(absence(tmp_path, "holds no results")) is BadFile
    assert (MissingFile.exit_code, BadFile.exit_code) == (2, 1)
    with pytest.raises(MissingFile):
        check_parent(tmp_path / "none" / "file")
    check_parent(tmp_path / "file")
