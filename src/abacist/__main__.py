"""The command, also as `python -m abacist`: a Ctrl-C while it is still being loaded ends it quietly."""

from __future__ import annotations

import os
import signal
from types import FrameType
from typing import NoReturn


def _leave(_signal: int, _frame: FrameType | None) -> NoReturn:
    os._exit(130)


def main() -> NoReturn:
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _leave)
    from abacist.cli.app import main as run

    run()


if __name__ == "__main__":
    main()
