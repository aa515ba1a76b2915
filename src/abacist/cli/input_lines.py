"""Words on standard input, one per line."""

from __future__ import annotations

import sys

from abacist.errors import BadInput
from abacist.files import reason
from abacist.progress import busy

#: Bytes of standard input that are read at most.
_MOST_INPUT = 50_000_000


def input_lines() -> list[str]:
    """The lines of standard input that are not empty."""
    try:
        with busy("" if sys.stdin.isatty() else "reading standard input"):
            data = sys.stdin.buffer.read(_MOST_INPUT + 1)
    except OSError as error:
        raise BadInput(f"no words are given, and standard input cannot be read, {reason(error)}") from None
    if len(data) > _MOST_INPUT:
        raise BadInput(f"standard input has more than {_MOST_INPUT:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput(f"standard input is not text in UTF-8, see line {line:,}") from None
    return [line for line in text.splitlines() if line.strip()]
