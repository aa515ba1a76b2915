"""Tables on the terminal and as files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from abacist.cli.narrow_tables import as_records, narrowed
from abacist.cli.saying import say
from abacist.cli.screen import least_widths, room, show_table, with_gaps
from abacist.errors import BadInput
from abacist.files import write_whole
from abacist.report import TABLE_FORMS, Table

#: Columns that go by their keys.
_OURS = ("language", "cell", "hidden")


def check_form(form: str, what: str) -> None:
    """Refuse an unknown form."""
    if form not in ("text", *TABLE_FORMS):
        raise BadInput(f"{what} as text, {', '.join(TABLE_FORMS)}, got {form!r}")


def show(table: Table, form: str = "text", *, spare: Sequence[str] = (), kept: int | None = None) -> None:
    """Print a table: as text for people, or in one of the other forms.

    `spare` are the keys of columns that a narrow terminal may do without, the first of them first. What is
    then still too wide is printed in parts, each with the first `kept` columns, by default those that name
    a row.
    """
    if form != "text":
        print(TABLE_FORMS[form](table), end="")
        return
    table, left_out = in_our_words(table), []
    widths = _least_widths(table)
    for key in spare:
        if _has_room(widths.values()):
            break
        left_out += [
            f"{column.group} {column.heading}".strip() for column in table.columns if column.key == key
        ]
        widths.pop(key, None)
    table = replace(table, columns=tuple(column for column in table.columns if column.key in widths))
    parts = [table]
    if not _has_room(widths.values()):
        parts = narrowed(table, room(), kept or _naming(table, widths))
    in_room = all(_has_room(widths[column.key] for column in part.columns) for part in parts)
    if in_room and (len(parts) == 1 or len(_texts(table)) < len(table.columns)):
        for part in parts:
            _show_part(part)
    else:  # of texts, such as claims, or with a column that is too wide by itself
        print("\n".join(as_records(table, room())))
    if left_out:
        say(f"left out for want of room: {', '.join(left_out)}")


def _show_part(table: Table) -> None:
    show_table(
        _headings(table),
        table.cells(),
        title=table.title,
        left=_texts(table),
        footer=table.note or None,
    )


def in_our_words(table: Table) -> Table:
    """A table whose columns go by the names that conditions and files have for the same things.

    Tables that stand beside the paper's call them in its words: task, model and units.
    """
    columns = tuple(replace(c, heading=c.key) if c.key in _OURS else c for c in table.columns)
    return replace(table, columns=columns)


def _least_widths(table: Table) -> dict[str, int]:
    """The least width of every column, by its key."""
    widths = least_widths(_headings(table), table.cells(), _texts(table))
    return {column.key: width for column, width in zip(table.columns, widths, strict=True)}


def _has_room(widths: Iterable[int]) -> bool:
    return with_gaps(list(widths)) <= room()


def _naming(table: Table, widths: dict[str, int]) -> int:
    """How many columns name a row: all before the first with numbers, if any other has room beside them."""
    numbers = [column.digits is not None for column in table.columns]
    count = numbers.index(True) if True in numbers else 1
    first, others = list(widths.values())[:count], list(widths.values())[count:]
    return count if count and all(_has_room((*first, width)) for width in others) else 1


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
