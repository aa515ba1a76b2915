"""What the user sees: tables and JSON on standard output, progress on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from abacist.cli.plain_table import lines_of, unfolded
from abacist.json_text import json_text
from abacist.progress import busy as busy
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
    kept: int = 1,
) -> None:
    """Print a table; numbers are aligned to the right unless a column is named in `left`.

    One that is wider than the terminal is printed in parts, each with the first `kept` columns.
    """
    width = room()
    cells = [[visible(str(cell)) for cell in row] for row in rows]
    widths = _widths(columns, cells)
    many = len(cells) > _MANY_ROWS and unfolded(columns, cells)
    least = widths if many else _folded(columns, widths, left)
    if title:
        Console(width=width, highlight=False).print(Text(visible(title), style="bold"))
    for number, places in enumerate(_parts(least, width, kept)):
        if number:
            print()
        part = [columns[n] for n in places], [[row[n] for n in places] for row in cells]
        if many:
            print("\n".join(lines_of(*part, [widths[n] for n in places], left, gap=2)))
        else:
            _print_part(*part, [widths[n] for n in places], left, width)
    if footer:
        Console(width=width, highlight=False).print(Text(visible(footer)))


def _parts(widths: Sequence[int], width: int, kept: int) -> Iterator[list[int]]:
    """The places of columns that have room side by side; one that has not stands alone with the first."""
    first = list(range(kept)) if with_gaps(widths[: kept + 1]) <= width else [0]
    part = list(first)
    for place in range(len(first), len(widths)):
        if len(part) > len(first) and with_gaps([widths[n] for n in (*part, place)]) > width:
            yield part
            part = list(first)
        part.append(place)
    yield part


def _print_part(
    columns: Sequence[str],
    cells: Sequence[Sequence[str]],
    widths: Sequence[int],
    left: Sequence[str],
    width: int,
) -> None:
    """Columns that have room side by side, by Rich; better a line that the terminal breaks than a number
    cut off."""
    roomy = with_gaps(widths) <= width
    least = with_gaps(_folded(columns, widths, left))
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, int(roomy), 0, 0))
    for column, own in zip(columns, widths, strict=True):
        is_text = column in left
        table.add_column(
            Text(column),
            justify="left" if is_text else "right",
            overflow="fold",
            min_width=min(own, 16) if is_text else own,
        )
    for row in cells:
        table.add_row(*map(Text, row))
    Console(width=max(width, least), highlight=False).print(table)
