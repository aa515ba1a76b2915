"""The page as one file (`page_text`): markup, style, charts and the page's own code, the rest packed.

Programs and networks are a megabyte of text that repeats itself; deflated, it is a tenth. The page
unpacks it when it is opened, and asks nobody for anything.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from markupsafe import Markup

from abacist import __version__
from abacist.cells import CELLS, Cell, Layout
from abacist.errors import BadCell, BadInput
from abacist.experiments import KnownHorizon
from abacist.fields import checked
from abacist.files import write_whole
from abacist.languages import PAPER_LANGUAGES, Language, language_named
from abacist.report.html.markup import template
from abacist.report.page.content import (
    PageNetwork,
    can_be_drawn,
    content_of,
    horizons_on_page,
    layouts_to_train,
    stored_horizons,
)
from abacist.targets.webassembly import (
    beginning_of,
    joined,
    module_text,
    refusal,
    training_text,
    without_exports,
)
from abacist.wording import plural

#: Languages of the networks, beside the paper's, that a visitor can train on: words and programs of one take
#: some 60 kB.
_FURTHER = 3

#: The page's own code, each file importing only from those before it; and that of its workers.
MODULES = (
    "payload.js", "endings.js", "following.js", "session.js", "families.js", "elements.js", "memories.js",
    "charts.js", "strips.js", "workbench.js", "breaking.js", "training.js", "results.js", "main.js",
)  # fmt: skip
WORKER = ("endings.js", "search.js", "worker.js")

#: Bytes that a page may have; and those that horizons of a network take that are found when it is written.
LARGEST = 1_000_000
_SEARCHED = 200


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
    if not networks:
        raise BadInput("write_page: needs at least one network, got none")
    text = page_text(networks, cells, horizons_on_page(networks)).encode()
    if len(text) > LARGEST:
        raise BadInput(
            f"{path}: a page of {plural(len(networks), 'network')} would have {len(text):,} bytes, "
            f"more than {LARGEST:,}; show fewer"
        )
    write_whole(path, text)
    return Written(len(networks), len(text))


def fits(networks: Sequence[PageNetwork], cells: Sequence[Cell]) -> bool:
    """Whether a page with some networks, and cells to train, would not be too large."""
    weights = sum(network.networks.parameters.nbytes for network in networks)
    if 4 * weights // 3 > LARGEST:
        return False
    text = page_text(networks, cells, [stored_horizons(network) for network in networks])
    return len(text.encode()) + _SEARCHED * len(networks) <= LARGEST


def page_text(
    networks: Sequence[PageNetwork], cells: Sequence[Cell], horizons: Sequence[Sequence[KnownHorizon]]
) -> str:
    """The whole file; `horizons` are those of each network."""
    languages, trained = _languages(networks)
    for cell in cells:
        if reason := _why_untrained(cell):
            raise BadInput(reason)
    shown_layouts = [network.networks.layout for network in networks]
    shown = dict.fromkeys(layout.cell for layout in shown_layouts)
    beside = [cell for cell in shown if cell not in cells and not _why_untrained(cell)]
    _check_different("networks", "keys", [network.key for network in networks])
    _check_different("cells", "names", [cell.name for cell in dict.fromkeys([*cells, *shown])])
    layouts = layouts_to_train(networks, trained, cells, beside)
    payload = {
        "engine": _programs(module_text, tuple(dict.fromkeys([*shown_layouts, *layouts]))),
        "worker": _programs(training_text, tuple(layouts)) + without_exports(_code(WORKER)),
        "content": content_of(networks, languages, trained, layouts, horizons),
    }
    return template("page/sources", "page.html.jinja").render(
        version=__version__,
        theme=_part("html/templates/theme.css"),
        style=_part("page/sources/page.css"),
        chart_style=_part("page/vendor/uPlot.min.css"),
        chart_code=_part("page/vendor/uPlot.iife.min.js"),
        chart_licence=_part("page/vendor/LICENSE"),
        code=_closed(_code(MODULES)),
        packed=_packed(payload),
    )


@lru_cache(maxsize=8)  # whether a page fits is asked before it is written
def _programs(text_of: Callable[[Sequence[Layout]], str], layouts: tuple[Layout, ...]) -> str:
    return without_exports(text_of(layouts))


def _packed(values: Any) -> str:
    """Plain values as JSON, deflated, in letters."""
    text = json.dumps(values, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _languages(networks: Sequence[PageNetwork]) -> tuple[list[Language[Any]], list[Language[Any]]]:
    """The paper's and those of the networks; and those of them that can be trained on."""
    by_name = {name: language_named(name) for name in PAPER_LANGUAGES}
    paper = list(by_name.values())
    for language in (network.language for network in networks):
        if by_name.setdefault(language.name, language) != language:
            raise BadInput(f"{language.name}: languages on a page need different names, got two of this one")
    drawn = [language for language in by_name.values() if language not in paper and can_be_drawn(language)]
    return list(by_name.values()), [*paper, *drawn[:_FURTHER]]


def _check_different(things: str, names: str, given: Sequence[str]) -> None:
    twice = [name for name, count in Counter(given).items() if count > 1]
    if twice:
        raise BadInput(f"{things} on a page need different {names}, got {twice[0]} twice")


def _why_untrained(cell: Cell) -> str:
    """Why networks of a cell cannot be trained on a page, whatever its formula does; nothing if they can."""
    layout = Layout(cell, 2, 2, 2)
    try:
        reason = refusal(layout)
        if reason is None and beginning_of(layout) is None:
            why = "begins with weights that depend on each other, and a page draws each on its own"
            reason = f"{cell.name}: {why}"
    except BadInput as error:
        reason = f"{cell.name}: {error.reason if isinstance(error, BadCell) else error}"
    except Exception as error:  # a formula is the user's
        reason = f"{cell.name}: its formula cannot be read, {type(error).__name__}: {error}"
    return " ".join(f"Cell {reason}".split()) if reason else ""


def _code(names: Sequence[str]) -> str:
    return joined(files("abacist.report.page") / "sources", names)


def _part(path: str) -> Markup:
    return _closed((files("abacist.report") / path).read_text(encoding="utf-8").strip())


def _closed(text: str) -> Markup:
    """Text for inside an element, which must not end it."""
    assert "</s" not in text.lower(), "a part of the page would close the element around it"
    return Markup(text)
