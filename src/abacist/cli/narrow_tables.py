"""A table that is too wide for a terminal, as several that are not."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from rich.console import Console

from abacist.report import Column, Table
from abacist.wording import visible

#: How wide lines are where there is no terminal.
_NO_TERMINAL = 200

#: Characters between two columns.
_GAP = 2


def terminal_width() -> int:
    """How many characters a line of standard output has room for."""
    return Console().width if sys.stdout.isatty() else _NO_TERMINAL


def narrowed(table: Table, width: int, kept: int) -> list[Table]:
    """The columns of a table in their order, in tables no wider than a line; the first `kept` are in each.

    Columns of one group stay together where a line has room for them. A column that is too wide by itself
    gets a table of its own. The title is the first one's, the note the last one's.
    """
    cells = table.cells()
    widths = [_width(column, [row[n] for row in cells]) for n, column in enumerate(table.columns)]
    first, room = table.columns[:kept], width + _GAP - sum(widths[:kept])
    parts: list[list[Column]] = [[]]
    used = 0
    for _, group in groupby(range(kept, len(widths)), key=lambda n: table.columns[n].group or n):
        numbers = list(group)
        whole = sum(widths[n] for n in numbers)
        for n in numbers:
            needed = whole if n == numbers[0] and whole <= room else widths[n]
            if parts[-1] and used + needed > room:
                parts.append([])
                used = 0
            parts[-1].append(table.columns[n])
            used += widths[n]
    last = len(parts) - 1
    return [
        replace(
            table,
            columns=(*first, *part),
            title=table.title if n == 0 else "",
            note=table.note if n == last else "",
        )
        for n, part in enumerate(parts)
    ]


def as_records(table: Table, width: int) -> Iterator[str]:
    """The lines of a table of long texts: every row by itself, a column under the other."""
    headings = [visible(heading) for heading in table.headings()]
    margin = max(map(len, headings), default=0) + _GAP
    yield from textwrap.wrap(visible(table.title), width)
    for row in table.cells():
        yield ""
        for heading, cell in zip(headings, row, strict=True):
            lines = textwrap.wrap(visible(cell), max(width - margin, 10)) or [""]
            yield f"{heading:<{margin}}{lines[0]}".rstrip()
            yield from (" " * margin + line for line in lines[1:])
    if table.note:
        yield ""
        yield from textwrap.wrap(visible(table.note), width)


def _width(column: Column, cells: list[str]) -> int:
    """The characters of a column with those between it and the next."""
    return _GAP + max(map(len, (column.heading, column.group.removesuffix(" set"), *cells)))
