"""A trial: something hostile is done, and the command must keep the laws."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from tests.cli.command import inside
from tests.patience import HUNG

#: What a command may end with: done, failed, misuse, a claim that fails, interrupted.
CODES = (0, 1, 2, 3, 130)

#: Seconds of computing after which a command takes too long; what hangs without computing is ended by `HUNG`.
PATIENCE = 60


class Broken(AssertionError):
    """A law is broken."""


#: Does something hostile on a ground that it may spoil; raises where a law is broken.
Trial = Callable[[Path, random.Random], None]


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    output: str
    errors: str


def command(*arguments: str) -> Ended:
    """Run the command inside this process; it must end in time, with a known code and without a traceback."""
    with in_time(arguments):
        ended = Ended(*inside(*arguments))
    lawful(ended, arguments)
    return ended


def lawful(ended: Ended, arguments: tuple[str, ...]) -> None:
    """The laws for every command, whatever is done to it."""
    if "Traceback" in ended.errors or "Traceback" in ended.output:
        raise Broken(f"{arguments}: a traceback\n{ended.errors}")
    if ended.code not in CODES:
        raise Broken(f"{arguments}: ended with {ended.code}\n{ended.errors}")
    if ended.code not in (0, 130) and not (ended.errors or ended.output):
        raise Broken(f"{arguments}: ended with {ended.code} and said nothing")


@contextmanager
def in_time(arguments: tuple[str, ...]) -> Iterator[None]:
    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise Broken(f"{arguments}: has not ended after {PATIENCE} s of computing")

    rings = signal.SIGPROF, signal.SIGALRM
    before = [signal.signal(one, ring) for one in rings]
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    left = signal.alarm(HUNG)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(left)
        for one, handler in zip(rings, before, strict=True):
            signal.signal(one, handler)


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Bytes with some of them flipped, overwritten, cut off, taken out, or none left at all."""
    changed, at = bytearray(data), chance.randrange(len(data))
    span = chance.choice((1, 2, 16, 512, 4096))
    match chance.choice(("bit", "bit", "bits", "zeros", "noise", "cut", "taken out", "nothing")):
        case "bit":
            changed[at] ^= 1 << chance.randrange(8)
        case "bits":
            for place in (chance.randrange(len(data)) for _ in range(8)):
                changed[place] ^= 1 << chance.randrange(8)
        case "zeros":
            changed[at : at + span] = bytes(len(changed[at : at + span]))
        case "noise":
            changed[at : at + span] = chance.randbytes(len(changed[at : at + span]))
        case "cut":
            del changed[at:]
        case "taken out":
            del changed[at : at + span]
        case _:
            changed.clear()
    return bytes(changed)
