"""What happens on a worker of a Dask cluster: a block is computed, told of, and ended where nobody wants it.

A worker shares nothing with others but messages: it compiles for itself, unless another of the same user
has done so on the same machine.
"""

from __future__ import annotations

import platform
import time
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from abacist import __version__
from abacist.experiments.failures import BlockFailed, Refused
from abacist.experiments.job import Job
from abacist.experiments.measuring import Measurement
from abacist.experiments.outcome import Run
from abacist.experiments.workers import Compute
from abacist.on_demand import on_demand
from abacist.wording import in_a_sentence

_distributed = on_demand("distributed")

#: Seconds between two messages about a block, and between two looks whether it is still wanted.
_EVERY = 0.25

#: States of a task that somebody waits for.
_WANTED = ("executing", "long-running")


@lru_cache(maxsize=1)
def versions_here() -> dict[str, str]:
    """The versions of what must be the same wherever blocks are computed."""
    packages = {name: version(name) for name in ("numpy", "numba", "llvmlite")}
    python = ".".join(platform.python_version_tuple()[:2])
    return {"abacist": __version__, **packages, "Python": python}


def differences(place: str, there: dict[str, str], asked: dict[str, str]) -> str | None:
    """A sentence where a worker has other versions than the process that asks, else None."""
    wrong = [
        f"{name} {there.get(name)} instead of {asked[name]}"
        for name in asked
        if there.get(name) != asked[name]
    ]
    return f"the worker at {place} has {', '.join(wrong)}, so results might differ" if wrong else None


class _NotWanted(Exception):
    """Nobody waits for a block any more."""


class _Link:
    """The line from a block to whoever waits for it.

    Dask tells a worker which tasks are still wanted: they are not when they are cancelled, or when the
    process that waited for them has ended.
    """

    def __init__(self, worker: Any, topic: str, number: int) -> None:
        self._worker, self._task = worker, worker.get_current_task()
        self._topic, self._number = topic, number
        self._done, self._next = 0.0, time.monotonic() + _EVERY

    def check(self, work: float) -> None:
        """Told how much work has been done since; ends a block that nobody wants."""
        self._done += work
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _EVERY
        task = self._worker.state.tasks.get(self._task)
        running = self._worker.status.name in ("running", "paused")
        if not running or task is None or task.state not in _WANTED:
            raise _NotWanted
        self._worker.log_event(self._topic, (self._number, self._done))


def compute_there(
    compute: Compute, job: Job | Measurement, topic: str, number: int, versions: dict[str, str]
) -> list[Run]:
    """Compute a block on a worker for a process that has some versions of everything."""
    worker = _distributed.get_worker()
    if why := differences(worker.address, versions_here(), versions):
        raise Refused(why, worker.address)
    try:
        return compute(job, _Link(worker, topic, number).check)
    except Exception as error:
        raise BlockFailed(in_a_sentence(error), worker.address) from None
