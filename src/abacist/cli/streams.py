"""The standard streams: in UTF-8 whatever the locale says, and there even where they were closed."""

from __future__ import annotations

import errno
import io
import os
import sys
import warnings
from functools import cache
from typing import Any

from abacist.cli.saying import warn


class OutputLost(OSError):
    """Standard output cannot be written to: the system's errors do not say which file they are about."""


class _Watched(io.RawIOBase):
    """Standard output, whose errors are known as such."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        self._stream = stream  # it would close its file once nobody has it
        self._raw: Any = getattr(stream.buffer, "raw", stream.buffer)
        self.fileno, self.isatty = stream.fileno, stream.isatty  # type: ignore[method-assign]

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        try:
            written: int | None = self._raw.write(data)
        except OSError as error:
            raise OutputLost(error.errno, error.strerror) from None
        if written is None:
            raise OutputLost(errno.EAGAIN, os.strerror(errno.EAGAIN))
        return written


def watched(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    """What writes to the same place as a stream, in UTF-8, and whose errors are `OutputLost`."""
    buffer = io.BufferedWriter(_Watched(stream))
    at_once = stream.line_buffering or stream.write_through
    return io.TextIOWrapper(buffer, "utf-8", "backslashreplace", line_buffering=at_once)


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
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = watched(sys.stdout)
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")
    if not sys.warnoptions:  # whoever asks for warnings gets them as Python shows them
        warnings.showwarning = _show


def _show(message: Warning | str, *_: Any, **__: Any) -> None:
    """One sentence, without the place in the source that it comes from."""
    _say_once(f"warning: {str(message).splitlines()[0]}")


@cache
def _say_once(sentence: str) -> None:
    """A figure that is laid out and then drawn finds the same fault in both."""
    warn(sentence)
