"""Tables on the terminal: one printer, which folds or parts those that are too wide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from abacist.cli.screen import say, terminal_width
from abacist.report import TABLE_FORMS, Column, Table
from abacist.wording import escape_controls

#: Columns that go by their keys.
_OURS = ("language", "cell", "hidden")

#: Blanks between two columns, letters that a column of texts may be folded to, and letters of a cell beyond
#: which a row that is too wide is better read by itself.
_GAP, _FOLDED, _LONG = 2, 16, 40


def show_rows(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    title: str | None = None,
    left: Sequence[str] = (),
    footer: str | None = None,
    kept: int = 1,
) -> None:
    """Print rows as a table: None is missing, and columns that `left` does not name stand to the right."""
    declared = tuple(
        Column(str(n), heading, "", None if heading in left else 0) for n, heading in enumerate(columns)
    )
    cells = tuple({str(n): "—" if c is None else str(c) for n, c in enumerate(row)} for row in rows)
    show_table(Table("", title or "", declared, cells, footer or ""), kept=kept)


def show_table(table: Table, form: str = "text", *, kept: int | None = None, whole: bool = True) -> None:
    """Print a table: as text for people, or in one of the other forms.

    Texts of what is too wide are folded; else it is printed in parts, each with the first `kept` columns, by
    default those that name a row, and only the first part if not the `whole` is asked for; a table of long
    texts row by row.
    """
    if form != "text":
        print(TABLE_FORMS["tex" if form == "latex" else form](table), end="")
        return
    table, width = visible(table), terminal_width()
    if not whole and _with_gaps(_least(table, _widths(table)).values()) > width:
        first = replace(narrowed(table, width, kept or 1)[0], note=table.note)
        hidden = [column.heading for column in table.columns if column not in first.columns]
        say(f"columns hidden (narrow terminal): {', '.join(hidden)}")
        table = first
    console = Console(width=width, highlight=False)
    for line in table_lines(table, width, kept):
        print(line) if isinstance(line, str) else console.print(line, soft_wrap=True)


def table_lines(table: Table, width: int, kept: int | None = None) -> Iterator[str | Text]:
    """The lines of a table, its title and headings bold; `show_table` says how a wide one is laid out."""
    natural = _widths(table)
    least = _least(table, natural)
    fits = _with_gaps(least.values()) <= width
    parts = [table] if fits else narrowed(table, width, kept or _naming(table, least, width))
    if len(parts) > 1 and any(c.digits is None and natural[c.key] > _LONG for c in table.columns):
        yield from as_records(table, width)
        return
    for number, part in enumerate(parts):
        yield from [""] if number else []
        yield from _side_by_side(part, natural, width)


def visible(table: Table) -> Table:
    """A table as a terminal may show it, all of it texts.

    Columns go by the names that conditions and files have for the same things: tables that stand beside the
    paper's call them in its words, task, model and units.
    """
    columns = []
    for column in table.columns:
        heading = column.key if column.key in _OURS else escape_controls(column.heading)
        columns.append(replace(column, heading=heading, group=escape_controls(column.group)))
    keys = [column.key for column in columns]
    rows = tuple(dict(zip(keys, map(escape_controls, row), strict=True)) for row in table.cells())
    return Table(table.name, escape_controls(table.title), tuple(columns), rows, escape_controls(table.note))


def narrowed(table: Table, width: int, kept: int) -> list[Table]:
    """The columns of a table in their order, in tables no wider than a line; the first `kept` are in each.

    A column that is too wide by itself gets a table of its own. The title is the first one's, the note the
    last one's.
    """
    widths = [least + _GAP for least in _least(table, _widths(table)).values()]
    first, free = table.columns[:kept], width + _GAP - sum(widths[:kept])
    parts: list[list[Column]] = [[]]
    used = 0
    for column, wide in zip(table.columns[kept:], widths[kept:], strict=True):
        if parts[-1] and used + wide > free:
            parts.append([])
            used = 0
        parts[-1].append(column)
        used += wide
    narrow = [replace(table, columns=(*first, *part), title="", note="") for part in parts]
    narrow[0] = replace(narrow[0], title=table.title)
    narrow[-1] = replace(narrow[-1], note=table.note)
    return narrow


def as_records(table: Table, width: int) -> Iterator[str]:
    """The lines of a table of long texts: every row by itself, a column under the other."""
    headings = table.headings()
    margin = max(map(cell_len, headings), default=0) + _GAP
    yield from _folded(table.title, width)
    for row in table.cells():
        yield ""
        for heading, cell in zip(headings, row, strict=True):
            lines = _folded(cell, max(width - margin, 10))
            yield f"{heading:<{margin}}{lines[0]}".rstrip()
            yield from (" " * margin + line for line in lines[1:])
    if table.note:
        yield ""
        yield from _folded(table.note, width)


def _side_by_side(table: Table, natural: Mapping[str, int], width: int) -> Iterator[str | Text]:
    """Lines of columns side by side; better a line that the terminal breaks than a number cut off."""
    widths = [natural[column.key] for column in table.columns]
    texts = [column.digits is None for column in table.columns]
    while _with_gaps(widths) > width:
        foldable = [(wide, n) for n, wide in enumerate(widths) if texts[n] and wide > _FOLDED]
        if not foldable:
            break
        widths[max(foldable)[1]] -= 1

    def folded(cells: Iterable[str]) -> list[list[str]]:
        return [_folded(cell, wide) for cell, wide in zip(cells, widths, strict=True)]

    yield from (Text(line, style="bold") for line in _folded(table.title, width) if line)
    headings = folded(_headings(table))
    height = max(map(len, headings), default=0)
    for heading in zip(*([""] * (height - len(lines)) + lines for lines in headings), strict=True):
        yield Text(_line(heading, widths, texts), style="bold")
    yield "─" * _with_gaps(widths)
    for row in table.cells():
        for cells in zip_longest(*folded(row), fillvalue=""):
            yield _line(cells, widths, texts)
    yield from (line for line in _folded(table.note, width) if line)


def _line(cells: Iterable[str], widths: Sequence[int], texts: Sequence[bool]) -> str:
    """Texts side by side, numbers to the right of their columns."""
    padded = []
    for cell, width, text in zip(cells, widths, texts, strict=True):
        blanks = " " * (width - cell_len(cell))
        padded.append(cell + blanks if text else blanks + cell)
    return (" " * _GAP).join(padded)


def _folded(text: str, width: int) -> list[str]:
    """A text in lines no wider than that."""
    if "\n" not in text and cell_len(text) <= width:
        return [text]
    return [line.plain.rstrip() for line in Text(text).wrap(Console(), width, overflow="fold")]


def _headings(table: Table) -> list[str]:
    return [f"{c.group.removesuffix(' set')}\n{c.heading}".strip() for c in table.columns]


def _widths(table: Table) -> dict[str, int]:
    """The longest line of every column, its heading included, by its key."""
    columns = zip(_headings(table), *table.cells(), strict=True)
    return {
        column.key: max(map(cell_len, "\n".join(cells).split("\n")))
        for column, cells in zip(table.columns, columns, strict=True)
    }


def _least(table: Table, natural: Mapping[str, int]) -> dict[str, int]:
    """How wide columns are at least: texts may be folded, numbers may not."""
    return {
        c.key: min(natural[c.key], _FOLDED if c.digits is None else natural[c.key]) for c in table.columns
    }


def _with_gaps(widths: Iterable[int]) -> int:
    """How wide columns are side by side."""
    return max(sum(width + _GAP for width in widths) - _GAP, 0)


def _naming(table: Table, least: Mapping[str, int], width: int) -> int:
    """How many columns name a row: all before the first with numbers, if any other fits beside them."""
    numbers, widths = [column.digits is not None for column in table.columns], list(least.values())
    count = numbers.index(True) if True in numbers else 1
    fits = all(_with_gaps((*widths[:count], other)) <= width for other in widths[count:])
    return count if count and fits else 1
