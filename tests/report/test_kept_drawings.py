"""Kept drawings: taken if nothing that they depend on has changed, and never if a bit of them has."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import abacist
from abacist.experiments import Results, Store
from abacist.machine_code import code_cache
from abacist.report.figures import Picture, kept_drawings, new_figure
from abacist.report.figures.kept_drawings import keep_drawn, kept_drawn
from tests.experiments.cases import made_up, small
from tests.machine_code.hostile import flip

RESULTS = Results(Path("results") / "abacist.sqlite", (), (), "c" * 64)
FORMS = ("svg", "pdf", "png")
FILES = [b"<svg/>", b"%PDF", b"PNG"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own."""
    monkeypatch.setenv("ABACIST_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "figures"


def picture(name: str = "one") -> Picture:
    return Picture(name, "", "", "", new_figure)


def test_what_was_kept_is_there_with_the_forms_that_it_began_with() -> None:
    assert kept_drawn(RESULTS, picture(), FORMS) is None
    keep_drawn(RESULTS, picture(), FORMS, FILES)
    for count in (1, 2, 3):
        assert kept_drawn(RESULTS, picture(), FORMS[:count]) == FILES[:count]


def test_nothing_else_is_taken_for_it() -> None:
    keep_drawn(RESULTS, picture(), FORMS, FILES)
    assert kept_drawn(replace(RESULTS, checksum="d" * 64), picture(), FORMS) is None
    assert kept_drawn(RESULTS, picture("two"), FORMS) is None
    assert kept_drawn(RESULTS, picture(), ("png",)) is None  # a layout depends on the forms before
    assert kept_drawn(RESULTS, picture(), ("pdf", "svg", "png")) is None
    assert kept_drawn(RESULTS, picture(), FORMS) == FILES


def test_runs_that_come_from_no_store_are_not_kept(folder: Path) -> None:
    nowhere = replace(RESULTS, checksum="")
    keep_drawn(nowhere, picture(), FORMS, FILES)
    assert kept_drawn(nowhere, picture(), FORMS) is None
    assert not folder.exists()


def test_no_damaged_file_is_taken(folder: Path) -> None:
    keep_drawn(RESULTS, picture(), ("svg",), FILES[:1])
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    damaged = [flip(whole, bit) for bit in range(8 * len(whole))]
    for content in (*damaged, *(whole[:length] for length in range(len(whole))), whole + b"\0"):
        path.write_bytes(content)
        assert kept_drawn(RESULTS, picture(), ("svg",)) is None
    path.write_bytes(whole)
    assert kept_drawn(RESULTS, picture(), ("svg",)) == FILES[:1]


def test_where_nothing_can_be_kept_nothing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ABACIST_CACHE", str(tmp_path / "file"))
    keep_drawn(RESULTS, picture(), FORMS, FILES)
    assert kept_drawn(RESULTS, picture(), FORMS) is None


def test_the_oldest_make_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(code_cache.LARGEST, "figures", 10_000)
    for number in range(20):
        keep_drawn(RESULTS, picture(f"p{number}"), ("svg",), [bytes(1_000)])
        assert sum(path.stat().st_size for path in folder.iterdir()) <= 10_000
        for path in folder.iterdir():  # as if a second had passed
            os.utime(path, ns=(0, path.stat().st_mtime_ns - 10**9))
    there = [n for n in range(20) if kept_drawn(RESULTS, picture(f"p{n}"), ("svg",)) is not None]
    assert there == list(range(20 - len(there), 20))
    assert len(there) == 10_000 // (1_000 + 32)  # each with its authentication code


_ASK = """
import importlib.metadata, sys
versions = importlib.metadata.version
importlib.metadata.version = lambda name: "99" if name in sys.argv[1:] else versions(name)
from pathlib import Path
from abacist.experiments import Results
from abacist.report.figures import Picture, new_figure
from abacist.report.figures.kept_drawings import keep_drawn, kept_drawn
results = Results(Path("results") / "abacist.sqlite", (), (), "c" * 64)
picture = Picture("one", "", "", "", new_figure)
print(kept_drawn(results, picture, ("svg",)))
keep_drawn(results, picture, ("svg",), [b"<svg/>"])
"""


@pytest.mark.thorough
def test_other_software_draws_anew(tmp_path: Path) -> None:
    package = tmp_path / "package" / "abacist"
    shutil.copytree(Path(abacist.__file__).parent, package)

    def found(*newer: str) -> str:
        command = [sys.executable, "-c", _ASK, *newer]
        environment = os.environ | {"PYTHONPATH": str(package.parent)}
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        ).stdout.strip()

    assert [found(), found("matplotlib"), found()] == ["None", "None", "[b'<svg/>']"]
    with (package / "languages" / "dyck.py").open("a") as file:
        file.write("# changed")
    assert found() == "None"


def test_whatever_the_package_comes_with_changes_the_name(tmp_path: Path) -> None:
    """A figure may draw any file of it, as one draws `distributions.json`; not what Python compiles."""
    package = Path(abacist.__file__).parent
    files = [path for path in package.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    one_of_each = {path.suffix: path.relative_to(package) for path in files}
    assert one_of_each.keys() >= {".py", ".toml", ".json", ".js", ".css", ".jinja"}
    compiled = Path("report") / "__pycache__" / "one.pyc"
    for path in (*one_of_each.values(), compiled):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("1")
    checksum = kept_drawings.source_checksum(tmp_path)
    for path in one_of_each.values():
        (tmp_path / path).write_text("2")
        assert kept_drawings.source_checksum(tmp_path) != checksum, path
        (tmp_path / path).write_text("1")
    (tmp_path / compiled).write_text("2")
    assert kept_drawings.source_checksum(tmp_path) == checksum


def test_a_checksum_tells_any_two_stores_apart(tmp_path: Path) -> None:
    """Runs that differ in an accuracy, in a weight or in their number."""
    first = made_up(small(), 0, {"long": {"3": 0.5}})
    changed = first.weights.copy()
    changed[-1] += 1
    stores = [
        [],
        [first],
        [made_up(small(), 0, {"long": {"3": 0.25}})],
        [replace(first, kept=changed)],
        [first, made_up(small(), 1, {"long": {"3": 0.5}})],
    ]
    checksums = []
    for number, runs in enumerate(stores):
        with Store(tmp_path / str(number)) as store:
            store.put(runs)
            checksums.append(Results.of(store).checksum)
            assert Results.of(store).checksum == checksums[-1]
    assert len(set(checksums)) == len(stores)
