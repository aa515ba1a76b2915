"""A cluster that is disturbed: workers killed and cut off, the scheduler killed; the store ends the same."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from abacist.experiments import FILE_NAME, AnyJob, Cluster, Store, run
from tests.experiments.cases import TINY, WhenFinished, claims, content, ended, ran, tasks_by_rate
from tests.experiments.dask_processes import DaskProcesses, dask_processes, eventually
from tests.requirements import need

pytestmark = [pytest.mark.thorough, need("distributed")]

BLOCKS = 24
TASKS = tasks_by_rate(BLOCKS, epochs=400)


@pytest.fixture(scope="module")
def true(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Any, ...]]:
    """What a store has that one process filled."""
    folder = tmp_path_factory.mktemp("true")
    ran(TASKS, folder)
    return content(folder)


class Disturbance:
    """Is told of finished blocks, and kills a worker after some of them; another takes its place.

    It is stopped first, to see how many blocks it has in hand.
    """

    def __init__(self, cluster: DaskProcesses, client: Any, chance: random.Random, kills: int) -> None:
        self.cluster, self.client, self.chance = cluster, client, chance
        self.moments = set(chance.sample(range(1, BLOCKS - 4), kills))
        self.blocks, self.in_hand = 0, list[int]()

    def __call__(self, _job: AnyJob, _runs: object) -> None:
        self.blocks += 1
        if self.blocks in self.moments:
            alive = [name for name, worker in self.cluster.workers.items() if worker.poll() is None]
            name = self.chance.choice(alive)
            self.cluster.stop(name)
            self.in_hand.append(len(self.cluster.blocks_of(name, self.client)))
            self.cluster.workers[name].kill()
            self.cluster.start(f"replacement {len(self.in_hand)}")


def test_workers_killed_at_random_moments_change_nothing(
    tmp_path: Path, true: dict[str, tuple[Any, ...]]
) -> None:
    with dask_processes("first", "second") as cluster, cluster.client(1) as client, Store(tmp_path) as store:
        disturb = Disturbance(cluster, client, random.Random(2019), kills=3)
        run(TASKS, store, executor=Cluster(client), progress=WhenFinished(disturb))
        assert len(disturb.in_hand) == 3
        assert sum(disturb.in_hand) > 0
    assert content(tmp_path) == true
    assert claims(tmp_path) == {}


def test_a_worker_that_is_cut_off_loses_its_blocks_to_others(
    tmp_path: Path, true: dict[str, tuple[Any, ...]]
) -> None:
    """It is stopped with blocks in hand; when it wakes up, nobody listens to it.

    On a machine that is busy enough, the other one is not heard of in time, either: then a third takes part.
    """
    with dask_processes("stays", "cut off", patience="15s") as cluster, cluster.client(2) as client:
        blocks, held = list[AnyJob](), list[object]()

        def cut_off(job: AnyJob, _runs: object) -> None:
            blocks.append(job)
            if len(blocks) > 1 and not held:
                cluster.stop("cut off")
                held.extend(cluster.blocks_of("cut off", client))
                if not held:  # it had just finished one: the next time
                    cluster.workers["cut off"].send_signal(signal.SIGCONT)

        with Store(tmp_path) as store:
            workers = Cluster(client, lambda _sentence: cluster.start(f"reserve {len(cluster.workers)}"))
            run(TASKS, store, executor=workers, progress=WhenFinished(cut_off))
        assert held
        assert content(tmp_path) == true
        cluster.workers["cut off"].send_signal(signal.SIGCONT)
        cluster.workers["cut off"].wait()
    assert content(tmp_path) == true


def kept(folder: Path) -> int:
    """How many runs are in a store that another process may be about to make; it is only looked at."""
    try:
        with closing(sqlite3.connect(f"file:{folder / FILE_NAME}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM runs").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def test_a_scheduler_that_vanishes_leaves_a_store_that_goes_on(tmp_path: Path) -> None:
    """One block would take hours."""
    file, folder = tmp_path / "sweep.toml", tmp_path / "results"
    rates = [round(0.01 * (n + 1), 2) for n in range(4)]
    text = TINY + f"runs = 2\n[[task]]\nrate = {rates}\n"
    file.write_text(text + "[[task]]\nepochs = 1_000_000\n")
    command = [sys.executable, "-m", "abacist", "run", str(file), "--results", str(folder), "--quiet"]
    pipe = subprocess.PIPE
    with dask_processes("first", "second") as cluster:
        process = subprocess.Popen(
            [*command, "--cluster", cluster.address], stdout=pipe, stderr=pipe, text=True
        )
        try:
            eventually(lambda: kept(folder) == 8 or process.poll() is not None)
            cluster.scheduler.kill()
        finally:
            code, output, errors = ended(process)
    assert (code, output) == (1, "")
    assert errors.splitlines()[-2:] == [  # slow workers may have been waited for
        f"8 of 10 runs kept in {folder / FILE_NAME}; the same command continues from there",
        f"abacist: the Dask scheduler at {cluster.address} cannot be reached any more",
    ]
    assert claims(folder) == {}
    file.write_text(text + "[[task]]\nepochs = 2\n")
    code, _, errors = ended(subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True))
    assert (code, errors) == (0, "")
    ran(tasks_by_rate(4), tmp_path / "true")
    assert content(tmp_path / "true").items() <= content(folder).items()
    assert len(content(folder)) == 10
