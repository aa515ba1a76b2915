"""Tables and pictures as markup: rows of cells; drawings with ids of their own, or images of large ones."""

from __future__ import annotations

import base64
import re
import struct
from itertools import groupby, takewhile

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from abacist.errors import AbacistError
from abacist.report.figures import Picture, draw_picture
from abacist.report.run_table import NAMED
from abacist.report.tables import Column, Table

#: Bytes of a drawing beyond which a page takes an image instead.
LARGEST_DRAWING = 400_000

_DOTS_PER_INCH = 200
_PIXELS_PER_INCH = 96


def template(folder: str, name: str) -> Template:
    """The template of a page, in a folder of this package; where it lacks a value, that is an error."""
    environment = Environment(
        loader=PackageLoader("abacist.report", folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(name)


def blocks_of(table: Table) -> list[list[tuple[str, list[tuple[Column, str, int]]]]]:
    """The rows of a table in blocks with the same first cell: whose figures they are, and their cells.

    A cell is its column, its text, and how many rows it stands for. A shared setting stands only where it
    changes: its cell spans the rows below that have the same value there and in all columns before.
    """
    texts = table.cells()
    shared = len(list(takewhile(lambda column: column.key in NAMED, table.columns)))

    def span(row: int, at: int) -> int:
        alike = [text[: at + 1] == texts[row][: at + 1] for text in texts]
        return 0 if row and alike[row - 1] else (*alike[row:], False).index(False)

    rows = []
    for row, (values, text) in enumerate(zip(table.rows, texts, strict=True)):
        spans = [span(row, at) if at < shared else 1 for at in range(len(text))]
        cells = [cell for cell in zip(table.columns, text, spans, strict=True) if cell[2]]
        rows.append((text[:1] if shared else [], (str(values.get("figures", "")), cells)))
    return [[row for _, row in block] for _, block in groupby(rows, lambda item: item[0])]


def markup_of(picture: Picture) -> Markup | AbacistError:
    """A picture as markup for a page, or why it could not be drawn; the same one gives the same text."""
    drawn = draw_picture(picture, ("svg",))
    if isinstance(drawn, AbacistError):
        return drawn
    markup = _as_element(drawn[0].decode(), picture.name, picture.title)
    if len(markup.encode()) <= LARGEST_DRAWING:
        return markup
    drawn = draw_picture(picture, ("png",))
    return drawn if isinstance(drawn, AbacistError) else _image(drawn[0], picture.title)


def _as_element(text: str, name: str, title: str) -> Markup:
    """An SVG file as an element of a page: no header, no rules for the whole page, its own ids.

    Namespaces are left out, which HTML supplies, and so the text names no address at all.
    """
    text = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", text, flags=re.DOTALL)
    match = re.search(r"<svg\b([^>]*)>(.*)</svg>", text, re.DOTALL)
    assert match is not None
    attributes = dict(re.findall(r'([\w:]+)="([^"]*)"', match[1]))
    content = re.sub(r'\bid="', f'id="{name}-', match[2])
    content = re.sub(r'(?:xlink:)?href="#', f'href="#{name}-', content)
    content = content.replace("xlink:href", "href").replace("url(#", f"url(#{name}-")
    content = re.sub(r"<defs>\s*</defs>|(?<=>)\s+(?=<)", "", content)
    _, _, width, height = (float(number) for number in attributes["viewBox"].split())
    points = 72 / _PIXELS_PER_INCH
    return Markup('<svg viewBox="{}" width="{}" height="{}" role="img" aria-label="{}">{}</svg>').format(
        attributes["viewBox"], round(width / points), round(height / points), title, Markup(content)
    )


def _image(image: bytes, title: str) -> Markup:
    dots = struct.unpack(">II", image[16:24])  # where a PNG has its width and height
    width, height = (round(number * _PIXELS_PER_INCH / _DOTS_PER_INCH) for number in dots)
    return Markup('<img src="data:image/png;base64,{}" width="{}" height="{}" alt="{}">').format(
        base64.b64encode(image).decode(), width, height, title
    )
