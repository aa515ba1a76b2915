"""Kills at random moments, and damaged caches of compiled programs, in processes of their own."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from tests.experiments.cases import content
from tests.patience import HUNG
from tests.torture.trial import Broken, Ended, damaged, lawful

_CACHE = "ABACIST_CACHE"


def _start(ground: Path, results: Path, cache: Path | None = None) -> subprocess.Popen[str]:
    environment = os.environ | ({} if cache is None else {_CACHE: str(cache)})
    called = [sys.executable, "-m", "abacist", "run", str(ground / "tiny.toml"), "--results", str(results)]
    return subprocess.Popen(
        [*called, "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def _ended(process: subprocess.Popen[str]) -> Ended:
    try:
        output, errors = process.communicate(timeout=HUNG)
    finally:
        process.kill()
    return Ended(process.returncode, output, errors)


def kills(ground: Path, chance: random.Random) -> None:
    """What was there after a kill stays there; in the end all is as if nobody had been killed."""
    results, true = ground / "killed", content(ground / "results")
    before: set[str] = set()
    for _ in range(chance.randrange(1, 4)):
        process = _start(ground, results)
        end = chance.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT))
        try:
            process.wait(chance.uniform(0.2, 3))
        except subprocess.TimeoutExpired:
            process.send_signal(end)
        ended = _ended(process)
        unborn = ended.code == -signal.SIGINT and "abacist" not in ended.errors  # Python was still beginning
        if not unborn and ended.code not in (-signal.SIGKILL, -signal.SIGTERM):
            lawful(ended, ("run",))
        found = content(results) if (results / "abacist.sqlite").is_file() else {}
        if not before <= found.keys():
            raise Broken(f"{len(before - found.keys())} rows are gone after a kill")
        if any(true[key] != row for key, row in found.items()):
            raise Broken("a row is not what an undisturbed run has")
        before = set(found)
    ended = _ended(_start(ground, results))
    lawful(ended, ("run",))
    if ended.code or content(results) != true:
        raise Broken(f"going on after kills does not end as an undisturbed run does:\n{ended.errors}")


def damaged_cache(ground: Path, chance: random.Random) -> None:
    """With damaged compiled programs a run gives what it always gives, or says what is wrong."""
    cache, true = ground.parent / "cache", content(ground / "results")
    if not cache.is_dir():
        lawful(_ended(_start(ground, ground / "first", cache)), ("run",))
    own, results = ground / "cache", ground / "cached"
    shutil.copytree(cache, own)
    files = sorted(path for path in own.rglob("*") if path.is_file() and path.stat().st_size)
    for path in chance.sample(files, min(len(files), chance.randrange(1, 4))):
        path.write_bytes(damaged(path.read_bytes(), chance))
    ended = _ended(_start(ground, results, own))
    lawful(ended, ("run",))
    if not ended.code and content(results) != true:
        raise Broken("a damaged cache has changed results")
