"""Figures of the commands are those of the library, drawn only once, by processes that end with them."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from abacist.cli import drawing
from abacist.errors import BadInput
from abacist.experiments import Results, Store, experiment_named
from abacist.machine_code.code_cache import cache_folder
from abacist.report.figures import PICTURES, Picture, pictures, save
from abacist.report.html import write_report
from tests.cli.command import inside
from tests.experiments.cases import made_up, results_in
from tests.report.report_cases import filled

SPEC = experiment_named("few-units").tasks[0].spec
ONE_FIGURE = ("--only", "dyck-1-one-unit", "--format", "svg", "--out")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    with Store(tmp_path / "results") as store:
        store.put([made_up(SPEC, seed, {"long": {"20": 0.5}}) for seed in range(2)])
    return tmp_path / "results"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own, with nothing in it but the compiled code that there is."""
    usual, own = cache_folder(), tmp_path / "cache"
    own.mkdir(0o700)
    if (usual / "key").is_file() and (usual / "compiled").is_dir():
        shutil.copy2(usual / "key", own)
        (own / "compiled").symlink_to(usual / "compiled")
    monkeypatch.setenv("ABACIST_CACHE", str(own))
    return own


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.thorough
def test_figures_are_those_of_the_library_and_drawn_only_once(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for picture in pictures(results_in(results))[0]:
        save(picture, tmp_path / "library")
    for again in (False, True):
        if again:
            monkeypatch.setattr(drawing, "draw_picture", pytest.fail)
        out = tmp_path / f"again {again}"
        code, output, _ = inside("figures", "--results", str(results), "--out", str(out))
        assert (code, output.count("\n")) == (0, 6)
        assert files_in(out) == files_in(tmp_path / "library")
    assert inside("report", "--results", str(results), "--out", str(tmp_path / "command.html"))[0] == 0
    write_report(results_in(results), tmp_path / "library.html")
    assert (tmp_path / "command.html").read_bytes() == (tmp_path / "library.html").read_bytes()


def test_figures_of_other_runs_are_drawn_anew(results: Path, tmp_path: Path) -> None:
    asked = ("figures", "--results", str(results), *ONE_FIGURE)
    assert inside(*asked, str(tmp_path / "before"))[0] == 0
    with Store(results) as store:
        store.put([made_up(SPEC, 5, {"long": {"20": 0.75}})])  # the best, which is the one that is shown
    assert inside(*asked, str(tmp_path / "after"))[0] == 0
    (picture,) = [p for p in pictures(results_in(results))[0] if p.name == "dyck-1-one-unit"]
    save(picture, tmp_path / "library", ("svg",))
    assert files_in(tmp_path / "after") == files_in(tmp_path / "library")
    assert files_in(tmp_path / "after") != files_in(tmp_path / "before")


def test_a_damaged_drawing_is_drawn_again(results: Path, tmp_path: Path, cache: Path) -> None:
    asked = ("figures", "--results", str(results), *ONE_FIGURE)
    assert inside(*asked, str(tmp_path / "before"))[0] == 0
    (kept,) = (cache / "figures").iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(whole.replace(b"<path", b"<part"))
    assert inside(*asked, str(tmp_path / "after"))[0] == 0
    assert files_in(tmp_path / "after") == files_in(tmp_path / "before")
    assert kept.read_bytes() == whole


def test_a_figure_that_fails_is_the_only_one(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> Figure:
        raise BadInput("cannot be drawn today")

    def failing(_: Results) -> Picture:
        return Picture("epochs", "", "", "", refuse)

    monkeypatch.setitem(PICTURES, "epochs", failing)
    asked = ("figures", "--results", str(results), "--out", str(tmp_path / "figures"), "--format", "svg")
    for _ in range(2):  # an error is not kept
        code, output, errors = inside(*asked)
        assert (code, output.count("\n")) == (0, 2)
        assert "abacist: epochs: cannot be drawn today\n" in errors
        assert "2 figures in" in errors


@pytest.mark.thorough
def test_an_interrupted_command_leaves_no_process(tmp_path: Path) -> None:
    """Standard output and standard error are at their end when all processes that hold them have ended."""
    with filled(tmp_path / "results", runs=2):
        pass
    asked = ("figures", "--results", str(tmp_path / "results"), "--format", "svg")
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "abacist", *asked],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().endswith(f"{next(iter(PICTURES))}.svg\n")
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate()
    assert (process.returncode, errors) == (130, "abacist: interrupted\n")
    assert "dyck-1-lengths" not in output
