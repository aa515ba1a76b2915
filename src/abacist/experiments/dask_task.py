"""The task that a worker of a Dask cluster is given: it computes a job, and ends where nobody wants it.

A worker shares nothing with others but messages: it compiles for itself, unless another of the same user
has done so on the same machine.
"""

from __future__ import annotations

import platform
import time
from functools import lru_cache
from importlib.metadata import version

from abacist import __version__
from abacist.experiments.failures import BlockFailed, Refused
from abacist.experiments.job import AnyJob
from abacist.experiments.outcome import Run
from abacist.experiments.workers import Compute
from abacist.on_demand import on_demand
from abacist.progress import Progress
from abacist.wording import in_a_sentence

_distributed = on_demand("distributed")

#: Seconds between two messages about a job, and between two looks whether it is still wanted.
_EVERY = 0.25

#: States of a task that somebody waits for.
_WANTED = ("executing", "long-running")


@lru_cache(maxsize=1)
def versions_here() -> dict[str, str]:
    """The versions of what must be the same wherever jobs are computed."""
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
    """Nobody waits for a job any more."""


def dask_task(compute: Compute, job: AnyJob, topic: str, number: int, versions: dict[str, str]) -> list[Run]:
    """Compute a job on a worker for a process that has some versions of everything.

    Dask tells a worker which tasks are still wanted: they are not when they are cancelled, or when the
    process that waited for them has ended.
    """
    worker = _distributed.get_worker()
    if why := differences(worker.address, versions_here(), versions):
        raise Refused(why, worker.address)
    task, next_message = worker.get_current_task(), time.monotonic() + _EVERY

    def tell(progress: Progress) -> None:
        nonlocal next_message
        if time.monotonic() < next_message:
            return
        next_message = time.monotonic() + _EVERY
        state = worker.state.tasks.get(task)
        running = worker.status.name in ("running", "paused")
        if not running or state is None or state.state not in _WANTED:
            raise _NotWanted
        worker.log_event(topic, (number, progress.share))

    try:
        return compute(job, Progress(tell))
    except Exception as error:
        raise BlockFailed(in_a_sentence(error), worker.address) from None
