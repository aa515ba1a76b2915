"""Training goes on from stored runs: bit for bit as if it had never ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.engine import train
from abacist.errors import BadFile, BadInput
from abacist.experiments import FILE_NAME, Job, Results, Task, compute, jobs_for, merge
from abacist.optimisers import Schedule
from abacist.specs import Lesson
from tests.experiments.cases import content, keep, ran, results_in, runs_in, small

SEEDS = tuple(range(5))


def task(epochs: int, seeds: Sequence[int] = SEEDS, sets: Sequence[str] = ("short",), **values: Any) -> Task:
    return Task(f"to {epochs}", small(epochs=epochs, **values), tuple(seeds), sets=tuple(sets))


def starts(results: Results, *tasks: Task, **given: Any) -> list[tuple[int, int, tuple[int, ...]]]:
    """What is left to compute: from which epoch to which, for which seeds."""
    jobs = jobs_for(tasks, results, **given)
    return sorted((job.done, job.spec.epochs, job.seeds) for job in jobs if isinstance(job, Job))


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"order": "own", "batch": 3},  # 40 words: the last batch of an epoch is smaller
        {"order": "fixed", "precision": "float64"},
        {"rate": 0.05, "decay": 0.01, "batch": 64},
        {"schedule": Schedule("step", 3, 0.5)},
        {"schedule": Schedule("cosine", 5)},
        {"rate": 1e30},  # diverges
    ],
)
def test_a_continued_run_is_the_run_itself(
    tmp_path: Path, values: dict[str, Any], counted: list[int]
) -> None:
    few, some, many = task(2, **values), task(4, **values), task(7, **values)
    many = replace(many, at_epochs=(4, 5))
    ran([few], tmp_path / "on", keep_moments=True)
    ran([some], tmp_path / "on", keep_moments=True)
    ran([many], tmp_path / "on", keep_moments=True)
    assert sum(counted) == 7
    for one in (few, some, many):
        ran([one], tmp_path / "at once")
    assert content(tmp_path / "on") == content(tmp_path / "at once")
    trained = train(many.spec, SEEDS)
    kept = {run.seed: run.moments for run in runs_in(tmp_path / "on") if run.spec == many.spec}
    for row, seed in enumerate(trained.seeds):
        np.testing.assert_array_equal(kept[seed], [moment[row] for moment in trained.moments])


def test_only_where_moments_were_kept(tmp_path: Path, counted: list[int]) -> None:
    ran([task(2)], tmp_path)
    assert not any(run.has_moments for run in results_in(tmp_path).runs)
    assert starts(results_in(tmp_path), task(5)) == [(0, 5, SEEDS)]
    ran([task(3, (1, 2))], tmp_path, keep_moments=True)
    found = results_in(tmp_path)
    assert starts(found, task(5)) == [(0, 5, (0, 3, 4)), (3, 5, (1, 2))]
    assert starts(found, task(5), force=True) == [(0, 5, SEEDS)]
    assert starts(found, task(5, rate=0.5)) == [(0, 5, SEEDS)]
    assert starts(found, task(3, rate=0.001)) == [(0, 3, (0, 3, 4))]


def test_from_the_longest_that_is_shorter_and_whatever_is_met_on_the_way(tmp_path: Path) -> None:
    ran([task(2), task(4)], tmp_path / "on", keep_moments=True)
    found = results_in(tmp_path / "on")
    assert starts(found, task(3), task(5), task(9)) == [(2, 3, SEEDS), (4, 9, SEEDS)]
    ran([task(3), task(5), task(9)], tmp_path / "on")
    for epochs in (2, 3, 4, 5, 9):
        ran([task(epochs)], tmp_path / "at once")
    assert content(tmp_path / "on") == content(tmp_path / "at once")


def test_what_nobody_knows_of_epochs_that_are_over_is_trained_for(tmp_path: Path) -> None:
    ran([replace(task(4), at_epochs=(1,))], tmp_path / "on", keep_moments=True)
    found = results_in(tmp_path / "on")
    known = replace(task(6), at_epochs=(1, 4))
    assert starts(found, known) == [(4, 6, SEEDS)]
    assert starts(found, replace(known, at_epochs=(1, 2))) == [(0, 6, SEEDS)]
    assert starts(found, replace(known, sets=("short", "long"))) == [(0, 6, SEEDS)]
    later = replace(task(6, sets=("short", "long")), at_epochs=(4,))
    assert starts(found, later) == [(4, 6, SEEDS)]
    ran([later], tmp_path / "on")
    ran([replace(task(4), at_epochs=(1,))], tmp_path / "at once")
    ran([later], tmp_path / "at once")
    assert content(tmp_path / "on") == content(tmp_path / "at once")


def test_what_other_software_has_begun_is_trained_from_the_beginning(
    tmp_path: Path, counted: list[int]
) -> None:
    ran([task(3)], tmp_path, keep_moments=True)
    elsewhere = tmp_path / "elsewhere"
    others = [
        replace(run, outcome=replace(run.outcome, versions={**run.outcome.versions, "numba": "0"}))
        for run in runs_in(tmp_path)
    ]
    keep(elsewhere, others)
    counted.clear()
    ran([task(5)], elsewhere)
    ran([task(5)], tmp_path / "at once")
    assert sum(counted) == 5 + 5
    assert content(elsewhere).items() >= content(tmp_path / "at once").items()


def test_moments_survive_judging_and_merging_and_are_compared(tmp_path: Path) -> None:
    ran([task(2)], tmp_path / "with", keep_moments=True)
    ran([task(2, sets=("short", "long"))], tmp_path / "with")
    assert all(run.has_moments and run.accuracy("long") is not None for run in runs_in(tmp_path / "with"))
    ran([task(2)], tmp_path / "without")
    merge(tmp_path / "without", [tmp_path / "with"])
    assert all(run.has_moments for run in runs_in(tmp_path / "without"))
    merge(tmp_path / "with", [tmp_path / "without"])
    assert all(run.has_moments for run in runs_in(tmp_path / "with"))
    first, *_ = runs_in(tmp_path / "with")
    arrays = first.arrays.copy()
    arrays[-1] += 1
    keep(tmp_path / "other", [replace(first, kept=arrays)])
    with pytest.raises(BadFile, match="with other moments"):
        merge(tmp_path / "with", [tmp_path / "other"])


def test_a_job_that_goes_on_needs_no_store_where_it_is_computed(tmp_path: Path) -> None:
    ran([task(2)], tmp_path, keep_moments=True)
    (job,) = jobs_for([task(4)], results_in(tmp_path))
    (tmp_path / FILE_NAME).unlink()
    assert isinstance(job, Job)
    assert all(run.moments is not None and len(list(run.outcome.losses)) == 2 for run in job.start)
    assert [run.seed for run in compute(job)] == list(SEEDS)


def test_lessons_are_not_continued(tmp_path: Path) -> None:
    lesson = Lesson(to=9, rounds=2)
    ran([task(2, lesson=lesson)], tmp_path, keep_moments=True)
    assert starts(results_in(tmp_path), task(4, lesson=lesson)) == [(0, 4, SEEDS)]


def test_a_job_starts_from_runs_that_lead_to_it(tmp_path: Path) -> None:
    ran([task(2)], tmp_path / "without")
    ran([task(2)], tmp_path / "with", keep_moments=True)
    runs = tuple(sorted(runs_in(tmp_path / "with"), key=lambda run: run.seed))
    wanted = frozenset({("short", 3)})
    assert Job(small(epochs=3), SEEDS, wanted, start=runs).size < Job(small(epochs=3), SEEDS, wanted).size
    for spec, start, said in (
        (small(epochs=3), runs[1:], "for every seed"),
        (small(epochs=1), runs, "at most 1"),
        (small(epochs=3, rate=0.5), runs, "same spec"),
        (small(epochs=3), tuple(sorted(runs_in(tmp_path / "without"), key=lambda r: r.seed)), "not kept"),
    ):
        with pytest.raises(BadInput, match=said):
            Job(spec, SEEDS, frozenset(), start=start)
