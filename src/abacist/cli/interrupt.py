"""Ctrl-C, also where Python would swallow it.

An exception that is raised while an object is being disposed of goes nowhere. So a Ctrl-C is
noted as well as raised, and long work asks from time to time.
"""

from __future__ import annotations

import signal
from types import FrameType

_seen = False


def watch() -> None:
    """Note every Ctrl-C from now on, unless it is to be ignored, as in a job in the background."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _note)


def _note(_signal: int, _frame: FrameType | None) -> None:
    global _seen
    _seen = True
    raise KeyboardInterrupt


def check() -> None:
    """Raise what was swallowed."""
    if _seen:
        raise KeyboardInterrupt
