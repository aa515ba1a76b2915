"""Workers that lie: a block is kept only if it is what was asked for; else it failed, and the work ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abacist.experiments import (
    BlocksFailed,
    Cluster,
    Job,
    Measurement,
    Run,
    WorkersLost,
    compute,
    measure,
    running,
)
from abacist.experiments.workers import Refused
from tests.cli.command import inside
from tests.experiments import measured_tasks
from tests.experiments.cases import TINY, claims, content, ran, tasks_by_rate

TASKS = tasks_by_rate(2, runs=3)


class Endless(BaseException):
    """A block was asked for again and again."""


def _of_other_seeds(job: Job, _runs: list[Run]) -> list[Run]:
    return compute(replace(job, seeds=tuple(seed + 100 for seed in job.seeds)))


def _without_results(_job: Job, runs: list[Run]) -> list[Run]:
    return [replace(run, outcome=replace(run.outcome, accuracy={})) for run in runs]


#: Ways to return something else, and the sentence that says so.
LIES: dict[str, tuple[Callable[[Job, list[Run]], Any], str]] = {
    "nothing": (lambda _job, _runs: [], "0 of 3 runs came back"),
    "one missing": (lambda _job, runs: runs[1:], "2 of 3 runs came back"),
    "one twice": (lambda _job, runs: [*runs, runs[0]], "3 of 3 runs came back, and 1 that nobody asked for"),
    "one for another": (
        lambda _job, runs: [runs[0], *runs[:-1]],
        "2 of 3 runs came back, and 1 that nobody asked for",
    ),
    "other seeds": (_of_other_seeds, "0 of 3 runs came back, and 3 that nobody asked for"),
    "None": (lambda _job, _runs: None, "None came back instead of a list of runs"),
    "text": (lambda _job, _runs: "runs", "'runs' came back instead of a list of runs"),
    "a number": (lambda _job, _runs: 3, "3 came back instead of a list of runs"),
    "numbers": (lambda _job, _runs: [1, 2, 3], "[1, 2, 3] came back instead of a list of runs"),
    "keys": (lambda job, _runs: dict.fromkeys(job.keys), "came back instead of a list of runs"),
    "no results": (_without_results, "came back without all the results that were asked for"),
    "few weights": (
        lambda _job, runs: [replace(run, kept=run.weights[1:]) for run in runs],
        "came back without its weights",
    ),
    "weights of another precision": (
        lambda _job, runs: [replace(run, kept=run.weights.astype(np.float64)) for run in runs],
        "came back without its weights",
    ),
}


class Liar:
    """Computes blocks and tells a lie about each, a number of times."""

    def __init__(self, lie: Callable[[Any, list[Run]], Any], times: int) -> None:
        self.lie, self.times, self.asked = lie, times, Counter[tuple[str, ...]]()

    def __call__(self, job: Job | Measurement, *_: Any, **__: Any) -> Any:
        self.asked[job.keys] += 1
        if self.asked[job.keys] > 5:
            raise Endless
        runs = compute(job) if isinstance(job, Job) else measure(job)
        return self.lie(job, runs) if self.asked[job.keys] <= self.times else runs


class InPlace(Executor):
    """An executor of somebody's own: does what a liar does with the block of each piece of work, at once."""

    def __init__(self, liar: Liar) -> None:
        self.liar = liar

    def submit(self, _work: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        (job,) = (value for value in arguments if isinstance(value, Job | Measurement))
        try:
            future.set_result(self.liar(job))
        except BaseException as error:
            future.set_exception(error)
        return future


class FakeClient:
    """A Dask client whose only worker is an executor."""

    status = "running"

    class scheduler:  # noqa: N801 - as Dask has it
        address = "tcp://nowhere:1"

    def __init__(self, executor: Executor) -> None:
        self.executor = executor

    def run(self, function: Callable[[], Any], **_: Any) -> dict[str, Any]:
        return {"tcp://nowhere:2": function()}

    def nthreads(self) -> dict[str, int]:
        return {"tcp://nowhere:2": 1}

    def get_executor(self, **_: Any) -> Executor:
        return self.executor

    def subscribe_topic(self, *_: Any) -> None: ...

    def unsubscribe_topic(self, *_: Any) -> None: ...


def _threads(liar: Liar, patch: pytest.MonkeyPatch) -> Any:
    patch.setattr(running, "compute", liar)


def _pool(liar: Liar, patch: pytest.MonkeyPatch) -> Any:
    _threads(liar, patch)
    return ThreadPoolExecutor(2)


#: Who computes.
_WORKERS: dict[str, Callable[[Liar, pytest.MonkeyPatch], Any]] = {
    "threads": _threads,
    "a pool": _pool,
    "an executor": lambda liar, _patch: InPlace(liar),
    "a cluster": lambda liar, _patch: Cluster(FakeClient(InPlace(liar))),
}


@contextmanager
def workers(name: str, liar: Liar, patch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Those who go by a name and lie; their threads end afterwards."""
    made = _WORKERS[name](liar, patch)
    with made if isinstance(made, Executor) else nullcontext(made):
        yield made


@pytest.mark.parametrize(
    ("name", "lie"),
    [
        *(("an executor", lie) for lie in LIES),
        *((name, lie) for name in _WORKERS if name != "an executor" for lie in ("None", "nothing")),
    ],
)
def test_a_block_that_is_not_what_was_asked_for_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, lie: str
) -> None:
    told, sentence = LIES[lie]
    liar = Liar(told, times=2)
    with (
        workers(name, liar, monkeypatch) as executor,
        pytest.raises(BlocksFailed, match=r"^2 blocks with 6 runs failed twice") as raised,
    ):
        ran(TASKS, tmp_path, executor=executor)
    assert all(failure.error.endswith(sentence) for failure in raised.value.failed)
    assert set(liar.asked.values()) == {2}
    assert content(tmp_path) == {}  # nothing of it is kept
    assert claims(tmp_path) == {}
    with workers(name, liar, monkeypatch) as executor:
        ran(TASKS, tmp_path, executor=executor)  # the same command tries again
    assert len(content(tmp_path)) == 6


@pytest.mark.parametrize("name", _WORKERS)
def test_a_block_that_is_right_the_second_time_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    ran(TASKS, tmp_path / "true")
    with workers(name, Liar(_of_other_seeds, times=1), monkeypatch) as executor:
        ran(TASKS, tmp_path / "second", executor=executor)
    assert content(tmp_path / "second") == content(tmp_path / "true")


def test_a_measurement_without_horizons_fails(tmp_path: Path) -> None:
    tasks = measured_tasks.tasks(1, runs=1)
    ran([replace(task, horizons=()) for task in tasks], tmp_path)
    before = content(tmp_path)
    liar = Liar(lambda job, _runs: [job.run], times=9)
    with pytest.raises(BlocksFailed, match=r"^1 block with 1 run failed twice") as raised:
        ran(tasks, tmp_path, executor=InPlace(liar))
    assert raised.value.failed[0].error.endswith("came back without all the results that were asked for")
    assert set(liar.asked.values()) == {2}
    assert content(tmp_path) == before
    ran(tasks, tmp_path)
    (run,) = content(tmp_path).values()
    assert len(run[3]["horizons"]) == len(tasks[0].horizons)


class Cancelling(InPlace):
    """Calls off what it is given."""

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        super().submit(work, *arguments, **named).result()
        future: Future[Any] = Future()
        future.cancel()
        return future


def _raises(error: BaseException) -> Callable[[Any, list[Run]], Any]:
    def lie(_job: Any, _runs: list[Run]) -> Any:
        raise error

    return lie


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (Refused("it has other versions", "somewhere"), "it has other versions"),
        (SystemExit(3), "SystemExit: 3"),
        (GeneratorExit(), "GeneratorExit"),
    ],
)
@pytest.mark.parametrize("name", ["threads", "an executor"])
def test_a_worker_that_always_refuses_or_ends_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, sentence: str, name: str
) -> None:
    liar = Liar(_raises(error), times=9)
    with workers(name, liar, monkeypatch) as executor, pytest.raises(BlocksFailed) as raised:
        ran(TASKS, tmp_path, executor=executor)
    assert {failure.error for failure in raised.value.failed} == {sentence}
    assert set(liar.asked.values()) == {2}


def test_an_executor_that_cancels_all_blocks_fails(tmp_path: Path) -> None:
    executor = Cancelling(Liar(lambda _job, runs: runs, times=9))
    with pytest.raises(BlocksFailed) as raised:
        ran(TASKS, tmp_path, executor=executor)
    assert {failure.error for failure in raised.value.failed} == {"the executor cancelled it"}
    assert set(executor.liar.asked.values()) == {2}


class Promising(Executor):
    """Gives no future."""

    def submit(self, *_: Any, **__: Any) -> Any:
        return None


def test_an_executor_that_gives_no_future_ends_it_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(WorkersLost, match=r"^the executor gave None instead of a future$"):
        ran(TASKS, tmp_path, executor=Promising())
    assert claims(tmp_path) == {}


def test_the_command_names_what_came_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "sweep.toml"
    file.write_text(TINY + "runs = 3\n")
    _threads(Liar(lambda _job, runs: runs[:1], times=9), monkeypatch)
    code, output, errors = inside("run", str(file), "--results", str(tmp_path / "results"), "--quiet")
    assert (code, output) == (1, "")
    first, last = errors.splitlines()
    assert first.endswith("seeds 0–2: failed twice, 1 of 3 runs came back")
    assert last.startswith("abacist: 1 block with 3 runs failed twice; all others are done")
