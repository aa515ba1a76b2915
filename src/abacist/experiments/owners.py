"""Owners of claims: which process works on a run, and whether a claim still counts."""

from __future__ import annotations

import math
import os
import re
import socket
import time
from pathlib import Path
from uuid import uuid4

#: Seconds after which a claim that nobody renews is void.
CLAIM_SECONDS = 60.0

#: A host, the number of a process there, when it began, and what in it works on a store. A later process may
#: have the same number, but began at another time, which is empty where the system does not tell.
_OWNER = re.compile(r"(.*):(0*[1-9][0-9]*):([^:]*):[^:]*", re.DOTALL)


def new_owner() -> str:
    """A new owner in this process."""
    return f"{socket.gethostname()}:{os.getpid()}:{_started(os.getpid())}:{uuid4().hex[:8]}"


def is_void(owner: object, renewed: object) -> bool:
    """Whether a claim does not count: it is odd, its owner is gone, or its date is too far from now.

    A date in the future is one of another clock, and would count for as long as that clock is ahead.
    """
    parts = _OWNER.fullmatch(owner) if isinstance(owner, str) else None
    if parts is None or not isinstance(renewed, float) or not math.isfinite(renewed):
        return True
    host, process, started = parts.groups()
    gone = host == socket.gethostname() and _has_ended(int(process[:20]), started)
    return gone or abs(time.time() - renewed) > CLAIM_SECONDS


def _has_ended(process: int, started: str) -> bool:
    """Whether a process of this machine, which began at a time, is known to have ended."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:  # it is there, and belongs to someone else
        pass
    now = _started(process)
    return bool(started and now) and started != now


def _started(process: int) -> str:
    """When a process began, in ticks since the machine did; empty where nobody knows."""
    try:
        stat = Path(f"/proc/{process}/stat").read_bytes()
    except OSError:
        return ""
    fields = stat.rpartition(b")")[2].split()  # the name before it may have blanks and brackets
    return fields[19].decode() if len(fields) > 19 else ""
