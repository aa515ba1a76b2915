"""`abacist page`: networks to type at, train, break and compare, as one HTML file."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from abacist.cells import CELLS, cells_in
from abacist.cli.networks import LanguageOption, networks_named
from abacist.cli.options import StoreOption
from abacist.cli.saying import say
from abacist.cli.screen import busy
from abacist.cli.stores import has_store, open_results
from abacist.errors import BadFile
from abacist.report.page import PageNetwork, networks_for_page, write_page
from abacist.wording import several


def page(
    results: StoreOption = Path("results"),
    out: Annotated[
        Path | None, typer.Option(help="The HTML file to write.", show_default="RESULTS/page.html")
    ] = None,
    network: Annotated[
        list[str] | None,
        typer.Option(help="A network of yours, shown first: the beginning of a run's key, or a folder."),
    ] = None,
    language: LanguageOption = None,
    plugin: Annotated[
        list[Path] | None, typer.Option(help="A Python file with cells of yours, to train on the page.")
    ] = None,
    open_it: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
) -> None:
    """Write one HTML file in which networks are typed at, trained, broken and compared.

    It is self-contained: send it, open it from a file or a host, on a phone. Nothing is asked of anyone.

    Example: abacist page --open
    """
    cells = [cell for path in plugin or () for cell in cells_in(path)]
    with busy("writing the page"):
        own = [one for name in network or () for one in _named(name, results, language)]
        if not own and not has_store(results):
            raise BadFile(f"{results}: holds no results; `make reproduce` makes some, --network names yours")
        found, left_out = networks_for_page(open_results(results) if has_store(results) else None)
        path = out or results / "page.html"
        written = write_page([*own, *found], path, cells=(*CELLS.values(), *cells))
    for sentence in left_out:
        say(sentence)
    say(f"page written to {path}: {several(written.networks, 'network')}, {written.size:,} bytes")
    if open_it and not webbrowser.open(path.resolve().as_uri()):
        say(f"no browser could be opened; open {path} yourself")


def _named(name: str, results: Path, language: str | None) -> list[PageNetwork]:
    """The networks that go by a name, as a group of their own."""
    return [
        PageNetwork(
            f"own-{one.name}", f"Yours · {name}", one.title, one.language_or(language), one.networks, one.run
        )
        for one in networks_named(name, results, None)
    ]
