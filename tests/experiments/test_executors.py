"""However the work is divided, the content is the same; how far it is can be told at any time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest

from abacist.experiments import RunProgress, Store, Task, run
from tests.experiments.cases import content, described, ran, runs_of, small, tasks_by_rate

TASK = Task("tiny", small(), tuple(range(20)))


def test_content_depends_neither_on_the_jobs_nor_on_the_order_nor_on_the_executor(tmp_path: Path) -> None:
    tasks = [*tasks_by_rate(4), replace(TASK, sets=("short", "training"), at_epochs=(1,))]
    ran(tasks, tmp_path / "true", jobs=1)
    true = content(tmp_path / "true")
    ran(tasks[::-1], tmp_path / "jobs", jobs=3)
    assert content(tmp_path / "jobs") == true
    turned = [replace(task, seeds=task.seeds[::-1], sets=task.sets[::-1]) for task in tasks]
    ran(turned, tmp_path / "turned")
    assert content(tmp_path / "turned") == true
    executors: list[Callable[[], Executor]] = [
        lambda: ThreadPoolExecutor(1),
        lambda: ThreadPoolExecutor(2),
        lambda: ProcessPoolExecutor(1, get_context("spawn")),
    ]
    for number, make in enumerate(executors):
        with make() as executor:
            ran(tasks, tmp_path / str(number), executor=executor)
            assert executor.submit(int, "3").result() == 3  # it is left open for its owner
        assert content(tmp_path / str(number)) == true


def test_a_run_does_not_depend_on_what_it_is_worked_out_with(store: Store, tmp_path: Path) -> None:
    run([TASK], store)
    with Store(tmp_path / "alone") as alone:
        run([replace(TASK, seeds=(7,))], alone)
        (found,) = runs_of(alone)
        whole = store.get(found.key)
        assert whole is not None
        assert described(found) == described(whole)


@pytest.mark.parametrize("threads", [None, 2])
@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_rises_to_all_that_is_asked(store: Store, jobs: int, threads: int | None) -> None:
    run([replace(TASK, seeds=(0, 1, 2))], store)
    told: list[tuple[float, dict[str, tuple[int, int]]]] = []
    progress = RunProgress(lambda own: told.append((own.share, dict(own.experiments))))
    with nullcontext() if threads is None else ThreadPoolExecutor(threads) as executor:
        run([TASK, *tasks_by_rate(5)], store, jobs=jobs, executor=executor, progress=progress)
    shares = [share for share, _ in told]
    assert all(0 <= share <= 1 for share in shares)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert told[0][1] == {"tiny": (3, 20), "rates": (0, 10)}
    assert told[-1][1] == {"tiny": (20, 20), "rates": (10, 10)}
    for name in ("tiny", "rates"):
        done = [experiments[name][0] for _, experiments in told]
        assert done == sorted(done)
    assert max(share for share in shares[:-1]) > 0.9
