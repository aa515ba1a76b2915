"""Figures of the commands are those of the library, and end with them."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from abacist.errors import BadInput
from abacist.experiments import Results, Store, experiment_named
from abacist.report.figures import PICTURES, Picture, pictures, save
from abacist.report.html import write_report
from tests.cli.command import inside
from tests.experiments.cases import made_up, results_in
from tests.report.report_cases import filled

SPEC = experiment_named("few-units").tasks[0].spec


@pytest.fixture
def results(tmp_path: Path) -> Path:
    with Store(tmp_path / "results") as store:
        store.put([made_up(SPEC, seed, {"long": {"20": 0.5}}) for seed in range(2)])
    return tmp_path / "results"


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.thorough
def test_figures_are_those_of_the_library(results: Path, tmp_path: Path) -> None:
    for picture in pictures(results_in(results))[0]:
        save(picture, tmp_path / "library")
    out = tmp_path / "command"
    code, output, _ = inside("figures", "--results", str(results), "--out", str(out))
    assert (code, output.count("\n")) == (0, 6)
    assert files_in(out) == files_in(tmp_path / "library")
    assert inside("report", "--results", str(results), "--out", str(tmp_path / "command.html"))[0] == 0
    write_report(results_in(results), tmp_path / "library.html")
    assert (tmp_path / "command.html").read_bytes() == (tmp_path / "library.html").read_bytes()


def test_a_figure_that_fails_is_the_only_one(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> Figure:
        raise BadInput("cannot be drawn today")

    def failing(_: Results) -> Picture:
        return Picture("epochs", "", "", "", refuse)

    monkeypatch.setitem(PICTURES, "epochs", failing)
    asked = ("figures", "--results", str(results), "--out", str(tmp_path / "figures"), "--format", "svg")
    code, output, errors = inside(*asked)
    assert (code, output.count("\n")) == (0, 2)
    assert "abacist: epochs: cannot be drawn today\n" in errors
    assert "2 figures in" in errors


@pytest.mark.thorough
def test_an_interrupted_command_draws_no_more(tmp_path: Path) -> None:
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
