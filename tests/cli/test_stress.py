"""`abacist stress`: networks of a store or of folders on structured words."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from abacist.analysis import constructed, stress
from abacist.experiments import Store
from abacist.languages import language_named
from abacist.specs.files import save_folder
from tests.analysis.cases import networks
from tests.cli.command import inside, refused, shown
from tests.experiments.cases import TINY, runs_of

SHORT = ("--lengths", "100,10,1_000")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two little RNNs and two LSTMs, in a store."""
    folder = tmp_path_factory.mktemp("stress")
    (folder / "one.toml").write_text(TINY.replace('cell = "rnn"', 'cell = ["rnn", "lstm"]') + "runs = 2\n")
    assert inside("run", str(folder / "one.toml"), "--results", str(folder))[0] == 0
    return folder


def test_a_store_s_runs_are_stressed_at_once(store: Path) -> None:
    text = shown("stress", "--results", str(store), *SHORT, "--every", "--format", "json")
    rows = json.loads(text)["rows"]
    language = language_named("dyck-1")
    with Store(store, reading=True) as opened:
        runs = runs_of(opened)
        for run in runs:
            (found,) = stress([run.networks], language, (10, 100, 1_000))
            own = {row["family"]: row for row in rows if row["run"] == run.key[:8]}
            assert own.keys() == set(found.families) - set(found.left_out)
            for family, row in own.items():
                number = found.families.index(family)
                assert row["right to"] == found.longest_right[0, number]
                known = found.wrong_at[0, number].tolist()
                for n, step, words in zip(("10", "100", "1000"), known, found.words[number], strict=True):
                    assert row[n] == ((step or "right") if words else None)
    assert len({row["run"] for row in rows}) == len(runs) == 4


def test_runs_are_chosen_by_conditions_and_families_by_name(store: Path) -> None:
    asked = ("stress", str(store), *SHORT, "--where", "cell=lstm", "--only", "nest,pairs")
    code, text, said = inside(*asked, "--format", "csv")
    assert (code, said) == (0, "")
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["cell"], row["runs"]) == ("lstm", "2")
    assert row.keys() == {"language", "cell", "hidden", "runs", "nest", "pairs"}


def test_folders_and_a_figure(tmp_path: Path) -> None:
    save_folder(
        constructed(language_named("shuffle-2")), tmp_path / "counter", about={"language": "shuffle-2"}
    )
    save_folder(networks("dyck-1"), tmp_path / "other")
    figure = tmp_path / "stress.svg"
    counter, other = str(tmp_path / "counter"), str(tmp_path / "other")
    code, text, said = inside("stress", counter, *SHORT, "--figure", str(figure))
    assert (code, said) == (0, f"1 task drawn in {figure}\n")
    assert text.split("1000")[1:]  # right to the end
    assert "shuffle-2 has no words of blocks" in text
    assert "saw-16: teeth of depth 16" in text  # what a family is
    assert figure.read_bytes().startswith(b"<?xml")
    assert "name it with --language" in refused("stress", counter, other)
    assert inside("stress", other, "--language", "dyck-1", *SHORT)[0] == 0


def test_misuse_gets_one_sentence(store: Path) -> None:
    kept = str(store)
    assert "unknown family 'nests', did you mean nest?" in refused("stress", kept, "--only", "nests")
    assert "whole numbers, such as 100,1000,10000, got '1e3'" in refused("stress", kept, "--lengths", "1e3")
    assert "from 1 to 10,000,000, got 0" in refused("stress", kept, "--lengths", "0,5")
    assert ".svg, .pdf, .png" in refused("stress", kept, "--figure", "stress.gif")
