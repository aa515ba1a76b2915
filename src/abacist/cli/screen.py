"""What the user sees: sentences, JSON, progress, and the standard streams that carry them.

Progress stands on standard error, once the command has shown nothing for more than a second. On a terminal
it is a line for each piece of work, with a bar where its share is known; these go when anything else is
shown. Elsewhere it is a few lines of a log. ABACIST_QUIET and --quiet turn it off.
"""

from __future__ import annotations

import io
import os
import re
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from shutil import get_terminal_size
from textwrap import fill
from typing import Any, TextIO

from rich.console import Console

from abacist.cli.interrupt import check
from abacist.progress import Progress, all_busy, busy
from abacist.wording import escape_controls, json_text


def say(sentence: str, output: bool = False) -> None:
    """Say something on standard error, or as output; a terminal would break its lines within words."""
    text, stream = escape_controls(sentence), sys.stdout if output else sys.stderr
    if stream.isatty():
        text = fill(text, get_terminal_size().columns, break_long_words=False, break_on_hyphens=False)
    print(text, file=stream, flush=output)


def warn(sentence: str) -> None:
    """Say on standard error, in the command's name, what went wrong."""
    say(f"abacist: {sentence}")


def stamped(text: str) -> str:
    """A line of a log, with the time."""
    return f"{time.strftime('%Y-%m-%d %H:%M:%S')}  {text}"


def show_json(value: Any) -> None:
    print(json_text(value, indent=2))


def terminal_width() -> int:
    """How many columns of letters there are: those of the terminal, or many where there is none."""
    return Console().width if sys.stdout.isatty() else 200


class OutputLost(OSError):
    """Standard output cannot be written to: the system's errors do not say which file they are about."""


class Output(io.TextIOWrapper):
    """Standard output in UTF-8, whose errors are `OutputLost`."""

    def __init__(self, file: io.RawIOBase, *, at_once: bool = False) -> None:
        buffer = io.BufferedWriter(file)
        super().__init__(buffer, "utf-8", "backslashreplace", line_buffering=at_once)

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError as error:
            raise OutputLost(error.errno, error.strerror) from None

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise OutputLost(error.errno, error.strerror) from None


def prepare() -> None:
    """Make the standard streams what the command expects.

    A closed one is opened so that reading or writing it is refused by the system, as it would have been:
    else the next file that is opened, such as a store, would take its place. What is said on a closed
    standard error goes nowhere.
    """
    for number, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # takes the lowest number that is free
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper | None):
        at_once = sys.stdout is None or sys.stdout.line_buffering or sys.stdout.write_through
        sys.stdout = Output(io.FileIO(1, "w", closefd=False), at_once=at_once)
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")
    if not sys.warnoptions:  # whoever asks for warnings gets them as Python shows them
        # without its place in the source, and once: a figure is laid out and then drawn
        warn_once = cache(warn)
        warnings.showwarning = lambda message, *_, **__: warn_once(f"warning: {str(message).splitlines()[0]}")


#: Seconds of silence before the first words: with the start of Python below two.
_AFTER = 1.2

#: Seconds between two looks.
_LOOK = 0.2

#: What ends a text without being seen: colours, movements and the like.
_UNSEEN = re.compile(r"(?:\x1b\[[0-9;?]*[A-Za-z]|\r)+\Z")

_lock = threading.RLock()


class Status:
    """Shows on a stream what is being done; `tick` looks whether it is time to."""

    def __init__(self, stream: TextIO, title: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._clock, self._is_terminal = stream, clock, stream.isatty()
        self._command = Progress(title=title)
        self._command.begun = self._written = clock()
        self._drawn: list[str] = []
        self._unfinished = False
        self._due: dict[Progress, float] = {}

    def tick(self) -> None:
        """Show what is being done if it is time to."""
        with _lock:
            going_on, now = all_busy() or [self._command], self._clock()
            if not going_on[-1].title:
                self.erase()
            elif self._is_terminal and not self._unfinished:
                size = get_terminal_size()
                lines = [_with_bar(one, now)[: size.columns - 1] for one in self._worth_a_line(going_on, now)]
                self._draw(lines[-size.lines + 1 :])
            elif not self._is_terminal:
                self._log(going_on, now)

    def _worth_a_line(self, going_on: list[Progress], now: float) -> list[Progress]:
        """What says how far it has come, after a second; and what began last, once all has been silent."""
        telling = [one for one in going_on if (one.share or one.text) and now - one.begun >= _AFTER]
        last = going_on[-1]
        if last in telling or now - self._written < _AFTER or (telling and now - last.begun < 1):
            return telling
        return [*telling, last]

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
        self._draw([])

    def _draw(self, lines: list[str]) -> None:
        if lines != self._drawn:
            up = f"\x1b[{len(self._drawn) - 1}A" if len(self._drawn) > 1 else ""
            self._drawn = lines
            self._write(f"\r{up}\x1b[J" + "\n".join(lines))

    def _log(self, going_on: list[Progress], now: float) -> None:
        """A line after the first silence, when something has gone on for long, and again after twice as long.

        The command's name is shown only while nothing else has been written.
        """
        first = next((one for one in going_on if one.share or one.text), going_on[-1])
        due, silent = self._due.get(first, _AFTER), not self._due and now - self._written >= _AFTER
        if not silent and now - first.begun < due:
            return
        if first is not self._command or self._written == first.begun:
            self._due[first] = max(10, 2 * int(now - first.begun))
            lines = dict.fromkeys(one.line(now) for one in (first, going_on[-1]))
            self._write(f"{stamped(escape_controls('; '.join(lines)))}\n")

    def _write(self, text: str) -> None:
        with suppress(OSError):  # nobody is there to read it
            self._stream.write(text)
            self._stream.flush()


def _with_bar(progress: Progress, now: float) -> str:
    line = escape_controls(progress.line(now))
    return f"{'█' * int(20 * progress.share):░<20} {line}" if progress.share else line


def working(title: str) -> AbstractContextManager[Progress]:
    """The progress of work that the command does, shown under a title; Ctrl-C ends the work."""
    return busy(title, lambda _progress: check())


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
    display, streams, end = Status(sys.stderr, title), (sys.stdout, sys.stderr), threading.Event()

    def look() -> None:
        while not end.wait(_LOOK):
            display.tick()

    if sys.stderr.isatty() and sys.stdout.isatty():
        sys.stdout = _Noticed(sys.stdout, display)
    sys.stderr = _Noticed(sys.stderr, display)
    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()
        display.erase()
        sys.stdout, sys.stderr = streams
