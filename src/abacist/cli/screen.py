"""What the user sees: tables and JSON on standard output, progress on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from abacist.activity import busy as busy
from abacist.cli.interrupt import check
from abacist.cli.plain_table import lines_of, unfolded
from abacist.json_text import json_text
from abacist.wording import visible

#: Rows beyond which Rich takes longer than people like to wait.
_MANY_ROWS = 200


def show_json(value: Any) -> None:
    print(json_text(value, indent=2))


def room() -> int:
    """How many columns of letters there are: those of the terminal, or many where there is none."""
    return Console().width if sys.stdout.isatty() else 200


def least_widths(columns: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[str]) -> list[int]:
    """How wide columns are at least: texts in a column named in `left` may be folded, numbers may not."""
    return _folded(columns, _widths(columns, rows), left)


def _folded(columns: Sequence[str], widths: Sequence[int], left: Sequence[str]) -> list[int]:
    return [min(w, 16) if c in left else w for c, w in zip(columns, widths, strict=True)]


def with_gaps(widths: Sequence[int]) -> int:
    """Columns side by side, two blanks between them."""
    return sum(widths) + 2 * max(len(widths) - 1, 0)


def _widths(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """The longest line of every column, its heading included."""
    cells = list(zip(*rows, strict=True)) or [()] * len(columns)
    return [max(map(len, _lines((heading, *own)))) for heading, own in zip(columns, cells, strict=True)]


def _lines(texts: Sequence[str]) -> Iterator[str]:
    for text in texts:
        if "\n" in text:
            yield from text.split("\n")
        else:
            yield text


def show_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    title: str | None = None,
    left: Sequence[str] = (),
    footer: str | None = None,
) -> None:
    """Print a table; numbers are aligned to the right unless a column is named in `left`."""
    console = Console(width=room(), highlight=False)
    cells = [[visible(str(cell)) for cell in row] for row in rows]
    title, footer = visible(title or ""), visible(footer or "")
    widths = _widths(columns, cells)
    roomy = with_gaps(widths) <= console.width
    least = with_gaps(_folded(columns, widths, left))
    if roomy and len(cells) > _MANY_ROWS and unfolded(columns, cells):
        if title:
            console.print(Text(title, style="bold"))
        print("\n".join(lines_of(columns, cells, widths, left, gap=2)))
        if footer:
            console.print(Text(footer))
        return
    if least > console.width:  # better a line that the terminal breaks than a number cut off
        console = Console(width=least, highlight=False)
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, int(roomy), 0, 0))
    for column, width in zip(columns, widths, strict=True):
        is_text = column in left
        table.add_column(
            Text(column),
            justify="left" if is_text else "right",
            overflow="fold",
            min_width=min(width, 16) if is_text else width,
        )
    for row in cells:
        table.add_row(*map(Text, row))
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
