"""Tables on the terminal and as files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from abacist.cli.saying import say
from abacist.cli.screen import least_width, room, show_table
from abacist.errors import BadInput
from abacist.files import write_whole
from abacist.report import TABLE_FORMS, Table


def check_form(form: str, what: str) -> None:
    """Refuse an unknown form."""
    if form not in ("text", *TABLE_FORMS):
        raise BadInput(f"{what} as text, {', '.join(TABLE_FORMS)}, got {form!r}")


def show(table: Table, form: str = "text", *, spare: Sequence[str] = ()) -> None:
    """Print a table: as text for people, or in one of the other forms.

    `spare` are the keys of columns that a narrow terminal may do without, the first of them first.
    """
    if form != "text":
        print(TABLE_FORMS[form](table), end="")
        return
    left_out = []
    for key in spare:
        if least_width(_headings(table), table.cells(), _texts(table)) <= room():
            break
        left_out += [
            f"{column.group} {column.heading}".strip() for column in table.columns if column.key == key
        ]
        table = replace(table, columns=tuple(column for column in table.columns if column.key != key))
    show_table(
        _headings(table),
        table.cells(),
        title=table.title,
        left=_texts(table),
        footer=table.note or None,
    )
    if left_out:
        say(f"left out for want of room: {', '.join(left_out)}")


def _headings(table: Table) -> list[str]:
    return [f"{c.group.removesuffix(' set')}\n{c.heading}".strip() for c in table.columns]


def _texts(table: Table) -> list[str]:
    """The headings of columns without numbers."""
    return [h for h, c in zip(_headings(table), table.columns, strict=True) if c.digits is None]


def write_tables(tables: list[Table], folder: Path) -> None:
    """Every table in every form."""
    for table in tables:
        for ending, form in TABLE_FORMS.items():
            write_whole(folder / f"{table.name}.{ending}", form(table).encode())
