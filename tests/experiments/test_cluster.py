"""A cluster as workers: the same store, blocks that fail, progress and the wish to stop, versions."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from abacist.errors import AbacistError
from abacist.experiments import BlocksFailed, Cluster, RunProgress, Task, run_key
from abacist.targets import target_for
from tests.experiments.cases import TINY, claims, content, ran, runs_in, small, tasks_by_rate
from tests.experiments.dask_processes import DaskProcesses, dask_processes, eventually
from tests.requirements import need

pytestmark = [pytest.mark.thorough, need("distributed")]

TASKS = [*tasks_by_rate(6), Task("tiny", small(epochs=2), (4, 9), ("long",), (0, 1))]

#: A block that takes hours.
ENDLESS = Task("endless", small(epochs=1_000_000), (0, 1))

#: Makes a worker fail at the blocks of some rates.
FAILS = """
from abacist.experiments import work

whole = work.compute

def compute(job, *given):
    if job.spec.rate in {rates}:
        raise ZeroDivisionError(f"a bad rate")
    return whole(job, *given)

work.compute = compute
"""

#: Makes a worker be of another version.
OTHER = "from abacist.experiments import cluster; cluster.__version__ = '0.0.9'"


@pytest.fixture(scope="module")
def cluster() -> Iterator[DaskProcesses]:
    """Two workers, which all tests leave as they are."""
    with dask_processes("first", "second") as made:
        yield made


@pytest.fixture
def client(cluster: DaskProcesses) -> Iterator[Any]:
    with cluster.client(2) as made:
        yield made


def busy(dask_worker: Any) -> int:
    """How many threads of a worker compute something."""
    return len(dask_worker.active_threads)


def test_the_store_is_the_one_that_a_single_process_fills(client: Any, tmp_path: Path) -> None:
    ran(TASKS, tmp_path / "true")
    ran(TASKS, tmp_path / "cluster", executor=Cluster(client))
    assert content(tmp_path / "cluster") == content(tmp_path / "true")
    for found in runs_in(tmp_path / "cluster"):  # the workers' processor, which is ours, too
        assert target_for(found.spec.layout).versions().items() <= found.outcome.versions.items()


def test_progress_reaches_us_and_the_wish_to_stop_reaches_workers(client: Any, tmp_path: Path) -> None:
    """Ctrl-C comes when a block, which would take hours, tells for the first time how far it is."""

    told: list[float] = []

    def interrupt(state: RunProgress) -> None:
        if state.share > 0 and not told:
            told.append(state.share)
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        ran([ENDLESS], tmp_path, executor=Cluster(client), progress=RunProgress(interrupt))
    eventually(lambda: not any(client.run(busy).values()))
    assert claims(tmp_path) == {}


def test_what_a_killed_process_wanted_is_computed_no_further(
    client: Any, cluster: DaskProcesses, tmp_path: Path
) -> None:
    (tmp_path / "endless.toml").write_text(TINY + "runs = 2\n[[task]]\nepochs = 1_000_000\n")
    command = [
        "run",
        str(tmp_path / "endless.toml"),
        "--results",
        str(tmp_path),
        "--cluster",
        cluster.address,
    ]
    process = subprocess.Popen([sys.executable, "-m", "abacist", *command])
    try:
        eventually(lambda: any(client.run(busy).values()))
    finally:
        process.kill()
        process.wait()
    eventually(lambda: not any(client.run(busy).values()))


def test_room_follows_the_workers_that_come_and_go() -> None:
    with dask_processes("first") as cluster, cluster.client(1) as client:
        workers = Cluster(client)

        def room() -> int:
            workers.check_alive()
            return workers.capacity()

        alone = eventually(room)
        cluster.start("second")
        both = eventually(lambda: (now := room()) != alone and now)
        cluster.workers["first"].kill()
        eventually(lambda: room() == alone)
        assert both == 2 * alone


def test_a_block_that_fails_is_done_elsewhere_and_one_that_fails_twice_is_named(tmp_path: Path) -> None:
    tasks = tasks_by_rate(6)
    with dask_processes("bad", fault=FAILS.format(rates=(0.01, 0.02, 0.03, 0.05))) as cluster:
        cluster.start("good", fault=FAILS.format(rates=(0.03,)))
        with cluster.client(2) as client, pytest.raises(BlocksFailed) as raised:
            ran(tasks, tmp_path, executor=Cluster(client))
    (failure,) = raised.value.failed
    assert failure.error == "ZeroDivisionError: a bad rate"
    assert failure.job.keys == tuple(run_key(tasks[2].spec, seed) for seed in tasks[2].seeds)
    ran([*tasks[:2], *tasks[3:]], tmp_path / "true")
    assert content(tmp_path) == content(tmp_path / "true")
    assert {found.key for found in raised.value.results.runs} == set(content(tmp_path))
    assert claims(tmp_path) == {}
    ran(tasks, tmp_path)
    assert len(content(tmp_path)) == 12


def test_workers_of_other_versions_are_given_no_work(tmp_path: Path) -> None:
    """Those that are there at the beginning are refused before anything runs."""
    told: list[str] = []
    with dask_processes("good") as cluster, cluster.client(1) as client:
        workers = Cluster(client, told.append)
        cluster.start("other", fault=OTHER)
        client.wait_for_workers(2)
        (place,) = (at for at, of in client.scheduler_info()["workers"].items() if of["name"] == "other")
        with pytest.raises(AbacistError, match=rf"the worker at {place} has abacist 0.0.9 instead of"):
            Cluster(client)
        ran(TASKS, tmp_path, executor=workers)
    (sentence,) = told
    assert sentence.startswith(f"the worker at {place} has abacist 0.0.9 instead of ")
    ran(TASKS, tmp_path / "true")
    assert content(tmp_path) == content(tmp_path / "true")
