"""Claims on work: those of the living are respected, those of the dead and the silent are void."""

from __future__ import annotations

import os
import socket
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from abacist.experiments import FILE_NAME, Store, run_key
from abacist.experiments.owners import CLAIM_SECONDS, new_owner
from tests.experiments.cases import child, claims, ended, ran, runs_in, tasks_by_rate

HERE = socket.gethostname()


def set_back(folder: Path, renewed: str) -> None:
    """Let all claims be as old as an expression of SQL says."""
    with closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as connection:
        connection.execute(f"UPDATE claims SET renewed = {renewed}")


def claimed(folder: Path, keys: list[str]) -> list[str]:
    """What someone else can claim."""
    with Store(folder) as store:
        return store.claim(keys)


def test_a_claim_of_a_living_process_is_respected_until_it_is_given_up(tmp_path: Path) -> None:
    with Store(tmp_path) as mine, Store(tmp_path) as other:
        assert mine.claim(["a", "b"]) == ["a", "b"]
        assert mine.claim(["b", "c"]) == ["b", "c"]
        assert other.claim(["a", "b", "d"]) == ["d"]
        mine.release()
        assert set(claims(tmp_path)) == {"d"}
        assert other.claim(["a", "b"]) == ["a", "b"]


def test_putting_a_run_gives_up_its_claim(tmp_path: Path) -> None:
    task = tasks_by_rate(1)[0]
    with Store(tmp_path) as store:
        keys = [run_key(task.spec, seed) for seed in task.seeds]
        store.claim([*keys, "other"])
        ran([task], tmp_path / "elsewhere")
        store.put(runs_in(tmp_path / "elsewhere"))
        assert set(claims(tmp_path)) == {"other"}


def test_a_claim_of_another_living_process_is_respected(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.claim(["a"])
        store.owner = f"{HERE}:{os.getppid()}::one"
        store.claim(["b"])
        assert claimed(tmp_path, ["a", "b", "c"]) == ["c"]


def test_a_claim_of_a_dead_process_is_void_at_once(tmp_path: Path) -> None:
    process = child("import os; print(os.getpid())")
    _, output, _ = ended(process)
    with Store(tmp_path) as store:
        store.owner = f"{HERE}:{int(output)}::one"
        store.claim(["a"])
        assert claimed(tmp_path, ["a"]) == ["a"]


def test_a_claim_on_another_machine_is_void_only_when_it_is_old(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.owner = f"fe80::1:{store.owner.removeprefix(HERE + ':')}"
        store.claim(["a", "b"])
        assert claimed(tmp_path, ["a", "b"]) == []
        moment = time.time() - CLAIM_SECONDS - 1
        set_back(tmp_path, str(moment))
        assert claimed(tmp_path, ["a"]) == ["a"]
        store.renew()
        owner, renewed = claims(tmp_path)["b"]
        assert (owner, renewed > moment + CLAIM_SECONDS) == (store.owner, True)
        assert claimed(tmp_path, ["b"]) == []


def test_a_living_process_that_is_silent_for_long_loses_its_claim(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.claim(["a"])
        set_back(tmp_path, f"renewed - {CLAIM_SECONDS + 1}")
        assert claimed(tmp_path, ["a"]) == ["a"]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no system that tells when a process began")
def test_a_claim_of_an_earlier_process_of_the_same_number_is_void(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        host, process, started, name = store.owner.rsplit(":", 3)
        assert new_owner().startswith(f"{host}:{process}:{started}:")
        assert new_owner() != new_owner()
        store.owner = f"{host}:{process}:{int(started) - 1}:{name}"
        store.claim(["a"])
        assert claimed(tmp_path, ["a"]) == ["a"]


@pytest.mark.parametrize("ahead", [CLAIM_SECONDS + 10, 1e9, 1e300])
def test_a_claim_from_the_future_is_void(tmp_path: Path, ahead: float) -> None:
    """Its clock is wrong, and it would count until then."""
    with Store(tmp_path) as store:
        store.claim(["a", "b"])
        set_back(tmp_path, f"renewed + {ahead}")
        assert claimed(tmp_path, ["a"]) == ["a"]


@pytest.mark.parametrize(
    "owner",
    [
        "''", "'nobody'", "'::'", "':::'", f"'{HERE}:one:2:3'", f"'{HERE}:-1:2:3'", f"'{HERE}:0:2:3'",
        f"'{HERE}:{10**30}:2:3'", f"'{HERE}:²:2:3'", f"'{HERE}: 1:2:3'", "x'ff00'", "7", "2.5",
    ],
)  # fmt: skip
def test_a_claim_of_an_odd_owner_is_void(tmp_path: Path, owner: str) -> None:
    with Store(tmp_path) as store:
        store.claim(["a"])
        set_back(tmp_path, f"renewed, owner = {owner}")
        assert claimed(tmp_path, ["a"]) == ["a"]


@pytest.mark.parametrize("renewed", ["'yesterday'", "x'00'", "''", "9e999", "-9e999"])
def test_a_claim_with_an_odd_date_is_void(tmp_path: Path, renewed: str) -> None:
    with Store(tmp_path) as store:
        store.claim(["a"])
        set_back(tmp_path, renewed)
        assert claimed(tmp_path, ["a"]) == ["a"]
