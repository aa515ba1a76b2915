"""A real Dask cluster on this machine: a scheduler and workers, processes that can be killed or stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from abacist.on_demand import on_demand

distributed = on_demand("distributed")

_SCHEDULER = """
import asyncio
from distributed import Scheduler

async def main():
    async with Scheduler(host="127.0.0.1", port=0, dashboard_address=":0") as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()

asyncio.run(main())
"""

#: Its second argument is its name, its third what is executed before: a worker may be made a bad one.
_WORKER = """
import asyncio, sys
from distributed import Worker
import abacist.experiments

exec(sys.argv[3])

async def main():
    async with Worker(sys.argv[1], nthreads=1, name=sys.argv[2], dashboard=False) as worker:
        await worker.finished()

asyncio.run(main())
"""

#: How long a scheduler waits for a word from a worker before it takes it to be gone, as Dask calls it; and
#: how long it tries to reach one that has just died, to fetch what it had: it would be half a minute. Workers
#: and clients keep that half minute: on a busy machine the scheduler may take long to answer.
_PATIENCE = "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL"
_CONNECT = "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT"


def eventually(what: Callable[[], Any]) -> Any:
    """What something gives as soon as it is true of it; asked again and again."""
    while not (found := what()):
        time.sleep(0.05)
    return found


class DaskProcesses:
    """A scheduler and its workers, by name."""

    def __init__(self, patience: str) -> None:
        self._environment = os.environ | {_PATIENCE: patience}
        self.scheduler = self._begin(_SCHEDULER, **{_CONNECT: "10s"})
        assert self.scheduler.stdout is not None
        self.address = self.scheduler.stdout.readline().strip()
        assert self.address.startswith("tcp://"), "the scheduler did not start"
        self.workers: dict[str, subprocess.Popen[str]] = {}

    def _begin(self, script: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", script, *arguments]
        return subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=self._environment | environment,
        )

    def start(self, *names: str, fault: str = "") -> None:
        """Start workers; they need not be there yet when this returns."""
        for name in names:
            self.workers[name] = self._begin(_WORKER, self.address, name, fault)

    def stop(self, name: str) -> None:
        """Stop a worker where it is; it stays there until it is told to go on."""
        process = self.workers[name]
        process.send_signal(signal.SIGSTOP)
        state = Path(f"/proc/{process.pid}/stat")
        eventually(lambda: state.read_text().rpartition(")")[2].split()[0] in "TZ")

    def blocks_of(self, name: str, client: Any) -> Sequence[str]:
        """The blocks that the scheduler has given to a worker and not got back; none if it knows it not."""
        known = client.scheduler_info()["workers"].items()
        places = [place for place, told in known if told["name"] == name]
        return client.processing()[places[0]] if places else ()

    @contextmanager
    def client(self, workers: int) -> Iterator[Any]:
        """A client, once there are some workers."""
        with distributed.Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(workers)
            yield client

    def end(self) -> None:
        for process in (self.scheduler, *self.workers.values()):
            process.kill()
            process.communicate()


@contextmanager
def dask_processes(*names: str, fault: str = "", patience: str = "5 minutes") -> Iterator[DaskProcesses]:
    """A cluster with some workers, all of whose processes are ended afterwards."""
    cluster = DaskProcesses(patience)
    try:
        cluster.start(*names, fault=fault)
        yield cluster
    finally:
        cluster.end()
