"""The command, also as `python -m abacist`: a Ctrl-C while it is still being loaded ends it quietly."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import NoReturn


def _leave(_signal: int, _frame: FrameType | None) -> NoReturn:
    os._exit(130)


def _in_utf_8() -> None:
    """Begin anew in Python's UTF-8 mode where the locale would have names and words read as anything else."""
    if sys.getfilesystemencoding() != "utf-8" and not sys.flags.utf8_mode:
        with suppress(OSError, ValueError):  # else what is no ASCII is shown as well as it can be
            os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


def main() -> NoReturn:
    _in_utf_8()
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _leave)
    from abacist.cli.app import main as run

    try:
        run()
    finally:  # a Ctrl-C while Python takes its leave changes nothing any more
        signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    main()
