"""A Dask cluster as workers, opened by an address, a file that has one, or `local:N`.

Its workers send runs, and this process keeps them. A worker shares nothing with others but messages: it
compiles for itself, unless another of the same user has done so on the same machine.
"""

from __future__ import annotations

import logging
import platform
import re
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from itertools import count
from multiprocessing.resource_tracker import ensure_running
from pathlib import Path
from typing import Any
from uuid import uuid4

from abacist import __version__
from abacist.errors import AbacistError, BadFile, BadInput, NotInstalled
from abacist.experiments.job import AnyJob
from abacist.experiments.outcome import Run
from abacist.experiments.workers import (
    BlockFailed,
    Compute,
    NotWanted,
    Refused,
    Workers,
    WorkersLost,
    computed_elsewhere,
)
from abacist.fields import checked
from abacist.limits import JSON_BYTES
from abacist.on_demand import on_demand
from abacist.progress import Progress
from abacist.untrusted import load_text, read_json
from abacist.wording import in_a_sentence

_dask, _distributed = on_demand("dask"), on_demand("distributed")

#: Seconds between two looks at which workers there are.
_LOOK = 1.0

#: Blocks for each thread of a cluster, at least: one is computed while the next is on its way; and at most.
#: Between them it is what comes back in a second, so that many small blocks are written at a stroke.
_EACH, _EACH_AT_MOST = 2, 32

#: States of a task that somebody waits for.
_WANTED = ("executing", "long-running")

#: What a cluster started here does without: it would look at each thread a hundred times a second, and at
#: itself fifty times.
_LEAN = {
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.tick.limit": "10s",
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.system-monitor.disk": False,
}

#: What a cluster on this machine is called, before the number of its workers.
_LOCAL = "local:"

#: The address of a scheduler, as Dask writes it.
_ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss|ucx)://)?[^\s/]+:[0-9]{1,5}")


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


@checked
def check_cluster(where: str | None) -> None:
    """Refuse what is no cluster before anything is done, and any where Dask is not installed."""
    if where is not None:
        _scheduler(where)
        if find_spec("distributed") is None:
            raise NotInstalled(
                "--cluster needs Dask, which is not installed: pip install '.[cluster]' in Abacist's folder"
            )


@contextmanager
@checked
def open_cluster(where: str, warn: Callable[[str], None] | None = None) -> Iterator[Cluster]:
    """The Dask cluster whose scheduler has an address, or left it in a file; or one that is started here.

    `local:N` starts one with N processes of one thread each, and ends it afterwards. What Dask itself would
    log is not shown.
    """
    check_cluster(where)
    scheduler = _scheduler(where)
    _silence()
    with ExitStack() as stack:
        cluster = scheduler if isinstance(scheduler, str) else stack.enter_context(_started(scheduler))
        try:
            client = _distributed.Client(cluster, set_as_default=False)
        except OSError as error:
            why = in_a_sentence(error)
            raise AbacistError(f"{scheduler}: no Dask scheduler answers there, {why}") from None
        yield Cluster(stack.enter_context(client), warn)


def _scheduler(where: str) -> int | str:
    """N of `local:N`, or else the address of a scheduler, read from a file where it is the name of one."""
    if where.startswith(_LOCAL):
        number = where.removeprefix(_LOCAL)
        if not (number.isascii() and number.isdigit()) or not 1 <= int(number[:9]) <= 1_000:
            raise BadInput(f"--cluster local:N needs a number of workers from 1 to 1,000, got {where!r}")
        return int(number)
    path = Path(where)
    if not path.is_file():
        if not _ADDRESS.fullmatch(where):
            raise BadInput(
                "--cluster must be the address of a Dask scheduler, such as tcp://host:8786, a file that it "
                f"wrote, or local:N, got {where!r}"
            )
        return where
    try:
        address = read_json(load_text(path, JSON_BYTES))["address"]
    except (BadInput, TypeError, KeyError):
        address = None
    if not isinstance(address, str) or not _ADDRESS.fullmatch(address):
        raise BadFile(f"{path}: is no file of a Dask scheduler, as its --scheduler-file writes it")
    return address


def _started(workers: int) -> Any:
    """A cluster on this machine, whose processes leave Ctrl-C to this one, which ends them."""
    ensure_running()  # else it would be begun meanwhile, and would let Ctrl-C through again
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with _dask.config.set(_LEAN):
            return _distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                memory_limit=0,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)


def _silence() -> None:
    """What matters of what Dask logs is said by Abacist, in sentences."""
    _distributed.Client  # noqa: B018 - its loggers are made when it is imported
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
