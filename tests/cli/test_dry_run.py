"""A dry run shows what would run, every field that is swept, and a time that is not made up."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from abacist.cells import cell_named
from abacist.cli.estimates import estimate, say_what_would_run
from abacist.cli.options import settings_of
from abacist.engine import blocks_of
from abacist.experiments import AnyJob, Task, jobs_for
from abacist.languages import language_named
from abacist.specs import PRECISIONS, Spec
from tests.cli.command import inside
from tests.experiments.cases import TINY, keep, made_up, small, view


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("rate = [0.01, 0.05]", {"0.01", "0.05"}),
        ("batch = [1, 4]", {"1", "4"}),
        ('precision = ["float32", "float64"]', {"float32", "float64"}),
        ("beta1 = [0.9, 0.95]", {"0.9", "0.95"}),
    ],
)
def test_a_field_that_is_swept_is_shown(tmp_path: Path, line: str, shown: set[str]) -> None:
    (tmp_path / "sweep.toml").write_text(TINY + line + "\nruns = 2\n")
    asked = ("run", str(tmp_path / "sweep.toml"), "--dry-run", "--results", str(tmp_path / "results"))
    code, output, _ = inside(*asked)
    heading, _, *rows = output.splitlines()
    column = heading.split().index(line.split()[0])
    assert code == 0
    assert {row.split()[column] for row in rows if row.startswith("dyck-1")} == shown


def test_no_work_is_said_to_take_no_time(tmp_path: Path) -> None:
    """A small sweep trains in a moment, but its programs must be compiled."""
    (tmp_path / "sweep.toml").write_text(TINY + "runs = 1\n")
    asked = ("run", str(tmp_path / "sweep.toml"), "--dry-run", "--results", str(tmp_path / "results"))
    assert "1 run in 1 block would run, about 3 s; about 2 s of that is compiling" in inside(*asked)[1]


def test_horizons_that_are_to_be_looked_for_are_announced(tmp_path: Path) -> None:
    (tmp_path / "sweep.toml").write_text(TINY + "runs = 3\nhorizon = { to = 9 }\nsaturate = [1, 2]\n")
    asked = ("run", str(tmp_path / "sweep.toml"), "--dry-run", "--results", str(tmp_path / "results"))
    left_out = "; not in that time: the horizons of 3 runs\n"
    assert left_out in inside(*asked)[1]
    shares = {name: {"3": 0.5} for name in ("training", "short", "long")}
    keep(tmp_path / "results", [made_up(small(), seed, shares) for seed in (0, 2)])
    output = inside(*asked)[1]
    assert sorted(line.split("  ")[-1].strip() for line in output.splitlines() if "dyck-1" in line) == [
        "find 2 horizons", "find 2 horizons", "train and judge",
    ]  # fmt: skip
    assert "3 runs in 3 blocks would run" in output
    assert left_out in output
    (tmp_path / "sweep.toml").write_text(TINY + "runs = 3\n")
    assert "horizon" not in inside(*asked)[1]


def test_teaching_is_left_out_of_the_time(tmp_path: Path) -> None:
    (tmp_path / "sweep.toml").write_text(TINY + "runs = 3\nteach = { to = 9, rounds = 3 }\n")
    asked = ("run", str(tmp_path / "sweep.toml"), "--dry-run", "--results", str(tmp_path / "results"))
    output = inside(*asked)[1]
    assert "; not in that time: the teaching of 3 runs beyond their training\n" in output
    assert "3 runs in 1 block would run, about 3 s" in output
    assert "teach and judge" in output


def jobs(*specs: Spec) -> list[AnyJob]:
    """A block of one run for each spec."""
    return jobs_for([Task("sweep", spec, (0,)) for spec in specs], None)


def test_compiling_counts_once_for_every_shape_that_the_store_has_not() -> None:
    gru = replace(small(), cell=cell_named("gru"))
    one = jobs(small(rate=0.01), small(rate=0.02))
    more = jobs(small(batch=2), small(batch=3), gru, replace(gru, batch=2))
    compiling, running = estimate(one, None, 1)
    assert estimate(more, None, 1)[0] == 2 * compiling
    assert compiling > 0
    assert running > 0
    there = view([made_up(gru, 0, {})])
    assert estimate(more, there, 1)[0] == compiling
    assert estimate([], there, 1) == (0, 0)


def instructions(function: Callable[[], object]) -> int:
    """How many instructions of Python a call takes: the same on every machine."""
    count, before = 0, sys.gettrace()

    def trace(frame: FrameType, event: str, _argument: object) -> Callable[..., Any]:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
    return count


def test_a_plan_costs_a_few_instructions_for_each_run() -> None:
    """Also where runs are met on the way of longer ones: 900,000 runs are a matter of seconds."""

    def plan(runs: int) -> Callable[[], None]:
        tasks = [Task("sweep", small(epochs=epochs), tuple(range(runs))) for epochs in (3, 4)]
        return lambda: say_what_would_run(tasks, jobs_for(tasks, None), None, 1)

    plan(400)()  # what is imported and kept once
    few, many = (instructions(plan(runs)) for runs in (400, 4_000))
    assert (many - few) / (2 * 3_600) < 600


def test_a_single_block_is_not_shared_out() -> None:
    few, many = jobs(small()), jobs(*(small(rate=rate, epochs=900) for rate in (0.01, 0.02, 0.03, 0.04)))
    assert estimate(few, None, 8) == estimate(few, None, 1)
    assert estimate(many, None, 2)[1] < estimate(many, None, 1)[1]
    assert estimate(many, None, 4) == estimate(many, None, 8)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_block_like_one_in_the_store_takes_as_long(precision: str) -> None:
    spec = small(precision=precision, epochs=100_000)
    whole = blocks_of(1_000, spec)[0]  # as many runs as one block has
    there = view([made_up(spec, seed, {}, seconds=30.0) for seed in whole])
    again = jobs_for([Task("again", spec, tuple(1_000 + seed for seed in whole))], there)
    assert estimate(again, there, 1)[1] == pytest.approx(30.0 * len(whole), rel=0.01)


def test_layers_are_shown_where_there_are_several() -> None:
    one = Spec(language_named("dyck-1"), cell_named("lstm"), hidden=2)
    two = replace(one, layers=2)
    assert "layers" not in settings_of([one])[one]
    assert settings_of([two])[two]["layers"] == 2
    assert [own["layers"] for own in settings_of([one, two]).values()] == [1, 2]
