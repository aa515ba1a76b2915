"""What the user sees: tables and JSON on standard output, progress on standard error."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any


def show_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))


def show_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    title: str | None = None,
    left: Sequence[str] = (),
    footer: str | None = None,
) -> None:
    """Print a table; numbers are aligned to the right unless a column is named in `left`."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(Text(column), justify="left" if column in left else "right", overflow="fold")
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    console = Console(width=None if sys.stdout.isatty() else 200, highlight=False)
    if title:
        console.print(Text(title, style="bold"))
    console.print(table)
    if footer:
        console.print(Text(footer))


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function to be told (done, total); a bar appears on a terminal after a second."""
    begun = time.monotonic()
    bar: Any = None
    task: Any = None

    def advance(done: int, total: int) -> None:
        nonlocal bar, task
        if bar is None and sys.stderr.isatty() and time.monotonic() - begun > 1:
            from rich.console import Console
            from rich.progress import Progress

            bar = Progress(console=Console(stderr=True), transient=True)
            bar.start()
            task = bar.add_task(title, total=total)
        if bar is not None:
            bar.update(task, completed=done, total=total)

    try:
        yield advance
    finally:
        if bar is not None:
            bar.stop()
