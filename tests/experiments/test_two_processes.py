"""Two processes on one store: they share the work, and no run is worked out twice."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, current_thread
from typing import Any

import pytest

from abacist.experiments import Job, Run, Store, compute, run, running
from tests.experiments.cases import content, ended, ran, runs_in, tasks_by_rate
from tests.patience import HUNG

#: Waits until it is told to begin, and writes down every run that it works out.
WORKER = """
import os, sys
from pathlib import Path
from abacist.experiments import Store, run, run_key, running
from tests.experiments.cases import tasks_by_rate

whole = running.compute
log = os.open(sys.argv[2], os.O_WRONLY | os.O_APPEND | os.O_CREAT)

def compute(job, *given):
    for seed in job.seeds:
        os.write(log, f"{os.getpid()} {run_key(job.spec, seed)}\\n".encode())
    return whole(job, *given)

running.compute = compute
print("ready")
sys.stdin.readline()
tasks = tasks_by_rate(int(sys.argv[3]), epochs=int(sys.argv[4]))
with Store(Path(sys.argv[1])) as store:
    run(tasks, store, jobs=1)
"""


def together(folder: Path, log: Path, blocks: int, epochs: int, count: int = 2) -> list[list[str]]:
    """Run workers that begin at the same time; the lines of the log."""
    command = [sys.executable, "-u", "-c", WORKER, str(folder), str(log), str(blocks), str(epochs)]
    pipe = subprocess.PIPE
    workers = [
        subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) for _ in range(count)
    ]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    assert [ended(worker)[::2] for worker in workers] == [(0, "")] * count
    return [line.split() for line in log.read_text().splitlines()]


@pytest.mark.thorough
def test_no_run_is_worked_out_twice(tmp_path: Path) -> None:
    lines = together(tmp_path / "both", tmp_path / "log", blocks=24, epochs=200)
    ran(tasks_by_rate(24, epochs=200), tmp_path / "true")
    assert content(tmp_path / "both") == content(tmp_path / "true")
    assert Counter(key for _, key in lines) == Counter(list(content(tmp_path / "true")))


@pytest.mark.thorough
def test_many_processes_may_open_a_new_store_at_the_same_time(tmp_path: Path) -> None:
    lines = together(tmp_path / "all", tmp_path / "log", blocks=2, epochs=1, count=3)
    assert len(lines) == len(content(tmp_path / "all")) == 4


def test_what_another_finishes_between_looking_and_claiming_is_not_worked_out_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other process is played: it finishes everything just before the claims are made."""
    tasks = tasks_by_rate(2)
    ran(tasks, tmp_path / "elsewhere")
    finished = runs_in(tmp_path / "elsewhere")
    whole = Store.claim
    calls: list[list[str]] = []

    def claim(self: Store, keys: list[str]) -> list[str]:
        if not calls:
            other.put(finished)
        calls.append(keys)
        return whole(self, keys)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("it is there already")

    monkeypatch.setattr(Store, "claim", claim)
    monkeypatch.setattr(running, "compute", never)
    with Store(tmp_path) as mine, Store(tmp_path) as other:
        run(tasks, mine)
        assert len(mine) == 4


@pytest.mark.thorough
def test_a_process_that_comes_later_takes_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the first works on its first block, the second can work on others."""
    tasks = tasks_by_rate(6)
    begun, took_part = Event(), Event()

    def slowly(job: Job, *given: Any) -> list[Run]:
        if current_thread().name.startswith("second"):
            took_part.set()
        elif not begun.is_set():
            begun.set()
            took_part.wait(HUNG)
        return compute(job, *given)

    monkeypatch.setattr(running, "compute", slowly)
    with ThreadPoolExecutor(1) as elsewhere, ThreadPoolExecutor(1, "second") as second:
        first = elsewhere.submit(ran, tasks, tmp_path, jobs=1)
        begun.wait(HUNG)
        ran(tasks, tmp_path, executor=second)
        first.result()
    assert took_part.is_set()
    assert len(content(tmp_path)) == 12
