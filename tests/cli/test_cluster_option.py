"""`--cluster`: a cluster started here gives what threads give; what is no cluster gets one sentence."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from abacist.experiments import cluster
from tests.cli.command import abacist, refused
from tests.experiments.cases import content
from tests.requirements import need

TRAIN = ("train", "dyck-1", "rnn", "--hidden", "2", "--runs", "20", "--epochs", "2", "--train-words", "40")
SIZES = ("--test-words", "10", "--train-lengths", "2:12", "--long-lengths", "14:20", "--json")


@pytest.mark.parametrize("text", ["local:", "local:0", "local:-1", "local:two", "local:1001", "local:2.5"])
@pytest.mark.parametrize("command", [TRAIN, ("teach", "dyck-1"), ("run", "crossing"), ("reproduce",)])
def test_a_number_of_workers_that_is_none_is_refused(
    text: str, command: tuple[str, ...], tmp_path: Path
) -> None:
    sentence = refused(*command, "--out", str(tmp_path / "new"), "--cluster", text)
    assert sentence == f"abacist: --cluster local:N needs a number of workers from 1 to 1,000, got '{text}'\n"
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("text", ["", "nowhere", "what://is this", "tcp://host", "http://host:80", "h:9x"])
def test_what_is_no_address_is_refused(text: str, tmp_path: Path) -> None:
    sentence = refused(*TRAIN, "--out", str(tmp_path / "new"), "--cluster", text)
    assert "--cluster must be the address of a Dask scheduler, such as tcp://host:8786, a file" in sentence
    (tmp_path / "scheduler.json").write_text(text)
    asked = ("--cluster", str(tmp_path / "scheduler.json"))
    sentence = refused(*TRAIN, "--out", str(tmp_path / "new"), *asked, code=1)
    assert "scheduler.json: is no file of a Dask scheduler" in sentence
    assert not (tmp_path / "new").exists()


def test_without_dask_it_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    sentence = refused(*TRAIN, "--out", str(tmp_path / "new"), "--cluster", "tcp://host:8786", code=1)
    hint = "pip install '.[cluster]' in Abacist's folder"
    assert sentence == f"abacist: --cluster needs Dask, which is not installed: {hint}\n"
    assert not (tmp_path / "new").exists()


def test_where_no_scheduler_answers_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("distributed")
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "1s")
    with socket.socket() as free:  # nobody listens there
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        ended = abacist(*TRAIN, *SIZES, "--out", str(tmp_path), "--cluster", address)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith(f"abacist: {address}: no Dask scheduler answers there, ")
    assert ended.stderr.count("\n") == 1


@pytest.mark.thorough
def test_a_cluster_here_gives_what_threads_give(tmp_path: Path) -> None:
    need("distributed")
    plain = abacist(*TRAIN, *SIZES, "--out", str(tmp_path / "threads"))
    ended = abacist(*TRAIN, *SIZES, "--out", str(tmp_path / "cluster"), "--cluster", "local:2", "-q")
    assert (ended.returncode, ended.stderr) == (0, f"kept in {tmp_path / 'cluster'}\n")
    assert json.loads(ended.stdout) == json.loads(plain.stdout)
    assert content(tmp_path / "cluster") == content(tmp_path / "threads")


def test_dask_is_not_imported_unless_it_is_asked_for() -> None:
    """It takes as long as all the rest."""
    script = "import sys, abacist.experiments, abacist.cli.work; print('distributed' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"
