"""The command `abacist page`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.cells import Layout, cell_named
from abacist.experiments import FILE_NAME, Run
from abacist.report.page import content
from abacist.specs import Networks
from abacist.specs.files import save_folder
from tests.cells.test_plugins import MINIMAL
from tests.cli.command import inside, refused
from tests.experiments.cases import flip, keep, made_up, small
from tests.report.page.unpacking import unpacked, weights_of

SHARES = {"short": {"3": 0.5}}


def run_of(seed: int, **settings: Any) -> Run:
    return made_up(replace(small(), cell=cell_named("lstm"), **settings), seed, SHARES)


@pytest.fixture
def searched(tmp_path: Path) -> Path:
    """A store with three runs of one's own."""
    keep(tmp_path / "results", [run_of(seed) for seed in range(3)])
    return tmp_path / "results"


@pytest.fixture
def results(searched: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, where no horizons are searched for, which takes the longest."""
    monkeypatch.setattr(content, "_MOST_SEARCHED", 0)
    return searched


def folder_of(path: Path, about: dict[str, str], runs: int = 2, hidden: int = 12) -> Path:
    """A folder of networks with two inputs and two outputs, as `abacist import` makes one."""
    networks = Networks.initial(Layout(cell_named("gru"), 2, hidden, 2), range(runs))
    save_folder(networks, path, about=about)
    return path


def content_of(path: Path) -> Any:
    return unpacked(path)["content"]


def test_it_says_where_it_wrote_and_how_much(searched: Path) -> None:
    code, output, errors = inside("page", "--results", str(searched))
    path = searched / "page.html"
    assert (code, output) == (0, "")
    assert errors == f"page written to {path}: 5 networks, {path.stat().st_size:,} bytes\n"
    packed = content_of(path)["networks"]
    runs = [run_of(seed) for seed in range(3)]
    assert [own["key"] for own in packed[:3]] == [run.key[:8] for run in runs]
    for own, run in zip(packed, runs, strict=False):
        np.testing.assert_array_equal(weights_of(own), run.weights)
        assert own["accuracy"] == {"training": None, "short": 50, "long": None}


@pytest.mark.thorough
def test_the_same_store_gives_the_same_bytes_in_every_process(searched: Path) -> None:
    command = [sys.executable, "-m", "abacist", "page", "--results", str(searched)]
    subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": "1"}, capture_output=True, check=True)
    theirs = (searched / "page.html").read_bytes()
    assert inside("page", "--results", str(searched))[0] == 0
    assert (searched / "page.html").read_bytes() == theirs


@pytest.mark.thorough
def test_what_cannot_be_done_gets_one_sentence(results: Path, tmp_path: Path) -> None:
    place = ("page", "--results")
    (tmp_path / "nothing").mkdir()
    for folder, code in (("none", 2), ("nothing", 1)):
        sentence = refused(*place, str(tmp_path / folder), code=code)
        assert f"{tmp_path / folder}: holds no results; `make reproduce` makes some, --network" in sentence
    keep(tmp_path / "empty", [])
    assert "its store holds no runs yet" in refused(*place, str(tmp_path / "empty"), code=1)
    (tmp_path / "nothing" / FILE_NAME).write_text("no database")
    assert "the store is damaged" in refused(*place, str(tmp_path / "nothing"), code=1)
    for path, code in ((tmp_path, 1), (tmp_path / "no" / "page.html", 2), (Path("/dev/full"), 1)):
        assert f"{path}: cannot be written, " in refused(*place, str(results), "--out", str(path), code=code)
    assert "--language is for networks that" in refused(*place, str(results), "--language", "dyck-1")
    assert not (results / "page.html").exists()


def test_a_damaged_run_is_named_once_and_left_out(results: Path) -> None:
    flip(results, "weights", seed=0)
    code, _, errors = inside(
        "page", "--results", str(results), "--network", run_of(1).key, "--network", run_of(2).key
    )
    warning, written = errors.splitlines()
    assert code == 0
    assert "`abacist repair` removes it" in warning
    assert ": 6 networks, " in written  # two of the store, the same as the user's, and two built by hand


def test_networks_of_the_user_s_come_first_each_once(results: Path, tmp_path: Path) -> None:
    key, folder = run_of(1).key, folder_of(tmp_path / "mine", {"language": "dyck-1"})
    named = [key, key[:9], str(folder), str(results)]
    options = [part for name in named for part in ("--network", name)]
    assert inside("page", "--results", str(results), *options)[0] == 0
    content = content_of(results / "page.html")
    own = [network for network in content["networks"] if network["key"].startswith("own-")]
    assert content["networks"][: len(own)] == own
    assert [network["label"] for network in own] == [
        f"run {key[:8]}, seed 1",
        f"{folder}, run 0",
        f"{folder}, run 1",
        *(f"run {run_of(seed).key[:8]}, seed {seed}" for seed in (0, 2)),
    ]
    first = content["groups"][own[0]["group"]]
    assert first["title"].startswith("Yours · Dyck-1 · LSTM · 2 units · epochs 3")
    assert content["groups"][own[1]["group"]]["title"] == "Yours · Dyck-1 · GRU · 12 units"
    keys = [network["key"] for network in content["networks"]]
    assert len(set(keys)) == len(keys) == 5 + 3 + 2
    np.testing.assert_array_equal(weights_of(own[0]), run_of(1).weights)
    assert own[0]["accuracy"]["short"] == 50
    assert own[1]["accuracy"] is None


def test_two_stores_with_the_same_run(results: Path, tmp_path: Path) -> None:
    keep(tmp_path / "copy", [run_of(0)])
    options = ("--network", str(tmp_path / "copy"), "--network", run_of(0).key)
    assert inside("page", "--results", str(results), *options)[0] == 0
    keys = [network["key"] for network in content_of(results / "page.html")["networks"]]
    assert len(set(keys)) == len(keys) == 2 + 3 + 2


def test_networks_without_a_store_go_beside_the_user(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of(tmp_path / "imported", {})
    monkeypatch.chdir(tmp_path)
    asked = ("page", "--results", "none", "--network", "imported")
    assert "imported: this network came without a language, so name it with --language" in refused(*asked)
    assert "dyck-2: has 4 symbols and 4 outputs, the network 2 and 2" in refused(
        *asked, "--language", "dyck-2"
    )
    assert "unknown language" in refused(*asked, "--language", "dcyk-1")
    code, _, errors = inside(*asked, "--language", "dyck-1")
    assert (code, errors.split(",")[0]) == (0, "page written to page.html: 4 networks")
    assert content_of(tmp_path / "page.html")["networks"][1]["label"] == "imported, run 1"
    assert folder.is_dir()


def test_a_folder_whose_name_is_no_text(results: Path, tmp_path: Path) -> None:
    name = os.fsdecode(os.fsencode(tmp_path) + b"/odd\xff\x1b[31m</script>")
    folder_of(Path(name.replace("/script", "")), {"language": "dyck-1"}, runs=1)
    code, _, errors = inside("page", "--results", str(results), "--network", name.replace("/script", ""))
    assert (code, "\x1b" in errors) == (0, False)
    assert content_of(results / "page.html")["networks"][0]["label"].endswith(r"odd\udcff\x1b[31m<>, run 0")


@pytest.mark.thorough
def test_networks_that_are_not_there_or_cannot_be_shown(results: Path, tmp_path: Path) -> None:
    place = ("page", "--results", str(results), "--network")
    assert "no run in" in refused(*place, "zzz")
    assert "no run in" in refused(*place, "")
    assert "there is no such folder" in refused(*place, str(tmp_path / "none"))
    keep(tmp_path / "last", [run_of(0, steps="last"), run_of(0)])
    code, _, errors = inside(*place, str(tmp_path / "last"))
    assert code == 0
    assert "1 of 2 networks cannot be shown, such as run " in errors
    assert ", only last steps count: a page judges every step" in errors
    key = run_of(0, steps="last").key
    asked = ("page", "--results", str(tmp_path / "last"), "--network", key)
    assert ": a page judges every step" in refused(*asked)
    many = folder_of(tmp_path / "many", {"language": "dyck-1"}, runs=1001, hidden=1)
    assert "--network names 1,001 networks, more than the 1,000 that" in refused(*place, str(many))
    large = folder_of(tmp_path / "large", {"language": "dyck-1"}, runs=30, hidden=40)
    assert "networks would have" in refused(*place, str(large))


def test_a_plugin_s_cell_can_be_trained_on_the_page(results: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINIMAL)
    asked = ("page", "--results", str(results), "--plugin", str(tmp_path / "mine.py"))
    assert inside(*asked, "--plugin", str(tmp_path / "mine.py"))[0] == 0
    known = unpacked(results / "page.html")
    assert known["content"]["cells"][-1] == {"name": "minimal", "title": "Minimal"}
    for units in known["content"]["units"]:
        assert f'"minimal 12 {units} 12": {{' in known["engine"]


def test_the_plugin_of_the_documentation_works(results: Path, tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "page.md").read_text()
    (block,) = re.findall(r"A plugin is .*?```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "mine.py").write_text(block)
    assert inside("page", "--results", str(results), "--plugin", str(tmp_path / "mine.py"))[0] == 0
    known = unpacked(results / "page.html")
    assert known["content"]["cells"][-1]["name"] == "leaky"
    assert '"leaky 2 3 2": {' in known["engine"]


def test_it_is_opened_where_there_is_a_browser(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    for opened, last in ((True, "page written to "), (False, "no browser could be opened; open ")):

        def pretend(url: str, opened: bool = opened) -> bool:
            asked.append(url)
            return opened

        monkeypatch.setattr(webbrowser, "open", pretend)
        code, _, errors = inside("page", "--results", str(results), "--open")
        assert (code, asked.pop()) == (0, (results / "page.html").resolve().as_uri())
        assert errors.splitlines()[-1].startswith(last)
