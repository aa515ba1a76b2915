"""Claims on work: those of the living are respected, those of the dead and the silent are void."""

from __future__ import annotations

import os
import socket
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from abacist.experiments import FILE_NAME, Store, run, run_key
from abacist.experiments.store import CLAIM_SECONDS
from tests.experiments.cases import child, claims, ended, runs_of, tasks_by_rate


def set_back(folder: Path, renewed: str) -> None:
    """Let all claims be as old as an expression of SQL says."""
    with closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as connection:
        connection.execute(f"UPDATE claims SET renewed = {renewed}")


def test_a_claim_of_a_living_process_is_respected_until_it_is_given_up(tmp_path: Path) -> None:
    mine, other = Store(tmp_path), Store(tmp_path)
    assert mine.claim(["a", "b"]) == ["a", "b"]
    assert mine.claim(["b", "c"]) == ["b", "c"]
    assert other.claim(["a", "b", "d"]) == ["d"]
    mine.release()
    assert set(claims(tmp_path)) == {"d"}
    assert other.claim(["a", "b"]) == ["a", "b"]


def test_putting_a_run_gives_up_its_claim(tmp_path: Path) -> None:
    store, task = Store(tmp_path), tasks_by_rate(1)[0]
    keys = [run_key(task.spec, seed) for seed in task.seeds]
    store.claim([*keys, "other"])
    run([task], Store(tmp_path / "elsewhere"))
    store.put(runs_of(Store(tmp_path / "elsewhere")))
    assert set(claims(tmp_path)) == {"other"}


def test_a_claim_of_another_living_process_is_respected(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.claim(["a"])
    store.owner = f"{socket.gethostname()}:{os.getppid()}:0"
    store.claim(["b"])
    assert Store(tmp_path).claim(["a", "b", "c"]) == ["c"]


def test_a_claim_of_a_dead_process_is_void_at_once(tmp_path: Path) -> None:
    process = child("import os; print(os.getpid())")
    _, output, _ = ended(process)
    store = Store(tmp_path)
    store.owner = f"{socket.gethostname()}:{output.strip()}:0"
    store.claim(["a"])
    assert Store(tmp_path).claim(["a"]) == ["a"]


def test_a_claim_on_another_machine_is_void_only_when_it_is_old(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.owner = "elsewhere:1:0"
    store.claim(["a", "b"])
    assert Store(tmp_path).claim(["a", "b"]) == []
    moment = time.time() - CLAIM_SECONDS - 1
    set_back(tmp_path, str(moment))
    assert Store(tmp_path).claim(["a"]) == ["a"]
    store.renew()
    owner, renewed = claims(tmp_path)["b"]
    assert (owner, renewed > moment + CLAIM_SECONDS) == (store.owner, True)
    assert Store(tmp_path).claim(["b"]) == []


def test_a_living_process_that_is_silent_for_long_loses_its_claim(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.claim(["a"])
    set_back(tmp_path, f"renewed - {CLAIM_SECONDS + 1}")
    assert Store(tmp_path).claim(["a"]) == ["a"]
