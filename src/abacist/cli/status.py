"""What a command is doing, on standard error, once it has shown nothing for more than a second.

On a terminal it is one line, which goes when anything else is shown; elsewhere a few lines of a log.
ABACIST_QUIET and --quiet turn it off.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from shutil import get_terminal_size
from typing import Any, TextIO

from abacist.activity import Activity, activity
from abacist.cli.saying import stamped
from abacist.wording import visible

#: Seconds of silence before the first words: with the start of Python below two.
_AFTER = 1.2

#: Seconds between two looks.
_LOOK = 0.2

#: What ends a text without being seen: colours, movements and the like.
_UNSEEN = re.compile(r"(?:\x1b\[[0-9;?]*[A-Za-z]|\r)+\Z")

_lock = threading.RLock()
if hasattr(os, "register_at_fork"):  # no copy of this process is made while a line is half written
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


class Status:
    """Shows on a stream what is being done; `tick` looks whether it is time to."""

    def __init__(self, stream: TextIO, title: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._clock, self._is_terminal = stream, clock, stream.isatty()
        self._command = Activity(title, clock())
        self._written, self._drawn, self._unfinished = self._command.begun, "", False
        self._due: dict[Activity, float] = {}

    def tick(self) -> None:
        """Show what is being done if it is time to."""
        with _lock:
            current, now = activity() or self._command, self._clock()
            if not current.title:
                self.erase()
            elif not self._is_terminal:
                self._log(current, now)
            elif now - self._written >= _AFTER and not self._unfinished:
                self._draw(visible(current.after(now))[: get_terminal_size().columns - 1])

    def writing(self, text: str) -> None:
        """Somebody is about to write a text."""
        if not text:  # as `print` does at the end of what has no end
            return
        self.erase()
        self._written = self._clock()
        seen = _UNSEEN.sub("", text)
        self._unfinished = bool(seen) and not seen.endswith("\n")

    def erase(self) -> None:
        """Show nothing any more."""
        self._draw("")

    def _draw(self, line: str) -> None:
        if line != self._drawn:
            self._drawn = line
            self._show(f"\r\x1b[2K{line}")

    def _log(self, current: Activity, now: float) -> None:
        """A line after the first silence, when something has gone on for long, and again after twice as long.

        The command's name is shown only while nothing else has been written.
        """
        silent = not self._due and now - self._written >= _AFTER
        if not silent and now - current.begun < self._due.get(current, _AFTER):
            return
        if current is not self._command or self._written == current.begun:
            self._due[current] = max(10, 2 * int(now - current.begun))
            self._show(f"{stamped(visible(current.after(now)))}\n")

    def _show(self, text: str) -> None:
        with suppress(OSError):  # nobody is there to read it
            self._stream.write(text)
            self._stream.flush()


class _Noticed:
    """A stream whose texts a status makes way for."""

    def __init__(self, stream: TextIO, status: Status) -> None:
        self._stream, self._status = stream, status

    def write(self, text: str) -> int:
        with _lock:
            self._status.writing(text)
            return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def status(title: str) -> Iterator[None]:
    """Show meanwhile what is being done, and at first a title."""
    if os.environ.get("ABACIST_QUIET") or not {"-q", "--quiet"}.isdisjoint(sys.argv):
        yield  # options are read much later
        return
    shown, streams, end = Status(sys.stderr, title), (sys.stdout, sys.stderr), threading.Event()

    def look() -> None:
        while not end.wait(_LOOK):
            shown.tick()

    if sys.stderr.isatty() and sys.stdout.isatty():
        sys.stdout = _Noticed(sys.stdout, shown)
    sys.stderr = _Noticed(sys.stderr, shown)
    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()
        shown.erase()
        sys.stdout, sys.stderr = streams
