"""Pictures as a part of a page: drawings with names of their own, or, where these grow large, images."""

from __future__ import annotations

import base64
import re
import struct

from markupsafe import Markup
from matplotlib.figure import Figure

from abacist.report.figures.house_style import style
from abacist.report.figures.picture import Picture, figure_bytes

#: Bytes of a drawing beyond which a page takes an image instead.
LARGEST_DRAWING = 400_000

_DOTS_PER_INCH = 200
_PIXELS_PER_INCH = 96


def drawn(picture: Picture) -> Markup:
    """A picture as markup for a page; the same figure gives the same text."""
    with style():
        figure = picture.make()
    text = as_part(figure_bytes(figure, "svg").decode(), picture.name, picture.title)
    return text if len(text.encode()) <= LARGEST_DRAWING else _image(figure, picture.title)


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


def _image(figure: Figure, title: str) -> Markup:
    image = figure_bytes(figure, "png")
    dots = struct.unpack(">II", image[16:24])  # where a PNG has its width and height
    width, height = (round(number * _PIXELS_PER_INCH / _DOTS_PER_INCH) for number in dots)
    return Markup('<img src="data:image/png;base64,{}" width="{}" height="{}" alt="{}">').format(
        base64.b64encode(image).decode(), width, height, title
    )
