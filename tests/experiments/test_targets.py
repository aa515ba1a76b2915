"""The target of an experiment: an argument that reaches every block, also in other processes, and no key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from threading import Barrier

import pytest

from abacist.analysis import Search
from abacist.cli.estimates import estimate
from abacist.corpora import Window
from abacist.errors import BadInput, UnknownName
from abacist.experiments import (
    AnyJob,
    HorizonAim,
    Job,
    Results,
    Run,
    RunProgress,
    Task,
    jobs_for,
)
from abacist.experiments.work import compute
from abacist.targets import PROCESSOR, target_named
from tests.experiments.cases import described, ran, runs_in, small, view, with_shares
from tests.patience import HUNG
from tests.targets.fake import BLOCK, FakeTarget, register_in_process, registered

TASK = Task("tiny", small(), tuple(range(7)))


@pytest.fixture
def fake() -> Iterator[FakeTarget]:
    with registered() as target:
        yield target


def results_of(runs: Sequence[Run]) -> list[tuple[object, ...]]:
    """All that runs are but for what computed them, in the order of their keys."""
    plain = (replace(run, outcome=replace(run.outcome, versions={})) for run in runs)
    return sorted((described(run) for run in plain), key=lambda described: str(described[0]))


def processors(runs: Sequence[Run]) -> set[str]:
    return {run.outcome.versions["processor"] for run in runs}


@pytest.mark.parametrize("workers", ["threads", "processes"])
def test_a_target_reaches_every_block_and_no_result(workers: str, tmp_path: Path, fake: FakeTarget) -> None:
    ran([TASK], tmp_path / "here")
    assert fake.uses == []
    pool: Executor | None = None
    if workers == "processes":
        pool = ProcessPoolExecutor(1, get_context("spawn"), register_in_process)
    with pool or nullcontext():
        ran([TASK], tmp_path / "there", executor=pool, target="fake")
    here, there = runs_in(tmp_path / "here"), runs_in(tmp_path / "there")
    assert processors(here) == {target_named(PROCESSOR).versions()["processor"]}
    assert processors(there) == {"fake"}
    assert results_of(there) == results_of(here)
    if workers == "threads":
        blocks = 3
        assert Counter(fake.uses) == {
            "admit_block": blocks, "exclusive": blocks, "training": blocks, "accepted": 3 * blocks,
        }  # fmt: skip


def test_two_threads_run_experiments_on_two_targets_at_once(tmp_path: Path, fake: FakeTarget) -> None:
    """Each sets out when the other does, too."""
    both = Barrier(2)

    class Together(RunProgress):
        def begun_jobs(self, jobs: Sequence[AnyJob], results: Results) -> None:
            if jobs:
                both.wait(HUNG)

    def there(target: str) -> Results:
        return ran([TASK], tmp_path / target, target=target, progress=Together())

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(there, (PROCESSOR, "fake")))
    one, other = runs_in(tmp_path / PROCESSOR), runs_in(tmp_path / "fake")
    assert processors(other) == {"fake"}
    assert "fake" not in processors(one)
    assert results_of(one) == results_of(other)
    assert fake.uses.count("training") == 3


def test_runs_that_are_there_are_judged_on_the_target(tmp_path: Path, fake: FakeTarget) -> None:
    ran([replace(TASK, sets=("short",))], tmp_path)
    ran([TASK], tmp_path, target="fake")
    assert "training" not in fake.uses
    assert fake.uses.count("accepted") == 2 * 3  # of two sets, by three blocks
    assert "fake" not in processors(runs_in(tmp_path))  # which trained them
    ran([TASK], tmp_path / "whole")
    assert results_of(runs_in(tmp_path)) == results_of(runs_in(tmp_path / "whole"))


def test_horizons_are_always_the_processors(tmp_path: Path, fake: FakeTarget) -> None:
    task = replace(TASK, seeds=(0,), horizons=(HorizonAim(Search(to=6, budget=100)),))
    ran([task], tmp_path, target="fake")
    assert "training" in fake.uses
    assert not {"stepping", "tracing", "judging"} & set(fake.uses)


@pytest.mark.usefixtures("fake")
def test_blocks_are_as_large_as_those_of_the_target_and_have_its_name() -> None:
    assert [len(job.seeds) for job in jobs_for([TASK], None)] == [7]
    jobs = jobs_for([TASK, replace(TASK, spec=small(epochs=1), seeds=(0, 1))], None, target="fake")
    assert sorted(len(job.seeds) for job in jobs) == [1, BLOCK, BLOCK]
    assert {part.target for job in jobs if isinstance(job, Job) for part in job.parts} == {"fake"}
    there = [*with_shares(TASK.spec, [0.5] * 7, ("short",))]
    judged = jobs_for([TASK], view(there), target="fake")
    assert [(job.what, job.target) for job in judged if isinstance(job, Job)] == [("judge", "fake")] * 3


def test_the_keys_of_a_job_do_not_depend_on_its_target(fake: FakeTarget) -> None:
    here = Job(TASK.spec, (0, 1), frozenset({("short", 3)}))
    there = replace(here, target=fake.name)
    assert here.target == PROCESSOR
    assert (here.keys, here.size, here.what) == (there.keys, there.size, there.what)
    assert results_of(compute(here)) == results_of(compute(there))


@pytest.mark.usefixtures("fake")
def test_the_time_of_a_block_is_that_of_its_target() -> None:
    """A block takes as long as its target's runs together, by what each run in the store took."""
    spec = small(epochs=80, training=20_000, short=Window(2, 50), long=Window(52, 60))
    stored = view(with_shares(spec, [1.0] * 4, ()))
    task = Task("large", replace(spec, rate=0.5), tuple(range(BLOCK)))
    here, there = (
        sum(estimate(jobs_for([task], None, target=target), stored, 1)) for target in (PROCESSOR, "fake")
    )
    more = target_named(PROCESSOR).block(spec) - BLOCK
    assert here - there == pytest.approx(more * stored.runs[0].outcome.seconds)


@pytest.mark.usefixtures("fake")
def test_what_is_no_target_is_refused_by_name(tmp_path: Path) -> None:
    for call in (
        lambda: Job(TASK.spec, (0,), frozenset(), target="abacus"),
        lambda: jobs_for([TASK], None, target="abacus"),
        lambda: ran([TASK], tmp_path, target="abacus"),
    ):
        with pytest.raises(UnknownName, match="unknown target 'abacus'; targets are llvm, cuda, fake"):
            call()
    shorter = Job(replace(TASK.spec, epochs=1), (0,), frozenset())
    with pytest.raises(BadInput, match="Job: shorter jobs have the same target, fake, got llvm"):
        Job(TASK.spec, (0,), frozenset(), shorter=(shorter,), target="fake")
