"""Patience: within two seconds a command shows something, and within two seconds of Ctrl-C it has ended.

With an empty cache, so that everything is compiled, on a terminal or through a pipe, at random moments. A
pipe gets a log, of which only the first line must come in time. Seconds are measured here: on a machine that
has much else to do, these laws may be broken.
"""

from __future__ import annotations

import os
import random
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.torture.trial import Broken, Ended, lawful

#: Seconds until something is shown, and until a command has ended after Ctrl-C.
SHOWN = ENDED = 2.0

#: Commands that take long: places are relative to the ground.
COMMANDS = (
    ("train", "dyck-1", "ntm", "--runs", "2"),
    ("train", "dyck-1", "stack_rnn", "--runs", "2"),
    ("train", "dyck-1", "lstm", "--hidden", "256", "--runs", "2"),
    ("train", "dyck-1", "lstm", "--layers", "8", "--runs", "2"),
    ("teach", "dyck-1", "lstm", "--hidden", "1", "--runs", "2"),
    ("run", "table-3"),
    ("reproduce",),
    ("corpus", "dyck-1", "--train-words", "3000000"),
    ("sample", "shuffle-2", "--count", "1000000", "--lengths", "2:100"),
    ("report", "--results", "results", "--out", "report.html"),
    ("figures", "--results", "results", "--out", "figures"),
    ("page", "--results", "results", "--out", "page.html"),
    ("counters", "networks"),
    ("stress", "networks"),
    ("judge", "networks", "--set", "long"),
    ("trace", "networks", "(())"),
    ("horizon", "networks"),
    ("certify", "networks"),
    ("bench",),
)


def impatience(ground: Path, chance: random.Random) -> None:
    """Something is shown in time, and Ctrl-C ends the command in time, whatever it is doing."""
    arguments, moment = chance.choice(COMMANDS), chance.uniform(2.5, 12)
    terminal = chance.random() < 0.5
    own, theirs = os.openpty() if terminal else os.pipe()
    environment = {name: value for name, value in os.environ.items() if name != "ABACIST_QUIET"}
    begun = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "abacist", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        cwd=ground,
        env=environment | {"ABACIST_CACHE": str(ground / "cold"), "COLUMNS": "80"},
    )
    os.close(theirs)
    try:
        text, silence, first = _shown(own, begun, begun + moment)
        interrupted = time.monotonic()
        process.send_signal(signal.SIGINT)
        more, _, _ = _shown(own, interrupted, interrupted + 60)
        code = process.wait(60)
        spent = time.monotonic() - interrupted
    finally:
        process.kill()
        process.wait()
        os.close(own)
    lawful(Ended(code, text + more, ""), arguments)
    if (silent := silence if terminal else first) > SHOWN:
        raise Broken(f"{arguments}: shows nothing {'' if terminal else 'in a pipe '}for {silent:.1f} s")
    if spent > ENDED:
        raise Broken(f"{arguments}: ends {spent:.1f} s after Ctrl-C at {moment:.1f} s")


def _shown(own: int, begun: float, end: float) -> tuple[str, float, float]:
    """What is shown until a time, or until nobody writes any more; the longest silence, and the first one."""
    data, last, silence, first = b"", begun, 0.0, 0.0
    while (now := time.monotonic()) < end:
        if not select.select([own], [], [], min(0.1, end - now))[0]:
            silence = max(silence, time.monotonic() - last)
            first = first if data else silence
            continue
        try:
            more = os.read(own, 65536)
        except OSError:  # a terminal's writer has ended
            more = b""
        if not more:
            break
        data += more
        silence, last = max(silence, time.monotonic() - last), time.monotonic()
    return data.decode("utf-8", "replace"), silence, first
