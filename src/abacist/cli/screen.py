"""What the user sees: JSON on standard output, progress on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import Progress

from abacist.activity import busy as busy
from abacist.cli.interrupt import check
from abacist.json_text import json_text


def show_json(value: Any) -> None:
    print(json_text(value, indent=2))


def room() -> int:
    """How many columns of letters there are: those of the terminal, or many where there is none."""
    return Console().width if sys.stdout.isatty() else 200


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function to be told (done, total); a bar appears on a terminal after a second."""
    begun = time.monotonic()
    bar: Any = None
    task: Any = None

    def advance(done: int, total: int) -> None:
        nonlocal bar, task
        check()
        if bar is None and sys.stderr.isatty() and time.monotonic() - begun > 1:
            bar = Progress(console=Console(stderr=True), transient=True)
            bar.start()
            task = bar.add_task(title, total=total)
        if bar is not None:
            bar.update(task, completed=done, total=total)

    try:
        with busy(title):
            yield advance
    finally:
        if bar is not None:
            bar.stop()
