"""Workers: the same results in the same order, whatever happens to the workers."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial

import pytest

from abacist.cli.workers import each_done, workers_for
from abacist.errors import BadInput

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")


def square(number: int) -> tuple[int, bytes]:
    """A number, and more than a pipe holds."""
    return number * number, bytes([number]) * 300_000


def plainly(works: Sequence[Callable[[], object]]) -> list[object]:
    return [work() for work in works]


@pytest.mark.parametrize("workers", [0, 1, 2, 5])
@pytest.mark.parametrize("count", [0, 1, 2, 9])
def test_results_come_in_order_however_many_workers_there_are(workers: int, count: int) -> None:
    works = [partial(square, number) for number in range(count)]
    assert list(each_done(works, workers)) == plainly(works)


def test_workers_are_other_processes() -> None:
    found = set(each_done([os.getpid] * 6, 3))
    assert os.getpid() not in found
    assert len(found) <= 3


def test_there_are_never_more_workers_than_work_or_cores() -> None:
    cores = len(os.sched_getaffinity(0))
    assert [workers_for(works) for works in (0, 1, 10_000)] == [0, 1, cores]


def ended(here: int, number: int) -> int:
    """What kills every other process that tries it."""
    if os.getpid() != here:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_what_a_killed_worker_left_is_done_here() -> None:
    here = os.getpid()
    for fatal in ({0}, {3}, {0, 1, 2}, set(range(8))):
        works = [partial(ended if n in fatal else max, here if n in fatal else 0, n) for n in range(8)]
        assert list(each_done(works, 3)) == list(range(8))


def fails() -> None:
    raise BadInput("cannot be done")


def test_an_error_is_raised_here_at_its_place() -> None:
    works: list[Callable[[], object]] = [partial(square, 1), fails, partial(square, 2)]
    results = each_done(works, 2)
    assert next(results) == square(1)
    with pytest.raises(BadInput, match="cannot be done"):
        next(results)


def test_what_cannot_be_sent_is_done_here() -> None:
    made = list(each_done([lambda: fails, lambda: lambda: 5], 2))
    assert made[0] is fails
    assert made[1]() == 5


def waits_for_ever(reading: int) -> bytes:
    return os.read(reading, 1)


def test_no_worker_outlives_its_work() -> None:
    """Each holds the writing end of a pipe, whose reading end is at its end when all of them are gone."""
    reading, writing = os.pipe()
    silent, never = os.pipe()
    works: list[Callable[[], object]] = [partial(square, 1), partial(waits_for_ever, silent)]
    results = each_done(works, 2)
    assert next(results) == square(1)
    os.close(writing)
    results.close()  # type: ignore[attr-defined]
    assert os.read(reading, 1) == b""
    for end in (reading, silent, never):
        os.close(end)
