"""Workers: the same results in the same order, whatever happens to the workers."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from abacist.cli.workers import each_done, processes_for
from abacist.errors import BadInput

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="several processes work on Linux only")


def square(number: int) -> tuple[int, bytes]:
    """A number, and more than a pipe holds."""
    return number * number, bytes([number]) * 300_000


def plainly(works: Sequence[Callable[[], object]]) -> list[object]:
    return [work() for work in works]


@pytest.mark.parametrize(("processes", "count"), [(0, 2), (1, 0), (1, 9), (2, 0), (2, 1), (3, 9)])
def test_results_come_in_order_however_many_processes_there_are(processes: int, count: int) -> None:
    works = [partial(square, number) for number in range(count)]
    assert list(each_done(works, processes)) == plainly(works)


def met(folder: Path, here: int) -> bool:
    """Whether this is the process that asks; the first two processes that do this wait for each other."""
    (folder / str(os.getpid())).touch()
    while len(list(folder.iterdir())) < 2:
        os.sched_yield()
    return os.getpid() == here


def test_others_work_at_the_same_time_and_none_is_a_copy_of_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy would have the locks of the other threads for ever."""
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("this process was copied"))
    assert set(each_done([partial(met, tmp_path, os.getpid())] * 2, 2)) == {False, True}


def test_a_process_that_would_do_little_is_not_begun() -> None:
    cores = len(os.sched_getaffinity(0))
    assert [processes_for(works) for works in (0, 1, 3, 10_000)] == [1, 1, 1, cores]


def ended(folder: Path, here: int, number: int) -> int:
    """What kills every other process that tries it; here it is done once one has."""
    if os.getpid() != here:
        (folder / "tried").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    while not list(folder.iterdir()):
        os.sched_yield()
    return number


def test_what_a_killed_worker_left_is_done_here(tmp_path: Path) -> None:
    works = [partial(ended, tmp_path, os.getpid(), n) for n in range(8)]
    assert list(each_done(works, 3)) == list(range(8))


def fails() -> None:
    raise BadInput("cannot be done")


def test_an_error_is_raised_here_at_its_place() -> None:
    works: list[Callable[[], object]] = [partial(square, 1), fails, partial(square, 2)]
    results = each_done(works, 2)
    assert next(results) == square(1)
    with pytest.raises(BadInput, match="cannot be done"):
        next(results)


def makes_a_function() -> Callable[[], int]:
    return lambda: 5


def test_what_cannot_be_sent_is_done_here() -> None:
    assert list(each_done([lambda: 1, lambda: 2], 2)) == [1, 2]
    assert [made() for made in each_done([makes_a_function] * 4, 2)] == [5] * 4


def interrupted(folder: Path, here: int) -> None:
    """A worker that is asked waits for ever; here Ctrl-C comes as soon as one does."""
    if os.getpid() != here:
        (folder / str(os.getpid())).touch()
        signal.pause()
    while not list(folder.iterdir()):
        os.sched_yield()
    raise KeyboardInterrupt


def test_no_worker_outlives_its_work(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        list(each_done([partial(interrupted, tmp_path, os.getpid())] * 4, 2))
    (worker,) = tmp_path.iterdir()
    with pytest.raises(ProcessLookupError):
        os.kill(int(worker.name), 0)
