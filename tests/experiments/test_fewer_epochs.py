"""Runs with fewer epochs are finished on the way to more: bit for bit as if they had been trained alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from abacist.engine import blocks_of
from abacist.experiments import Job, Run, Store, Task, compute, jobs_for, run_key, running, work
from abacist.progress import Progress
from abacist.specs import Lesson
from tests.experiments.cases import content, described, keep, ran, results_in, runs_in, small

SEEDS = tuple(range(5))


def tasks(*epochs: int, seeds: Sequence[int] = SEEDS, **values: Any) -> list[Task]:
    return [Task(f"to {one}", small(epochs=one, **values), tuple(seeds)) for one in epochs]


def trained_epochs(jobs: Sequence[Any]) -> int:
    """For how many epochs blocks are trained in all, which is what they cost."""
    return sum(job.spec.epochs for job in jobs)


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"order": "own", "batch": 4},
        {"order": "fixed", "precision": "float64"},
        {"steps": "last", "rate": 0.05, "decay": 0.01},
        {"rate": 1e30},  # diverges
    ],
)
def test_all_that_a_run_is_does_not_depend_on_what_it_is_trained_with(
    tmp_path: Path, values: dict[str, Any]
) -> None:
    short, middle, long = tasks(0, 2, 5, **values)
    other = "long" if "steps" in values else "members long"
    middle = replace(middle, sets=("short", other), at_epochs=(1,), seeds=(4, 1))
    long = replace(long, sets=("training", "short"), at_epochs=(1, 2, 4))
    for task in (short, middle, long):
        ran([task], tmp_path / "alone")
    ran([short, middle, long], tmp_path / "together")
    assert content(tmp_path / "together") == content(tmp_path / "alone")
    assert len(content(tmp_path / "alone")) == 12


def test_each_seed_is_trained_once_for_the_most_epochs(
    tmp_path: Path, counted: list[int], computed: list[Job]
) -> None:
    ran(tasks(3, 7, 2), tmp_path)
    assert [job.seeds for job in computed] == [SEEDS]
    assert sum(counted) == 7


@pytest.mark.parametrize(("few", "many", "more"), [*product((3, 16, 20), (0, 5, 18), (1, 17, 40))])
def test_blocks_are_never_more_work_than_apart(few: int, many: int, more: int) -> None:
    """Whichever seeds are asked for, every run comes of exactly one block."""
    asked = [
        *tasks(2, seeds=range(few)),
        *tasks(4, seeds=range(many, many + 20)),
        *tasks(7, seeds=range(more)),
    ]
    together = jobs_for(asked, None)
    apart = [job for task in asked for job in jobs_for([task], None)]
    assert trained_epochs(together) <= trained_epochs(apart)
    assert len(together) <= len(apart)
    assert sorted(key for job in together for key in job.keys) == sorted(
        run_key(task.spec, seed) for task in asked for seed in task.seeds
    )
    whole = blocks_of(1_000, small())[0]
    assert all(len(job.seeds) <= len(whole) for job in together)


def test_lessons_and_other_settings_are_not_mixed_up() -> None:
    """A lesson divides the epochs among its rounds: with fewer of them it is another one."""
    lesson = Lesson(to=9, rounds=2)
    apart = [*tasks(2, 4, lesson=lesson), *tasks(6), *tasks(8, rate=0.5)]
    assert [len(job.parts) for job in jobs_for(apart, None)] == [1, 1, 1, 1]


def test_what_the_store_has_is_not_trained_again(tmp_path: Path) -> None:
    few, many = tasks(2, 6)
    ran([few], tmp_path)
    before = content(tmp_path)
    jobs = jobs_for([few, many], results_in(tmp_path))
    assert [(job.spec.epochs, len(job.parts)) for job in jobs] == [(6, 1)]
    after = ran([few, many], tmp_path)
    assert {key: content(tmp_path)[key] for key in before} == before
    assert len(after.runs) == 10


def test_a_block_of_which_another_process_has_a_part_is_divided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one claims the runs with fewer epochs, and finishes them while the rest is trained here."""
    few, many = tasks(2, 6)
    ran([few], tmp_path / "elsewhere")
    computed: list[tuple[int, ...]] = []

    def meanwhile(job: Job, *given: Any) -> list[Run]:
        computed.append(tuple(part.spec.epochs for part in job.parts))
        other.put(runs_in(tmp_path / "elsewhere"))
        return compute(job, *given)

    monkeypatch.setattr(running, "compute", meanwhile)
    with Store(tmp_path) as mine, Store(tmp_path) as other:
        other.claim([run_key(few.spec, 3)])
        running.run([few, many], mine, jobs=1)
    assert computed == [(6,)]
    monkeypatch.undo()
    ran([few, many], tmp_path / "true")
    assert content(tmp_path) == content(tmp_path / "true")


def test_ended_in_the_middle_it_goes_on_as_if_undisturbed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [task for rate in (0.01, 0.02, 0.03) for task in tasks(2, 6, rate=rate)]
    calls: list[Job] = []

    def fails(job: Job, *given: Any) -> list[Run]:
        calls.append(job)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return compute(job, *given)

    monkeypatch.setattr(running, "compute", fails)
    with pytest.raises(KeyboardInterrupt):
        ran(asked, tmp_path, jobs=1)
    kept = content(tmp_path)
    assert {key for job in calls[:1] for key in job.keys} <= set(kept)
    monkeypatch.undo()
    ran(asked, tmp_path)
    ran(asked, tmp_path / "true")
    assert content(tmp_path) == content(tmp_path / "true")
    assert all(content(tmp_path)[key] == row for key, row in kept.items())


def test_a_damaged_run_with_fewer_epochs_is_trained_alone(tmp_path: Path) -> None:
    whole = ran(tasks(2, 6), tmp_path / "true").runs
    left = [run for run in whole if (run.spec.epochs, run.seed) != (2, 3)]
    keep(tmp_path, left)
    (job,) = jobs_for(tasks(2, 6), results_in(tmp_path))
    assert (job.spec.epochs, job.seeds, len(job.parts)) == (2, (3,), 1)
    ran(tasks(2, 6), tmp_path)
    assert content(tmp_path) == content(tmp_path / "true")


def test_a_job_with_shorter_ones_gives_what_each_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock goes on by a second whenever it is read: at the beginning, and after every epoch."""
    clock = count()
    monkeypatch.setattr(work, "time", SimpleNamespace(time=lambda: 5.0, perf_counter=lambda: next(clock)))
    shorter = Job(small(epochs=1), (5,), frozenset({("short", 0), ("long", 1)}))
    job = Job(small(), (4, 5), frozenset({("short", 1), ("long", 3)}), shorter=(shorter,))
    told: list[float] = []
    runs = compute(job, Progress(lambda own: told.append(own.share)))
    assert {run.key for run in runs} == set(job.keys)
    assert [run.outcome.known() for run in runs] == [shorter.wanted, job.wanted, job.wanted]
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1)
    (alone,) = compute(shorter)
    assert described(runs[0]) == described(alone)
    assert [run.outcome.begun for run in runs] == [5.0, 5.0, 5.0]
    assert [run.outcome.seconds for run in runs] == [2 / 2, 4 / 2, 4 / 2]
