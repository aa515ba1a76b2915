"""Faults of system calls: one call of a writing command fails, as on a full or a broken disk."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from abacist.experiments import FILE_NAME
from abacist.specs.files import NetworkFile
from tests.experiments.cases import content
from tests.torture.trial import Broken, Ended, lawful

#: Every command that writes files, as it is called in the ground. Each writes `new`, or changes `results`.
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("run", "tiny.toml", "--results", "new"),
    ("train", "dyck-1", "rnn", "--hidden", "2", "--runs", "2", "--epochs", "1", "--train-words", "40",
     "--test-words", "10", "--train-lengths", "2:12", "--long-lengths", "14:20", "--out", "new"),
    ("corpus", "dyck-1", "--train-words", "40", "--test-words", "10", "--train-lengths", "2:12",
     "--long-lengths", "14:20", "--out", "new.npz"),
    ("export", "results", "--run", "0", "--out", "new.safetensors"),
    ("export", "--csv", "new.csv", "--results", "results"),
    ("import", "one.safetensors", "--cell", "rnn", "--out", "new"),
    ("construct", "dyck-1", "--out", "new"),
    ("horizon", "--results", "results", "--max-length", "4"),
    ("trace", "networks", "(())", "--language", "dyck-1", "--out", "new.svg"),
    ("report", "--results", "results", "--out", "new.html"),
    ("merge", "new", "results"),
    ("delete", "--results", "results", "--where", "rate=0.01", "--yes"),
    ("vacuum", "--results", "results"),
    ("repair", "--results", "results"),
    ("teach", "dyck-1", "rnn", "--hidden", "2", "--runs", "2", "--epochs", "2", "--train-words", "40",
     "--max-length", "6", "--rounds", "2", "--fed-words", "5", "--out", "new"),
    ("figures", "--results", "results", "--out", "new"),
    ("page", "--results", "results", "--out", "new.html"),
    ("sharpen", "counter", "--factor", "2", "--out", "new"),
    ("certify", "counter", "--out", "new.json"),
    ("machine", "counter", "--out", "new.svg"),
)  # fmt: skip

#: System calls that change files. Those that read are left alone: Python itself could not start without them.
CALLS = (
    "write", "pwrite64", "writev", "fsync", "fdatasync", "ftruncate", "fallocate", "rename", "renameat",
    "renameat2", "link", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "chmod", "fchmod",
)  # fmt: skip
ERRORS = ("ENOSPC", "EIO", "EACCES", "EROFS", "EDQUOT")

_CALLED = re.compile(r"^\d+ +(\w+)\(")


def strace() -> str | None:
    """Where strace is, if it is here."""
    return shutil.which("strace")


def system_call_faults(ground: Path, chance: random.Random) -> None:
    """With one failing call a command ends in a sentence, loses nothing, and succeeds when repeated."""
    arguments = chance.choice(COMMANDS)
    rows = content(ground / "results")
    calls = _calls(arguments, ground.parent / "undisturbed", ground)
    if not calls:
        raise Broken(f"{arguments}: changes no file")
    call = chance.choice(sorted(calls))
    at, error = chance.randrange(1, calls[call] + 1), chance.choice(ERRORS)
    what = f"{' '.join(arguments)}, with {call} number {at} failing with {error}"
    ended = _run(arguments, ground, "-e", f"inject={call}:error={error}:when={at}")
    try:
        lawful(ended, arguments)
        _whole(ground, rows, arguments[0])
        again = _run(arguments, ground)
        lawful(again, arguments)
        if again.code and not _done_before(arguments, again, ground):
            raise Broken(f"does not succeed when it is called again:\n{again.errors}")
        _whole(ground, rows, arguments[0])
    except Broken as broken:
        raise Broken(f"{what}: {broken}\nit had ended with {ended.code} and said:\n{ended.errors}") from None


def _done_before(arguments: tuple[str, ...], ended: Ended, ground: Path) -> bool:
    """Whether a command is refused because the disturbed one had done its work and could not say so."""
    if "new: already exists and is not empty" in ended.errors:
        NetworkFile.load_folder(ground / "new")  # whole, or else an error
        return True
    return arguments[0] == "delete" and "no runs to delete" in ended.errors


def _whole(ground: Path, rows: dict[str, tuple[Any, ...]], verb: str) -> None:
    """No row of a store has changed, and none is gone that was not to be deleted."""
    for name in ("results", "new"):
        if (ground / name / FILE_NAME).is_file():
            present = content(ground / name)
            # Horizons are stored with their runs.
            if verb != "horizon" and any(rows.get(key, row) != row for key, row in present.items()):
                raise Broken(f"a row of {name} has changed")
            if name == "results" and verb != "delete" and present.keys() != rows.keys():
                raise Broken(f"{len(rows.keys() - present.keys())} rows are gone")


def _calls(arguments: tuple[str, ...], folder: Path, ground: Path) -> Counter[str]:
    """How often the busiest thread of an undisturbed command calls each; counted once, kept in a folder."""
    place, log = folder / str(COMMANDS.index(arguments)), folder / "log"
    if not place.is_file():
        folder.mkdir(exist_ok=True)
        trial = shutil.copytree(ground, folder / "ground")
        ended = _run(arguments, trial, "-o", str(log))
        shutil.rmtree(trial)
        if ended.code:
            raise Broken(f"{arguments}: fails undisturbed:\n{ended.errors}")
        shutil.move(log, place)
    threads: dict[str, Counter[str]] = {}
    for line in place.read_text(encoding="utf-8", errors="replace").splitlines():
        if called := _CALLED.match(line):
            threads.setdefault(line.split()[0], Counter())[called[1]] += 1
    most: Counter[str] = Counter()
    for each in threads.values():
        most |= each
    return most


def _run(arguments: tuple[str, ...], ground: Path, *options: str) -> Ended:
    called = [sys.executable, "-B", "-m", "abacist", *arguments]
    if options:
        traced = ",".join(CALLS)
        quiet = () if "-o" in options else ("-o", os.devnull)
        called = [strace() or "strace", "-f", "-qq", *quiet, "-e", f"trace={traced}", *options, *called]
    process = subprocess.run(
        called, capture_output=True, text=True, cwd=ground, stdin=subprocess.DEVNULL, timeout=300, check=False
    )
    return Ended(process.returncode, process.stdout, process.stderr)
