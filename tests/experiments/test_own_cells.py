"""Cells of one's own in experiments and stores, at hand or not, trained by workers of any kind."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from abacist.cells import AbsentCell, Cell, cell_written, defined_in, load_plugins, written_cell
from abacist.cells.definition import MET
from abacist.experiments import (
    Cluster,
    Conditions,
    Outcome,
    Run,
    Task,
    delete,
    jobs_for,
    load_experiment,
    merge,
    parse_experiment,
    run_as_toml,
    run_key,
)
from abacist.experiments.run_values import fields_of, run_rows
from abacist.report.own_runs import all_runs
from tests.cells.test_plugins import MINIMAL, file_of
from tests.experiments.cases import TINY, content, keep, made_up, ran, results_in, runs_in, small, view
from tests.experiments.dask_processes import dask_processes
from tests.requirements import need
from tests.wrong_input import is_refused


def of_file(folder: Path, factor: float = 1.0) -> Cell:
    """A cell that is in no module, as those of plugins are."""
    text = MINIMAL.replace("share * (new", f"{factor} * share * (new")
    ((_, cell),) = defined_in(file_of(folder, text, f"{factor}.py"))
    assert isinstance(cell, Cell)
    return cell


def absent_run(seed: int, name: str = "gone#0123456789ab") -> Run:
    """A run of a cell that nobody has."""
    spec = replace(small(), cell=cell_written(name))
    outcome = Outcome({"long": {3: 0.5}}, (0.5,), None, begun=1.5, seconds=0.125, versions={"abacist": "0"})
    return Run(spec, seed, outcome, np.full(5, seed, np.float32))


def test_runs_come_back_from_a_store_each_with_its_own_formula(tmp_path: Path) -> None:
    tasks = [Task("own", replace(small(), cell=of_file(tmp_path, f)), (0, 1)) for f in (0.5, 0.75)]
    results = ran(tasks, tmp_path)
    assert not results.left_out
    assert set(results.by_spec) == {task.spec for task in tasks}
    for task in tasks:
        assert [run.seed for run in results.complete(task)] == [0, 1]
        for run in results.by_spec[task.spec]:
            assert run.networks.layout == task.spec.layout
    assert not jobs_for(tasks, results)
    weights = [results.by_spec[task.spec][0].weights.tobytes() for task in tasks]
    assert weights[0] != weights[1]


@pytest.mark.thorough
def test_workers_of_any_kind_compute_the_same(tmp_path: Path) -> None:
    need("distributed")
    tasks = [
        Task("own", replace(small(rate=rate), cell=of_file(tmp_path)), (0, 1)) for rate in (0.01, 0.02, 0.03)
    ]
    ran(tasks, tmp_path / "threads", jobs=2)
    true = content(tmp_path / "threads")
    assert len(true) == 6
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        ran(tasks, tmp_path / "processes", executor=executor)
    assert content(tmp_path / "processes") == true
    with dask_processes("only") as cluster, cluster.client(1) as client:
        ran(tasks, tmp_path / "cluster", executor=Cluster(client))
    assert content(tmp_path / "cluster") == true


def test_a_store_with_a_cell_that_is_not_at_hand_is_read_like_any_other(tmp_path: Path) -> None:
    known = made_up(small(), 3, {"long": {"3": 0.25}})
    keep(tmp_path / "first", [absent_run(0), absent_run(1), known])
    keep(tmp_path / "second", [absent_run(1), absent_run(2)])
    results = results_in(tmp_path / "first")
    assert not results.left_out
    absent = [run for run in results.runs if isinstance(run.spec.cell, AbsentCell)]
    assert [(run.seed, run.weights.tolist()) for run in absent] == [(0, [0.0] * 5), (1, [1.0] * 5)]
    rows = [row["cell"] for row in run_rows(results.runs)]
    assert sorted(rows) == ["gone#0123456789ab", "gone#0123456789ab", "rnn"]
    assert results.weights_checksum
    merged = merge(tmp_path / "first", [tmp_path / "second"])
    assert (merged.new, merged.same) == (1, 1)
    assert delete(tmp_path / "first", [absent[0].key]) == 1
    assert len(runs_in(tmp_path / "first")) == 3
    sentence = (
        "cell gone#0123456789ab: its formula is not at hand; give the file that defines it: --plugin FILE, "
        "in Python load_plugins([FILE])"
    )
    assert is_refused(lambda: absent[0].networks) == sentence
    task = Task("gone", absent[0].spec, (7,))
    assert is_refused(lambda: ran([task], tmp_path / "first")) == sentence
    assert ran([replace(task, seeds=(1, 2), sets=("long",))], tmp_path / "first")


def test_a_cell_may_come_to_hand_later(tmp_path: Path) -> None:
    own = of_file(tmp_path, 0.125)
    (run,) = ran([Task("own", replace(small(), cell=own), (0,))], tmp_path).runs
    weights = run.networks.parameters.tolist()
    del MET[written_cell(own)]
    (opened,) = results_in(tmp_path).runs
    assert isinstance(opened.spec.cell, AbsentCell)
    assert "its formula is not at hand; give the file" in is_refused(lambda: opened.networks)
    of_file(tmp_path, 0.125)  # to define it is enough, also for what was opened before
    assert opened.networks.parameters.tolist() == weights
    (read,) = runs_in(tmp_path)
    assert read.spec.cell == own


def test_cells_are_asked_for_by_their_names_with_or_without_digits(tmp_path: Path) -> None:
    runs = [absent_run(0), absent_run(1, "gone#ffffffffffff"), made_up(small(), 2, {})]
    rows = list(run_rows(runs))

    def fitting(where: str) -> list[int]:
        conditions = Conditions.parse([where], fields_of(runs))
        return [row["seed"] for row in rows if conditions.fit(row)]

    assert fitting("cell=gone") == [0, 1]
    assert fitting("cell=Gone#ffffffffffff,rnn") == [1, 2]
    assert fitting("cell!=gone") == [2]
    assert fitting("cell=ffffffffffff,#") == []


def test_tables_and_figures_show_names_where_these_tell_cells_apart() -> None:
    runs = [absent_run(0), made_up(small(), 2, {})]
    assert all_runs(view(runs)).values("cell") == ("rnn", "gone")
    runs.append(absent_run(1, "gone#ffffffffffff"))
    assert all_runs(view(runs)).values("cell") == ("rnn", "gone#0123456789ab", "gone#ffffffffffff")


def test_an_experiment_names_its_plugins_beside_it(tmp_path: Path) -> None:
    (tmp_path / "cells").mkdir()
    file_of(tmp_path / "cells", MINIMAL)
    file = tmp_path / "own.toml"
    file.write_text('plugins = ["cells/mine.py"]\n' + TINY.replace('"rnn"', '["rnn", "minimal"]'))
    load_plugins([], anew=True)
    tasks = load_experiment(file).tasks
    assert [task.spec.cell.name for task in tasks] == ["rnn", "minimal"]
    run = made_up(tasks[1].spec, 4, {"long": {"3": 0.5}})
    text = run_as_toml(run)
    assert f'plugins = ["{tmp_path / "cells" / "mine.py"}"]' in text
    load_plugins([], anew=True)
    (task,) = parse_experiment(text, "again.toml").tasks
    assert run_key(task.spec, 4) == run.key


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "plugins = 'mine.py'",
            "x.toml: plugins must be a list of files, such as [\"mine.py\"], got 'mine.py'",
        ),
        ("plugins = [1]", 'x.toml: plugins must be a list of files, such as ["mine.py"], got [1]'),
        ("plugins = ['none-here.py']", "none-here.py: cannot be read, no such file or directory"),
    ],
)
def test_plugins_that_are_none(line: str, sentence: str) -> None:
    assert is_refused(lambda: parse_experiment(f"{line}\n{TINY}", "x.toml")) == sentence
