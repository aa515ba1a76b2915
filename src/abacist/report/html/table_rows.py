"""A table as rows of HTML cells, equal settings of neighbouring rows said once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, takewhile

from abacist.report.run_table import NAMED
from abacist.report.tables import Column, Table

#: Columns that head one row; those of NAMED stand once for all the rows below that share their value.
_OWN = ("figures", "set")


@dataclass(frozen=True)
class RowCell:
    """A cell: its column, its text, how many rows it stands for, and whether it heads them."""

    column: Column
    text: str
    rows: int
    heads: bool


@dataclass(frozen=True)
class TableRow:
    """The cells that begin in a row, and whose figures they are: the paper's, or ours."""

    cells: tuple[RowCell, ...]
    whose: str


def groups_of(table: Table) -> list[tuple[str, list[Column]]]:
    """The groups that columns stand in: the upper line of headings."""
    return [(group, list(block)) for group, block in groupby(table.columns, lambda column: column.group)]


def blocks_of(table: Table) -> list[list[TableRow]]:
    """The rows of a table in blocks with the same first cell.

    A shared setting stands only where it changes: its cell spans the rows below that have the same
    value there and in all columns before.
    """
    texts = table.cells()
    shared = len(list(takewhile(lambda column: column.key in NAMED, table.columns)))
    rows = []
    for number, (text, values) in enumerate(zip(texts, table.rows, strict=True)):
        cells = []
        for at, column in enumerate(table.columns):
            heads = at == 0 or column.key in (*NAMED, *_OWN)
            span = 1
            if at < shared:
                same = text[: at + 1]
                if number and texts[number - 1][: at + 1] == same:
                    continue
                span = _run_length([row[: at + 1] == same for row in texts[number:]])
            cells.append(RowCell(column, text[at], span, heads))
        rows.append((text[:1] if shared else [], TableRow(tuple(cells), str(values.get("figures", "")))))
    return [[row for _, row in block] for _, block in groupby(rows, lambda item: item[0])]


def _run_length(same: list[bool]) -> int:
    """How many are true before the first that is not."""
    return (*same, False).index(False)
