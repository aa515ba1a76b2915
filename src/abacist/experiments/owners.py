"""Owners of claims: which process works on a run, and whether a claim still counts."""

from __future__ import annotations

import math
import os
import socket
import time
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

#: Seconds after which a claim that nobody renews is void.
CLAIM_SECONDS = 60.0


@dataclass(frozen=True)
class Owner:
    """A process, and something in it that works on a store.

    `started` is when the process began, in the kernel's own count: a later one may have its number.
    It is empty where the system does not tell.
    """

    host: str
    process: int
    started: str
    name: str

    @classmethod
    def here(cls) -> Owner:
        """A new owner in this process."""
        return cls(socket.gethostname(), os.getpid(), _started(os.getpid()), uuid4().hex[:8])

    @classmethod
    def parse(cls, text: object) -> Owner | None:
        """The inverse of `str`; None for anything else."""
        if not isinstance(text, str):
            return None
        host, *parts = text.rsplit(":", 3)
        if len(parts) != 3 or not (parts[0].isascii() and parts[0].isdigit()) or int(parts[0][:20]) < 1:
            return None
        return cls(host, int(parts[0][:20]), parts[1], parts[2])

    def __str__(self) -> str:
        return f"{self.host}:{self.process}:{self.started}:{self.name}"

    @property
    def gone(self) -> bool:
        """Whether the process is known to have ended."""
        if self.host != socket.gethostname():
            return False
        try:
            os.kill(self.process, 0)
        except (ProcessLookupError, OverflowError):
            return True
        except OSError:  # it is there, and belongs to someone else
            pass
        now = _started(self.process)
        return bool(self.started and now) and self.started != now


def is_void(owner: object, renewed: object) -> bool:
    """Whether a claim does not count: it is odd, its owner is gone, or its date is too far from now.

    A date in the future is one of another clock, and would count for as long as that clock is ahead.
    """
    known = Owner.parse(owner)
    if known is None or not isinstance(renewed, float) or not math.isfinite(renewed):
        return True
    return known.gone or abs(time.time() - renewed) > CLAIM_SECONDS


def _started(process: int) -> str:
    """When a process began, in ticks since the machine did; empty where nobody knows."""
    try:
        stat = Path(f"/proc/{process}/stat").read_bytes()
    except OSError:
        return ""
    fields = stat.rpartition(b")")[2].split()  # the name before it may have blanks and brackets
    return fields[19].decode() if len(fields) > 19 else ""
