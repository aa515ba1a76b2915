"""Cells and languages of one's own on the command line: from files, from packages, and not at hand."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

from abacist.cells import KNOWN, defined_in
from abacist.cli.app import VERBS, command_of
from abacist.specs.files import NetworkFile
from tests.cells.test_plugins import ANGLES, MINIMAL, file_of
from tests.cli.command import inside, refused, shown
from tests.experiments.cases import TINY

TRAIN = ("--hidden", "2", "--epochs", "2", "--train-words", "40", "--test-words", "10",
         "--train-lengths", "2:12", "--long-lengths", "14:20", "--quiet")  # fmt: skip

#: What a package needs to offer something, as `pip install` leaves it.
METADATA = "Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"


def package(folder: Path, name: str, text: str, **points: str) -> Path:
    """A package as pip installs it: a module, and a folder that says what it offers in which group."""
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.py").write_text(text)
    information = folder / f"{name}-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(METADATA.format(name=name))
    groups = (f"[abacist.{group}]\n{offered}\n" for group, offered in points.items())
    (information / "entry_points.txt").write_text("\n".join(groups))
    return folder


def with_packages(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `abacist` where the packages of a folder are installed."""
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    return subprocess.run(
        [sys.executable, "-m", "abacist", *arguments],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
        check=False,
    )


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A plugin, and a store with two runs of its cell and one of another."""
    folder = tmp_path_factory.mktemp("own")
    plugin = file_of(folder, MINIMAL)
    for cell, runs in (("minimal", "2"), ("rnn", "1")):
        place = ("--runs", runs, "--jobs", "2", "--plugin", str(plugin), "--out", str(folder / "store"))
        shown("train", "dyck-1", cell, *TRAIN, *place)
    return plugin, folder / "store"


def key_of(store: Path, cell: str) -> str:
    output = shown("runs", "--results", str(store), "--where", f"cell={cell}", "--format", "json")
    found: str = json.loads(output)["rows"][0]["key"]
    return found


def test_every_command_has_the_option() -> None:
    for name, verb in VERBS.items():
        options = [one for parameter in command_of(verb).params for one in parameter.opts]
        assert options.count("--plugin") == 1, name


@pytest.mark.thorough
def test_a_store_is_used_without_the_plugin_as_far_as_no_formula_is_needed(
    stored: tuple[Path, Path], tmp_path: Path
) -> None:
    """In a process that has never met the cell."""
    plugin, store = stored
    own = defined_in(plugin)[0][1]
    written = f"minimal#{own.content[:12]}"
    key = key_of(store, "minimal")
    listed = with_packages(tmp_path, "runs", "--results", str(store), "--format", "csv")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert listed.stdout.count(written) == 2
    tabled = with_packages(tmp_path, "table", "--results", str(store))
    assert tabled.returncode == 0
    assert "minimal" in tabled.stdout
    judged = with_packages(tmp_path, "judge", key, "()", "--results", str(store))
    sentence = (
        f"cell {written}: its formula is not at hand; give the file that defines it: --plugin FILE, in "
        "Python load_plugins([FILE])"
    )
    assert (judged.returncode, judged.stdout, judged.stderr) == (2, "", f"abacist: {sentence}\n")
    counted = with_packages(tmp_path, "counters", "--results", str(store), "--json")
    assert counted.returncode == 0
    assert f"{store}: 2 runs left out, {sentence}" in counted.stderr
    assert "minimal" not in counted.stdout
    copy = shutil.copytree(store, tmp_path / "copy")
    trained = with_packages(tmp_path, "train", "dyck-1", "rnn", *TRAIN, "--runs", "2", "--out", str(copy))
    assert trained.returncode == 0, trained.stderr


def test_another_formula_under_the_name_is_trained_beside_it(
    stored: tuple[Path, Path], tmp_path: Path
) -> None:
    store = shutil.copytree(stored[1], tmp_path / "store")
    other = file_of(tmp_path, MINIMAL.replace("share * (new", "0.5 * share * (new"))
    before = len(json.loads(inside("runs", "--results", str(store), "--format", "json")[1])["rows"])
    place = ("--runs", "1", "--plugin", str(other), "--out", str(store))
    assert inside("train", "dyck-1", "minimal", *TRAIN, *place)[0] == 0
    _, output, _ = inside("runs", "--results", str(store), "--where", "cell=minimal", "--format", "json")
    rows = json.loads(output)["rows"]
    assert len(rows) == before
    assert len({row["cell"] for row in rows}) == 2
    assert sum(row["seed"] == 0 for row in rows) == 2


def test_a_network_travels_as_a_plain_file(stored: tuple[Path, Path], tmp_path: Path) -> None:
    plugin, store = stored
    own, key, file = defined_in(plugin)[0][1], key_of(store, "minimal"), tmp_path / "one.safetensors"
    given = ("--plugin", str(plugin))
    assert inside("export", key, "--results", str(store), "--out", str(file), *given)[0] == 0
    with safe_open(file, "np") as opened:
        about = opened.metadata()
    written = f"minimal#{own.content[:12]}"
    assert about == {"format": "pt", "cell": written, "language": "dyck-1", "seed": "0", "key": key}
    for verb in ("judge", "trace"):
        kept = inside(verb, key, "(())", "--results", str(store), "--json", *given)
        plain = inside(verb, str(file), "(())", "--json", *given)
        assert kept[0] == plain[0] == 0
        assert plain[1].replace(str(file), f"run {key[:8]}") == kept[1]
    assert NetworkFile.load(file).networks.layout.cell == own
    again = tmp_path / "again.safetensors"
    assert inside("export", str(file), "--out", str(again), *given)[0] == 0
    assert again.read_bytes() == file.read_bytes()
    assert inside("import", str(file), "--out", str(tmp_path / "kept"), *given)[0] == 0
    assert inside("judge", str(tmp_path / "kept"), "(())", *given)[0] == 0


def test_a_file_of_pytorch_s_says_less_and_the_options_the_rest(
    stored: tuple[Path, Path], tmp_path: Path
) -> None:
    plugin, store = stored
    file, bare = tmp_path / "one.safetensors", tmp_path / "bare.safetensors"
    place = ("--plugin", str(plugin))
    key = key_of(store, "minimal")
    assert inside("export", key, "--results", str(store), "--out", str(file), *place)[0] == 0
    save_file(NetworkFile.load(file).networks.tensors(0), bare)
    assert "bare.safetensors: does not say what its cell is, so name it with --cell" in refused(
        "judge", str(bare), "()", code=1
    )
    cell = ("--cell", "minimal", *place)
    assert "came without a language, so name it with --language" in refused("judge", str(bare), "()", *cell)
    whole = inside("judge", str(bare), "()", *cell, "--language", "dyck-1", "--json")
    assert whole == (0, inside("judge", str(file), "()", *place, "--json")[1].replace("one.", "bare."), "")
    assert "its cell is minimal#" in refused("judge", str(file), "()", *place, "--cell", "gru", code=1)
    assert "--cell is for a .safetensors file" in refused("judge", str(store), "()", *cell)
    assert "cannot be read, no such file" in refused("judge", str(tmp_path / "no.safetensors"), "()")
    assert "run must be from 0 to 0, got 1" in refused("judge", str(file), "()", *place, "--run", "1")


def test_own_cells_and_languages_are_listed_with_their_origin(tmp_path: Path) -> None:
    plugin = file_of(tmp_path, MINIMAL + ANGLES)
    output = shown("cells", "--json", "--plugin", str(plugin))
    rows = {row["cell"]: row for row in json.loads(output)}
    assert list(rows) == [*KNOWN, "minimal"]
    assert [row["from"] for row in rows.values()] == ["Abacist"] * len(KNOWN) + [str(plugin)]
    assert rows["minimal"]["gates"] == ["f", "n"]
    assert "minimal#" in inside("cells", "--plugin", str(plugin))[1]
    output = shown("languages", "--plugin", str(plugin))
    assert "angles  < >       " in output
    assert inside("label", "angles", "<>", "--plugin", str(plugin))[0] == 0
    assert refused("label", "angles", "<>").startswith("abacist: unknown language 'angles'")


@pytest.mark.thorough
def test_an_installed_package_offers_cells_and_languages(tmp_path: Path) -> None:
    """One package with both, one that is broken and one whose names are taken: the rest still works."""
    folder = tmp_path / "site"
    package(folder, "scratch_cells", MINIMAL, cells="minimal = scratch_cells:minimal")
    package(folder, "scratch_words", ANGLES, languages="all = scratch_words")
    package(folder, "scratch_broken", "1 / 0", cells="broken = scratch_broken:cell")
    package(folder, "scratch_none", "number = 3", cells="number = scratch_none:number")
    package(folder, "scratch_taken", MINIMAL.replace("def minimal", "def gru"), cells="a = scratch_taken:gru")
    package(folder, "scratch_other", MINIMAL.replace("share *", "2 *"), cells="b = scratch_other:minimal")
    out = tmp_path / "store"
    made = with_packages(
        folder, "train", "angles", "minimal", "--runs", "1", *TRAIN, "--out", str(out), "--jobs", "2"
    )
    assert made.returncode == 0, made.stderr
    warnings = sorted(line for line in made.stderr.splitlines() if "warning" in line)
    assert warnings == [
        "abacist: warning: the package scratch_broken: its entry point broken in abacist.cells cannot be "
        "loaded, ZeroDivisionError: division by zero",
        "abacist: warning: the package scratch_none: its entry point number in abacist.cells is no cell",
        "abacist: warning: the package scratch_other: its cell minimal is not used, since one in the package "
        "scratch_cells has that name, too",
        "abacist: warning: the package scratch_taken: a cell named gru comes with Abacist; give yours "
        "another name",
    ]
    listed = with_packages(folder, "cells", "--json")
    (row,) = (row for row in json.loads(listed.stdout) if row["from"] != "Abacist")
    assert (row["cell"], row["from"]) == ("minimal", "the package scratch_cells")
    judged = with_packages(folder, "judge", str(out), "<>", "--json")
    assert judged.returncode == 0, judged.stderr
    known = with_packages(folder, "label", "dyck-1", "()")
    assert (known.returncode, known.stderr) == (0, "")  # nobody asked what is broken


def test_the_table_of_an_experiment_calls_a_cell_by_its_name(tmp_path: Path) -> None:
    plugin = file_of(tmp_path, MINIMAL)
    settings = f'plugins = ["{plugin.name}"]\ncell = ["minimal", "rnn"]\nruns = 1\n'
    (tmp_path / "own.toml").write_text(TINY.replace('cell = "rnn"\n', settings))
    output = shown("run", str(tmp_path / "own.toml"), "--results", str(tmp_path / "store"))
    assert "minimal" in output
    assert "#" not in output


@pytest.mark.parametrize("raised", ["ValueError('no')", "SystemExit(0)", "GeneratorExit", "Mute()"])
def test_what_a_plugin_s_own_code_raises_is_said_with_its_place(raised: str, tmp_path: Path) -> None:
    """Also what would end Python without a word, and what cannot even say what it is."""
    mute = "class Mute(BaseException):\n    def __str__(self):\n        raise OSError\n"
    step = f"    def step(self, state, symbol):\n        raise {raised}\n\n    @property"
    plugin = file_of(tmp_path, mute + ANGLES.replace("    @property", step))
    said = refused("label", "angles", "<>", "--plugin", str(plugin), code=1)
    name = raised.partition("(")[0]
    assert said.startswith(f"abacist: {plugin.resolve()}: line ")
    assert f" failed, {name}" in said


def test_an_error_that_cannot_say_what_it_is_is_named_by_its_kind(tmp_path: Path) -> None:
    plugin = file_of(
        tmp_path, "class Mute(Exception):\n    def __str__(self):\n        raise OSError\nraise Mute\n"
    )
    assert refused("label", "dyck-1", "()", "--plugin", str(plugin)).endswith("in line 4, Mute\n")
