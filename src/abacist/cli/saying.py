"""Sentences on standard error; what others have written, such as a file's name, cannot do anything there."""

from __future__ import annotations

import sys
import time
from shutil import get_terminal_size
from textwrap import fill

from abacist.wording import escape_controls


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
