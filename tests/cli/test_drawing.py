"""Figures of the commands are those of the library, drawn by processes that end with them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from abacist.cli import figures as drawing
from abacist.errors import BadInput
from abacist.experiments import Store, experiment_named
from abacist.report.figures import (
    FIGURE_FORMS,
    PICTURES,
    Picture,
    draw_picture,
    draw_pictures,
    pictures,
    save_drawn,
)
from abacist.report.html import write_report
from tests.cli.command import inside
from tests.experiments.cases import made_up, results_in
from tests.report.report_cases import filled, possible

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
    (tmp_path / "library").mkdir()
    for picture in possible(pictures(results_in(results))).values():
        drawn = draw_picture(picture)
        assert isinstance(drawn, list)
        save_drawn(picture, drawn, tmp_path / "library", FIGURE_FORMS)
    out = tmp_path / "command"
    code, output, _ = inside("figures", "--results", str(results), "--out", str(out))
    assert (code, output.count("\n")) == (0, 6)
    assert files_in(out) == files_in(tmp_path / "library")
    assert inside("report", "--results", str(results), "--out", str(tmp_path / "command.html"))[0] == 0
    write_report(results_in(results), tmp_path / "library.html")
    assert (tmp_path / "command.html").read_bytes() == (tmp_path / "library.html").read_bytes()


def numbered(folder: Path, here: int, number: int) -> Figure:
    """A figure of its own for every number, beside a file that says which process made it."""
    (folder / f"{number} {os.getpid() == here}").touch()
    figure = Figure(figsize=(2, 1))
    figure.text(0.5, 0.5, str(number))
    return figure


def ends_worker(folder: Path, here: int, number: int) -> Figure:
    """What kills every other process that makes it."""
    if os.getpid() != here:
        os.kill(os.getpid(), signal.SIGKILL)
    return numbered(folder, here, number)


def refused_figure(*_: object) -> Figure:
    raise BadInput("cannot be drawn")


def some_pictures(makes: Sequence[Callable[[Path, int, int], Figure]], folder: Path) -> list[Picture]:
    here = os.getpid()
    return [Picture(str(n), "", "", "", partial(make, folder, here, n)) for n, make in enumerate(makes)]


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="with one core there is one process")
@pytest.mark.parametrize("other", [numbered, refused_figure, ends_worker])
def test_a_pool_draws_what_one_process_draws(
    other: Callable[[Path, int, int], Figure], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a copy of this process, which would have the locks of the other threads for ever."""
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("this process was copied"))
    wanted = some_pictures([numbered, numbered, other, numbered], tmp_path)
    expected = [str(drawn) for drawn in draw_pictures(wanted, ("svg",))]
    for path in tmp_path.iterdir():
        path.unlink()
    drawn = drawing.draw_all(wanted, partial(dict, {one.name: one for one in wanted}), ("svg",))
    assert [str(one) for one in drawn] == expected
    assert "0 False" in {path.name for path in tmp_path.iterdir()} or other is ends_worker


def test_a_figure_that_fails_is_the_only_one(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> Figure:
        raise BadInput("cannot be drawn today")

    monkeypatch.setitem(PICTURES, "epochs", lambda _: ("", "", refuse))
    asked = ("figures", "--results", str(results), "--out", str(tmp_path / "figures"), "--format", "svg")
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
