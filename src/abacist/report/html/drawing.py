"""Pictures as a part of a page: drawings with names of their own, or, where these grow large, images."""

from __future__ import annotations

import base64
import re
import struct
from collections.abc import Sequence

from markupsafe import Markup

from abacist.errors import AbacistError
from abacist.progress import Progress
from abacist.report.figures import Drawing, Picture

#: Bytes of a drawing beyond which a page takes an image instead.
LARGEST_DRAWING = 400_000

_DOTS_PER_INCH = 200
_PIXELS_PER_INCH = 96


def on_a_page(
    pictures: Sequence[Picture], drawing: Drawing, progress: Progress | None = None
) -> list[Markup | AbacistError]:
    """Pictures as markup for a page, or why one could not be drawn; the same ones give the same text."""
    found: list[Markup | AbacistError] = []
    for number, (picture, drawn) in enumerate(zip(pictures, drawing(pictures, ("svg",)), strict=True), 1):
        if progress is not None:
            progress(number / len(pictures))
        if isinstance(drawn, AbacistError):
            found.append(drawn)
        else:
            found.append(as_part(drawn[0].decode(), picture.name, picture.title))
    large = [number for number, markup in enumerate(found) if _is_large(markup)]
    again = drawing([pictures[number] for number in large], ("svg", "png"))
    for number, drawn in zip(large, again, strict=True):
        if isinstance(drawn, AbacistError):
            found[number] = drawn
        else:
            found[number] = _image(drawn[1], pictures[number].title)
    return found


def _is_large(markup: Markup | AbacistError) -> bool:
    return isinstance(markup, Markup) and len(markup.encode()) > LARGEST_DRAWING


def as_part(text: str, name: str, title: str) -> Markup:
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
