"""The page as one file: markup, style, charts and the page's own code as they are, the rest packed.

Programs and networks are a megabyte of text that repeats itself; deflated, it is a tenth. The page
unpacks it when it is opened, and asks nobody for anything.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from abacist import __version__
from abacist.cells import CELLS, Cell
from abacist.errors import BadInput
from abacist.fields import checked, expect_each
from abacist.files import write_whole
from abacist.languages import Language, language_named
from abacist.report.page.choosing import PageNetwork
from abacist.report.page.content import content_of, layouts_of
from abacist.targets.javascript import joined, refusal, script_text, without_exports

#: The languages that networks can be trained on, beside those of the networks that are shown.
LANGUAGES = ("dyck-1", "shuffle-2", "shuffle-6", "dyck-2", "anbn")

#: The page's own code, each file importing only from those before it; and that of its workers.
MODULES = (
    "payload.js", "endings.js", "following.js", "session.js", "families.js", "elements.js", "charts.js",
    "workbench.js", "breaking.js", "training.js", "results.js", "main.js",
)  # fmt: skip
WORKER = ("endings.js", "search.js", "worker.js")

#: Bytes that a page may have.
LARGEST = 1_000_000


@dataclass(frozen=True)
class Written:
    """How many networks a page shows, and how large it is in bytes."""

    networks: int
    size: int


@checked
def write_page(
    networks: Sequence[PageNetwork], path: Path, *, cells: Sequence[Cell] = tuple(CELLS.values())
) -> Written:
    """Write a page with some networks; the same ones give the same bytes.

    `cells` are those that can be trained on it. The first network is the one that is shown first.
    """
    expect_each("write_page: each of networks", networks, PageNetwork)
    if not networks:
        raise BadInput("write_page: needs at least one network, got none")
    text = page_text(networks, cells).encode()
    if len(text) > LARGEST:
        raise BadInput(
            f"{path}: a page of {len(networks):,} networks would be {len(text):,} bytes, more than "
            f"{LARGEST:,}; show fewer"
        )
    write_whole(path, text)
    return Written(len(networks), len(text))


def page_text(networks: Sequence[PageNetwork], cells: Sequence[Cell]) -> str:
    """The whole file."""
    languages = _languages(networks)
    cells = list(dict.fromkeys([*cells, *(own.networks.layout.cell for own in networks)]))
    layouts = [layout for layout in layouts_of(networks, languages, cells) if refusal(layout) is None]
    known = {
        "engine": script_text(layouts),
        "worker": without_exports(_own(WORKER)),
        "content": content_of(networks, languages, cells),
    }
    environment = Environment(
        loader=PackageLoader("abacist.report.page", "sources"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("page.html.jinja").render(
        version=__version__,
        theme=_part("html/templates/theme.css"),
        style=_part("page/sources/page.css"),
        chart_style=_part("page/vendor/uPlot.min.css"),
        chart_code=_part("page/vendor/uPlot.iife.min.js"),
        chart_licence=_part("page/vendor/LICENSE"),
        code=_closed(_own(MODULES)),
        packed=packed(known),
    )


def packed(values: Any) -> str:
    """Plain values as JSON, deflated, in letters."""
    text = json.dumps(values, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _languages(networks: Sequence[PageNetwork]) -> list[Language[Any]]:
    """Those of the networks, and those to train on."""
    own = [network.language for network in networks]
    return list({language.name: language for language in [*map(language_named, LANGUAGES), *own]}.values())


def _own(names: Sequence[str]) -> str:
    return joined(files("abacist.report.page") / "sources", names)


def _part(path: str) -> Markup:
    return _closed((files("abacist.report") / path).read_text(encoding="utf-8").strip())


def _closed(text: str) -> Markup:
    """Text for inside an element, which must not end it."""
    assert "</s" not in text.lower(), "a part of the page would close the element around it"
    return Markup(text)
