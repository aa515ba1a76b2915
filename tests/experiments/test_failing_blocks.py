"""Blocks that fail: tried once more, then named while the rest goes on; executors, also broken ones."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from abacist.experiments import (
    AnyJob,
    BlocksFailed,
    Job,
    Run,
    RunProgress,
    Store,
    WorkersLost,
    compute,
    run,
    running,
)
from tests.cli.command import inside
from tests.experiments.cases import TINY, WhenFinished, claims, content, ran, tasks_by_rate
from tests.patience import HUNG


class Failing:
    """Computes blocks, but fails at those of some rates, each a number of times."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, times: dict[float, int]) -> None:
        self.times, self.calls = times, Counter[float]()
        monkeypatch.setattr(running, "compute", self)

    def __call__(self, job: Job, *given: Any) -> list[Run]:
        rate = job.spec.rate
        self.calls[rate] += 1
        if self.calls[rate] <= self.times.get(rate, 0):
            raise ZeroDivisionError(f"rate {rate}")
        return compute(job, *given)


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_a_block_that_fails_once_is_computed_and_one_that_fails_twice_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    tasks = tasks_by_rate(8)
    rates = [task.spec.rate for task in tasks]
    failing = Failing(monkeypatch, {rates[0]: 1, rates[3]: 1, rates[5]: 2, rates[7]: 99})
    told: list[float] = []
    with pytest.raises(
        BlocksFailed, match=r"^2 blocks with 4 runs failed twice; all others are done"
    ) as raised:
        ran(tasks, tmp_path, jobs=jobs, progress=RunProgress(lambda own: told.append(own.share)))
    assert {failure.job.spec.rate: failure.error for failure in raised.value.failed} == {
        rates[5]: f"ZeroDivisionError: rate {rates[5]}",
        rates[7]: f"ZeroDivisionError: rate {rates[7]}",
    }
    assert failing.calls == {rate: 2 if rate in failing.times else 1 for rate in rates}
    assert told[-1] == 1
    assert {found.spec.rate for found in raised.value.results.runs} == set(rates) - {rates[5], rates[7]}
    assert claims(tmp_path) == {}
    monkeypatch.undo()
    ran(tasks, tmp_path)
    ran(tasks, tmp_path / "true")
    assert content(tmp_path) == content(tmp_path / "true")


def test_the_command_names_every_block_that_failed_and_ends_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, folder = tmp_path / "sweep.toml", tmp_path / "results"
    file.write_text(TINY + "runs = 3\nrate = [0.01, 0.02, 0.03]\n")
    Failing(monkeypatch, {0.02: 2})
    code, output, errors = inside("run", str(file), "--results", str(folder), "--quiet")
    assert (code, output) == (1, "")
    first, last = errors.splitlines()
    assert first.startswith("abacist: language dyck-1, cell rnn, hidden 2, ")
    assert first.endswith(", rate 0.02, seeds 0–2: failed twice, ZeroDivisionError: rate 0.02")
    assert last.startswith("abacist: 1 block with 3 runs failed twice; all others are done and kept in ")
    assert len(content(folder)) == 6
    assert inside("run", str(file), "--results", str(folder))[0] == 0
    assert len(content(folder)) == 9


def test_finished_is_told_of_what_the_store_has_by_then(tmp_path: Path) -> None:
    told: list[str] = []
    with Store(tmp_path) as store:

        def finished(job: AnyJob, runs: Any) -> None:
            assert [found.key for found in runs] == list(job.keys)
            assert all(store.get(key) is not None for key in job.keys)
            told.extend(job.keys)

        run(tasks_by_rate(6), store, progress=WhenFinished(finished))
    assert sorted(told) == sorted(content(tmp_path))


class Waiting(Executor):
    """An executor of very many workers, who begin once there are as many blocks as they expect."""

    def __init__(self, expected: int) -> None:
        self.expected, self.given = expected, list[tuple[Future[Any], Callable[..., Any], Any]]()

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.given.append((future, function, arguments))
        if len(self.given) == self.expected:
            for waiting, called, with_these in self.given:
                waiting.set_result(called(*with_these))
        return future


def test_an_executor_of_many_workers_gets_as_many_blocks(tmp_path: Path) -> None:
    """None of them would ever be computed if fewer were handed out at a time, as many as there are cores."""
    ran(tasks_by_rate(40), tmp_path, executor=Waiting(40))
    assert len(content(tmp_path)) == 80


def test_no_more_blocks_are_claimed_than_there_is_room_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that another process finds something to do."""
    begun, go_on = Event(), Event()

    def slowly(job: Job, *given: Any) -> list[Run]:
        begun.set()
        assert go_on.wait(HUNG)
        return compute(job, *given)

    monkeypatch.setattr(running, "compute", slowly)
    with ThreadPoolExecutor(3) as pool, ThreadPoolExecutor(1) as elsewhere:
        first = elsewhere.submit(ran, tasks_by_rate(12), tmp_path, executor=pool)
        assert begun.wait(HUNG)
        claimed = len(claims(tmp_path))
        go_on.set()
        first.result()
    assert claimed <= 2 * 4


def _ends(_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.thorough
def test_an_executor_that_is_broken_ends_it_with_a_sentence(tmp_path: Path) -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        broken = pool.submit(_ends, 0)
        assert broken.exception() is not None
        with pytest.raises(WorkersLost, match="the executor takes no more work, BrokenProcessPool"):
            ran(tasks_by_rate(2), tmp_path, executor=pool)
    assert claims(tmp_path) == {}
    with ThreadPoolExecutor(1) as closed:
        pass
    with pytest.raises(WorkersLost, match="the executor takes no more work, RuntimeError: cannot schedule"):
        ran(tasks_by_rate(2), tmp_path, executor=closed)
