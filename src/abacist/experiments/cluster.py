"""A Dask cluster as workers: its workers send runs, and this process keeps them.

A worker shares nothing with others but messages: it compiles for itself, unless another of the same user
has done so on the same machine.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import lru_cache
from importlib.metadata import version
from itertools import count
from typing import Any
from uuid import uuid4

from abacist import __version__
from abacist.errors import AbacistError
from abacist.experiments.failures import BlockFailed, Refused, WorkersLost
from abacist.experiments.job import AnyJob
from abacist.experiments.outcome import Run
from abacist.experiments.workers import Compute, NotWanted, Workers, computed_elsewhere
from abacist.on_demand import on_demand
from abacist.progress import Progress
from abacist.wording import in_a_sentence

_distributed = on_demand("distributed")

#: Seconds between two looks at which workers there are.
_LOOK = 1.0

#: Blocks for each thread of a cluster, at least: one is computed while the next is on its way; and at most.
#: Between them it is what comes back in a second, so that many small blocks are written at a stroke.
_EACH, _EACH_AT_MOST = 2, 32

#: States of a task that somebody waits for.
_WANTED = ("executing", "long-running")


class Cluster(Workers):
    """The workers of the cluster that a Dask `Client` is connected to; they may come and go.

    They must have the same versions of everything that results depend on; those that come later and do not
    are given no work. `warn` is told of them, and when there are no workers at all.
    """

    def __init__(self, client: Any, warn: Callable[[str], None] | None = None) -> None:
        self._client, self._warn = client, warn or (lambda _sentence: None)
        self.address = str(client.scheduler.address)
        self._topic, self._numbers = f"abacist-{uuid4().hex}", count()
        self._progresses: dict[int, Progress] = {}
        self._futures: dict[Future[list[Run]], set[str]] = {}  # to whom each was given, if not to anyone
        self._excluded: set[str] = set()
        self._threads: dict[str, int] = {}
        self._capacity = self._came_back = 0
        self._next_look, self._waits, self._connected = 0.0, False, False
        self._check_versions()

    def _check_versions(self) -> None:
        """Refuse a cluster whose workers would not compute as this process does."""
        for place, versions in self._client.run(_versions_here, on_error="return").items():
            if isinstance(versions, BaseException):
                raise AbacistError(f"the worker at {place} cannot work, {in_a_sentence(versions)}")
            if why := _differences(place, versions, _versions_here()):
                raise AbacistError(f"{why}; install the same versions there")

    def capacity(self) -> int:
        """As many blocks as the workers have threads, and as many again on their way; more of small ones."""
        if not self._connected:
            return 0
        if time.monotonic() >= self._next_look:
            self._next_look = time.monotonic() + _LOOK
            came_back, self._came_back = self._came_back, 0
            try:
                threads_by_place = self._client.nthreads()
            except Exception:  # the scheduler was lost meanwhile: `check_alive` will find out
                return 0
            self._threads = {place: n for place, n in threads_by_place.items() if place not in self._excluded}
            if not self._threads and not self._waits:
                self._warn(f"the cluster at {self.address} has no workers; waiting for some")
            self._waits = not self._threads
            for future, places in list(self._futures.items()):
                if places and not places & self._threads.keys():
                    future.cancel()  # Dask would wait for them; this has it given to others
            threads = sum(self._threads.values())
            self._capacity = min(max(_EACH * threads, came_back), _EACH_AT_MOST * threads)
        return self._capacity

    def submit(
        self, compute: Compute, job: AnyJob, progress: Progress, *, away_from: str
    ) -> Future[list[Run]]:
        number, excluded = next(self._numbers), self._excluded | ({away_from} - {""})
        others = [place for place in self._threads if place not in excluded]
        where = {"workers": others} if excluded and others else {}
        executor = self._client.get_executor(pure=False, **where)
        self._progresses[number] = progress
        future: Future[list[Run]] = executor.submit(
            _dask_task, compute, job, self._topic, number, _versions_here()
        )
        self._futures[future] = set(where.get("workers", ()))

        def forget(_future: Future[list[Run]]) -> None:
            self._progresses.pop(number, None)
            self._futures.pop(future, None)
            self._came_back += 1

        future.add_done_callback(forget)
        return future

    def excuse(self, fault: BlockFailed) -> bool:
        """Workers that were lost may be found again, and others may have the right versions."""
        if place := fault.place:
            if place not in self._excluded:
                self._excluded.add(place)
                self._warn(f"{fault}; it is given no work")
            self._threads.pop(place, None)
        return True

    def check_alive(self) -> None:
        """Dask tries to find a scheduler again that was lost; once it has given up, so does this."""
        status = self._client.status
        if status in ("closing", "closed"):
            raise WorkersLost(f"the Dask scheduler at {self.address} cannot be reached any more")
        connected = status == "running"
        if connected and not self._connected:  # for the first time, or again: to one that knows nothing of us
            self._client.subscribe_topic(self._topic, self._hear)
            self._next_look = 0.0
        self._connected = connected

    def _hear(self, event: tuple[float, tuple[int, float]]) -> None:
        """A worker tells how far it is."""
        number, share = event[1]
        progress = self._progresses.get(number)
        if progress is not None and not progress.cancelled:
            progress(share)

    def stop(self) -> None:
        """Call off all blocks; workers end what they compute within a second."""
        for future in list(self._futures):
            future.cancel()
        if self._client.status == "running":
            self._client.unsubscribe_topic(self._topic)


@lru_cache(maxsize=1)
def _versions_here() -> dict[str, str]:
    """The versions of what must be the same wherever jobs are computed."""
    packages = {name: version(name) for name in ("numpy", "numba", "llvmlite")}
    python = ".".join(platform.python_version_tuple()[:2])
    return {"abacist": __version__, **packages, "Python": python}


def _differences(place: str, versions: dict[str, str], expected: dict[str, str]) -> str | None:
    """A sentence where a worker has other versions than the process that asks, else None."""
    wrong = [
        f"{name} {versions.get(name)} instead of {expected[name]}"
        for name in expected
        if versions.get(name) != expected[name]
    ]
    return f"the worker at {place} has {', '.join(wrong)}, so results might differ" if wrong else None


def _dask_task(compute: Compute, job: AnyJob, topic: str, number: int, versions: dict[str, str]) -> list[Run]:
    """Compute a job on a worker for a process that has some versions of everything.

    Dask tells a worker which tasks are still wanted: they are not when they are cancelled, or when the
    process that waited for them has ended.
    """
    worker = _distributed.get_worker()
    if why := _differences(worker.address, _versions_here(), versions):
        raise Refused(why, worker.address)
    task = worker.get_current_task()

    def report(share: float) -> None:
        state = worker.state.tasks.get(task)
        running = worker.status.name in ("running", "paused")
        if not running or state is None or state.state not in _WANTED:
            raise NotWanted
        worker.log_event(topic, (number, share))

    return computed_elsewhere(compute, job, report, worker.address)
