"""Lines about long work: for every block one, whoever reads them, and never in the way of what is printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from abacist.experiments import Store, Task
from abacist.experiments import run as runner
from tests.cli.command import inside, refused

#: Twenty runs of a tiny network: two blocks.
TRAIN = (
    "train", "dyck-1", "rnn", "--hidden", "1", "--runs", "20", "--epochs", "1", "--training", "20",
    "--test", "5", "--lengths", "2:16", "--long", "18:24",
)  # fmt: skip

_TIME = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  "


def lines_of(text: str) -> list[str]:
    """The lines of a log, without their times."""
    return [re.sub(f"^{_TIME}", "", line) for line in text.splitlines() if re.match(_TIME, line)]


def test_without_a_terminal_every_block_has_its_line(tmp_path: Path) -> None:
    code, printed, said = inside(*TRAIN, "--out", str(tmp_path / "a"))
    banner, *blocks, summary = lines_of(said)
    assert code == 0
    assert banner.startswith("20 runs in 2 blocks to compute, about ")
    assert [re.sub(r"\d+ % done, about .* left; ", "", line) for line in sorted(blocks, key=_seeds)] == [
        f"block {number} of 2: train and judge, language dyck-1, cell rnn, hidden 1, epochs 1, seeds {seeds}"
        for number, seeds in zip(map(_block, sorted(blocks, key=_seeds)), ("0–15", "16–19"), strict=True)
    ]
    assert blocks[-1].startswith("100 % done, about 0 s left; block 2 of 2")
    assert re.fullmatch(r"20 runs computed in \d+ s, none diverged; kept in .*abacist\.sqlite", summary)
    assert lines_of(printed) == []


def _seeds(line: str) -> int:
    found = re.search(r"seeds (\d+)", line)
    assert found is not None
    return int(found[1])


def _block(line: str) -> int:
    found = re.search(r"block (\d+) of", line)
    assert found is not None
    return int(found[1])


def test_quiet_is_quiet_and_a_log_has_all_that_would_be_said(tmp_path: Path) -> None:
    log = tmp_path / "sweep.log"
    _, loud, said = inside(*TRAIN, "--out", str(tmp_path / "a"))
    code, printed, nothing = inside(*TRAIN, "--out", str(tmp_path / "b"), "--quiet", "--log", str(log))
    assert (code, printed, lines_of(nothing)) == (0, loud, [])
    first = lines_of(log.read_text())
    assert len(first) == len(lines_of(said)) == 4
    inside(*TRAIN, "--out", str(tmp_path / "b"), "--quiet", "--log", str(log))
    *before, last = lines_of(log.read_text())
    assert before == first
    assert last == f"nothing to compute: {tmp_path / 'b' / 'abacist.sqlite'} has all of it"


def test_what_diverged_is_counted(tmp_path: Path) -> None:
    _, _, said = inside(*TRAIN[:-2], "--long", "18:24", "--rate", "1e300", "--out", str(tmp_path))
    *blocks, summary = lines_of(said)[1:]
    assert sum(int(n) for line in blocks for n in re.findall(r", (\d+) diverged$", line)) == 20
    assert ", 20 diverged; kept in " in summary


def test_an_interrupted_log_says_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "sweep.log"
    inside(*TRAIN[:5], "--runs", "16", *TRAIN[7:], "--out", str(tmp_path / "a"))
    usual = runner

    def stopped(_: Sequence[Task], store: Store, **given: Any) -> None:
        usual([], store, **given)
        raise KeyboardInterrupt

    monkeypatch.setattr("abacist.cli.work.run", stopped)
    code, _, said = inside(*TRAIN, "--out", str(tmp_path / "a"), "--log", str(log))
    assert code == 130
    assert re.match(r"stopped after \d+ s: 16 of 20 runs kept in ", lines_of(log.read_text())[-1])
    assert said.startswith("16 of 20 runs kept in ")


@pytest.mark.parametrize("verbose", [pytest.param(False, marks=pytest.mark.thorough), True])
def test_a_terminal_has_bars_and_lines_above_them_when_asked(tmp_path: Path, verbose: bool) -> None:
    pty = pytest.importorskip("pty")
    own, theirs = pty.openpty()
    folder = str(tmp_path / str(verbose))
    arguments = [*TRAIN, "--epochs", "4000", "--out", folder, *(["--verbose"] if verbose else [])]
    done = subprocess.Popen(
        [sys.executable, "-m", "abacist", *arguments],
        env=os.environ | {"TERM": "xterm", "COLUMNS": "200", "LINES": "24", "ABACIST_QUIET": ""},
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            shown += os.read(own, 65536)
        except OSError:  # the other end is closed
            break
    os.close(own)
    assert done.wait() == 0
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode()).replace("\r", "\n")
    assert "░ all work … " in plain
    assert len(lines_of(plain)) == (4 if verbose else 0)


def test_what_cannot_be_meant_is_refused(tmp_path: Path) -> None:
    out = ("--out", str(tmp_path / "a"))
    assert "--quiet and --verbose exclude each other" in refused(*TRAIN, *out, "--quiet", "--verbose")
    missing = str(tmp_path / "no" / "sweep.log")
    assert f"{missing}: cannot be written" in refused(*TRAIN, *out, "--log", missing)


def test_a_full_disk_costs_the_log_and_not_the_work(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    code, printed, _ = inside(*TRAIN, "--out", str(tmp_path / "a"), "--quiet", "--log", "/dev/full")
    assert code == 0
    assert "short" in printed
