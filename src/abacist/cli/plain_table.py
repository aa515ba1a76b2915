"""Tables in which nothing is folded, laid out as Rich does, but thousands of rows at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len


def unfolded(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether all cells are single lines of letters as wide as one column of the terminal."""
    return all(
        text.isascii() or cell_len(text) == len(text) for row in (columns, *rows) for text in row
    ) and not any("\n" in text or "\t" in text for row in rows for text in row)


def lines_of(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    widths: Sequence[int],
    left: Sequence[str],
    gap: int,
) -> Iterator[str]:
    """The lines of a table: the headings, which may have several each, a rule, and a line for every row."""
    headings = [column.split("\n") for column in columns]
    height = max((len(heading) for heading in headings), default=0)
    form = (" " * gap).join(
        f"{{:{'<' if column in left else '>'}{width}}}" for column, width in zip(columns, widths, strict=True)
    )
    for line in zip(*([""] * (height - len(heading)) + heading for heading in headings), strict=True):
        yield form.format(*line)
    yield "─" * (sum(widths) + gap * (len(widths) - 1))
    for row in rows:
        yield form.format(*row)
