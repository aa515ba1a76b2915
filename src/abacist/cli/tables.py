"""Tables on the terminal and as files."""

from __future__ import annotations

from pathlib import Path

from abacist.cli.screen import show_table
from abacist.errors import BadInput
from abacist.files import write_whole
from abacist.report import TABLE_FORMS, Table


def check_form(form: str, what: str) -> None:
    """Refuse an unknown form."""
    if form not in ("text", *TABLE_FORMS):
        raise BadInput(f"{what} as text, {', '.join(TABLE_FORMS)}, got {form!r}")


def show(table: Table, form: str = "text") -> None:
    """Print a table: as text for people, or in one of the other forms."""
    if form != "text":
        print(TABLE_FORMS[form](table), end="")
        return
    headings = [f"{c.group.removesuffix(' set')}\n{c.heading}".strip() for c in table.columns]
    words = [h for h, c in zip(headings, table.columns, strict=True) if c.digits is None]
    show_table(headings, table.cells(), title=table.title, left=words, footer=table.note or None)


def write_tables(tables: list[Table], folder: Path) -> None:
    """Every table in every form."""
    for table in tables:
        for ending, form in TABLE_FORMS.items():
            write_whole(folder / f"{table.name}.{ending}", form(table).encode())
