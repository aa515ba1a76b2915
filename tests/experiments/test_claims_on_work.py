"""Claims on work: those of the living are respected, those of the dead and the silent are void."""

from __future__ import annotations

import os
import socket
import sqlite3
import time
from pathlib import Path

from abacist.experiments import FILE_NAME, Store, run, run_key
from abacist.experiments.store import CLAIM_SECONDS
from tests.experiments.cases import child, ended, tasks_by_rate


def claims(folder: Path) -> dict[str, tuple[str, float]]:
    connection = sqlite3.connect(folder / FILE_NAME)
    rows = connection.execute("SELECT key, owner, renewed FROM claims").fetchall()
    connection.close()
    return {key: (owner, renewed) for key, owner, renewed in rows}


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
    store.put(Store(tmp_path / "elsewhere"))
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
    store._connection.execute("UPDATE claims SET renewed = ?", (moment,))
    assert Store(tmp_path).claim(["a"]) == ["a"]
    store.renew()
    owner, renewed = claims(tmp_path)["b"]
    assert (owner, renewed > moment + CLAIM_SECONDS) == (store.owner, True)
    assert Store(tmp_path).claim(["b"]) == []


def test_a_living_process_that_is_silent_for_long_loses_its_claim(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.claim(["a"])
    store._connection.execute("UPDATE claims SET renewed = renewed - ?", (CLAIM_SECONDS + 1,))
    assert Store(tmp_path).claim(["a"]) == ["a"]
