"""`abacist show`: everything about a run, and a file that gives the same run bit for bit."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest

from abacist.analysis import Search
from abacist.cells import cell_named
from abacist.corpora import CutOff, Grammar, Uniform
from abacist.errors import BadInput
from abacist.experiments import HorizonAim, Task, parse_experiment, run_as_toml, run_key
from abacist.languages import language_named
from abacist.specs import Lesson, Round, Spec, Taught
from tests.cli.command import inside, refused, shown
from tests.experiments.cases import content, keep, made_up, made_up_horizons, ran, runs_in, small
from tests.experiments.test_store import CHANGES, changed

SOURCES = (Grammar.parse("1/3,1/3"), Uniform(), Uniform(Grammar.parse("1/3,1/4")), CutOff(Grammar()))


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Trained runs of two specs, one of them judged on its way."""
    folder = tmp_path_factory.mktemp("results")
    tasks = (
        Task("one", small(), (0, 5), at_epochs=(1, 2)),
        Task("other", small(rate=0.25, order="own", training=30), (7,), ("short",)),
    )
    ran(tasks, folder)
    return folder


def test_the_file_of_a_run_gives_the_same_run(results: Path, tmp_path: Path) -> None:
    for run in runs_in(results):
        code, text, said = inside("show", run.key[:8], "--toml", "--results", str(results))
        assert (code, said) == (0, "")
        (tmp_path / "again.toml").write_text(text)
        assert inside("run", str(tmp_path / "again.toml"), "--results", str(tmp_path / "again"))[0] == 0
    assert content(tmp_path / "again") == content(results)


@pytest.mark.parametrize(
    "spec",
    [
        *(changed(field)[1] for field in CHANGES),
        *(small(source=source) for source in SOURCES),
        small(lesson=Lesson("stress", rounds=2, finish=1)),
        replace(small(), cell=cell_named("lstm"), lesson=Lesson(rounds=3, sharpen=1.5, finish=4)),
        Spec(language_named("anbn || dyck-1"), cell_named("gru"), training=4, test=3),
        Spec(language_named("shuffle-6"), cell_named("lstm"), rate=1),
    ],
)
def test_any_spec_can_be_written_as_a_file(spec: Spec) -> None:
    run = made_up(spec, 12, {"long": {"1": 0.5, str(spec.epochs): 0.5}})
    (task,) = parse_experiment(run_as_toml(run), "run.toml").tasks
    assert (task.spec, task.seeds) == (spec, (12,))
    assert run_key(task.spec, 12) == run.key
    written = tomllib.loads(run_as_toml(run))
    left_out = {name for name, value in spec.as_dict().items() if value is None}
    assert set(written) >= {*spec.as_dict(), "runs", "seed"} - left_out - {"source", "lesson"}


def test_what_no_file_can_say_is_refused() -> None:
    spec = replace(small(source=Uniform(nested=True)), language=language_named("shuffle-2"))
    with pytest.raises(BadInput, match="its settings cannot be written as a file"):
        run_as_toml(made_up(spec, 0, {}))


def test_a_run_is_repeated_bit_for_bit(results: Path) -> None:
    before = content(results)
    for run in runs_in(results):
        code, output, said = inside("show", run.key[:10], "--repeat", "--results", str(results))
        assert (code, output) == (0, f"run {run.key}: trained again, it is the same, bit for bit\n"), said
    assert content(results) == before


def test_a_repetition_names_what_is_not_the_same(results: Path, tmp_path: Path) -> None:
    run = runs_in(results)[0]
    weights = run.weights.copy()
    weights.view(np.uint32)[0] ^= 1
    versions = {**run.outcome.versions, "numba": "0.1", "processor": "abacus"}
    keep(tmp_path, [replace(run, kept=weights, outcome=replace(run.outcome, versions=versions))])
    code, output, said = inside("show", run.key, "--repeat", "--results", str(tmp_path))
    assert code == 1
    assert output.startswith(
        f"run {run.key}: trained again, its weights are not the same; they were computed"
    )
    assert "abacist: numba was 0.1, and is " in said


def test_everything_about_a_run_is_there(tmp_path: Path) -> None:
    aims = (HorizonAim(Search(20), certify=True), HorizonAim(Search(20), 4.0))
    taught = Taught((Round(1, 0, "()()", 4), Round(3, 2, None, None)), 16, 4.0)
    spec = replace(small(), lesson=Lesson(rounds=2))
    facts: dict[str, Any] = {"horizons": made_up_horizons(aims, np.random.default_rng(1)), "taught": taught}
    run = made_up(spec, 3, {"long": {"1": 0.25, "3": 0.5}}, diverged=3, losses=tuple(range(40)), **facts)
    keep(tmp_path, [run])
    record = json.loads(inside("show", run.key, "--json", "--results", str(tmp_path))[1])
    assert (record["key"], record["seed"], record["diverged"]) == (run.key, 3, 3)
    assert record["losses"] == list(range(40))
    assert record["accuracy"] == {"long": {"1": 0.25, "3": 0.5}}
    assert record["spec"] == spec.as_dict()
    assert record["taught"] == json.loads(json.dumps(taught.as_dict()))
    assert record["horizons"] == json.loads(json.dumps([one.as_dict() for one in run.outcome.horizons]))
    text = inside("show", run.key[:6], "--results", str(tmp_path))[1]
    for part in (
        run.key,
        "diverged in epoch 3",
        "25.00",
        "50.00",
        record["toml"],
        "12 of 40; --json has all.",
    ):
        assert part in text
    assert "Proved to 16 symbols, gates × 4." in text


def test_a_run_is_named_by_a_key(results: Path) -> None:
    where = ("--results", str(results))
    assert "no run in " in refused("show", "xyz", *where)
    assert "no run in " in refused("show", "", *where)
    assert "choose one of --toml, --json, --repeat and --program" in refused(
        "show", "a", "--json", "--toml", *where
    )
    assert "holds no results" in refused("show", "a", "--results", str(results / "no"))


@pytest.mark.parametrize("program", ["train", "judge", "trace", "step", "boxes"])
def test_a_program_of_its_network_is_printed(tmp_path: Path, program: str) -> None:
    """Its statements as comments, its IR as LLVM reads it."""
    run = made_up(small(), 3, {})
    keep(tmp_path, [run])
    text = shown("show", run.key, "--program", program, "--results", str(tmp_path))
    assert "; A step" in text
    function = {"boxes": "step_boxes"}.get(program, program)
    assert [own.name for own in llvm.parse_assembly(text).functions if not own.is_declaration] == [function]


def test_there_is_no_other_program(tmp_path: Path) -> None:
    run = made_up(small(), 3, {})
    keep(tmp_path, [run])
    where = ("--results", str(tmp_path))
    assert "a program is one of train, judge, trace, step, boxes, got 'run'" in refused(
        "show", run.key, "--program", "run", *where
    )
