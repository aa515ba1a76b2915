"""The standard streams: in UTF-8 whatever the locale says, and there even where they were closed."""

from __future__ import annotations

import os
import sys
import warnings
from functools import cache
from typing import Any

from abacist.cli.saying import warn


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
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if not sys.warnoptions:  # whoever asks for warnings gets them as Python shows them
        warnings.showwarning = _show


def _show(message: Warning | str, *_: Any, **__: Any) -> None:
    """One sentence, without the place in the source that it comes from."""
    _say_once(f"warning: {str(message).splitlines()[0]}")


@cache
def _say_once(sentence: str) -> None:
    """A figure that is laid out and then drawn finds the same fault in both."""
    warn(sentence)
