"""Opening a cluster by what a user calls it: an address, a file that has one, or `local:N`."""

from __future__ import annotations

import logging
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from multiprocessing.resource_tracker import ensure_running
from pathlib import Path
from typing import Any

from abacist.errors import AbacistError, BadFile, BadInput, NotInstalled
from abacist.experiments.cluster import Cluster
from abacist.fields import checked
from abacist.limits import JSON_BYTES
from abacist.on_demand import on_demand
from abacist.untrusted import load_text, read_json
from abacist.wording import in_a_sentence

_dask, _distributed = on_demand("dask"), on_demand("distributed")

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


@checked
def check_cluster(where: str | None) -> None:
    """Refuse what is no cluster before anything is done, and any where Dask is not installed."""
    if where is not None:
        if _local_workers(where) is None:
            _address(where)
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
    workers = _local_workers(where)
    _silence()
    with _connected(_address(where)) if workers is None else _started(workers) as client:
        yield Cluster(client, warn)


def _local_workers(where: str) -> int | None:
    """N of `local:N`, None for anything else."""
    if not where.startswith(_LOCAL):
        return None
    number = where.removeprefix(_LOCAL)
    if not (number.isascii() and number.isdigit()) or not 1 <= int(number[:9]) <= 1_000:
        raise BadInput(f"--cluster local:N needs a number of workers from 1 to 1,000, got {where!r}")
    return int(number)


def _address(where: str) -> str:
    """The address of a scheduler, read from a file where it is the name of one."""
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


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    try:
        client = _distributed.Client(address, set_as_default=False)
    except OSError as error:
        raise AbacistError(f"{address}: no Dask scheduler answers there, {in_a_sentence(error)}") from None
    with client:
        yield client


@contextmanager
def _started(workers: int) -> Iterator[Any]:
    """A client of a cluster on this machine, whose processes leave Ctrl-C to this one, which ends them."""
    ensure_running()  # else it would be begun meanwhile, and would let Ctrl-C through again
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with _dask.config.set(_LEAN):
            cluster = _distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                memory_limit=0,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)
    with cluster, _distributed.Client(cluster, set_as_default=False) as client:
        yield client


def _silence() -> None:
    """What matters of what Dask logs is said by Abacist, in sentences."""
    _distributed.Client  # noqa: B018 - its loggers are made when it is imported
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
