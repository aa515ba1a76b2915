"""`abacist page` and `report`: one HTML file, to try networks, or with all that a store has to say."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated

import typer

from abacist.cells import CELLS, OWN_CELLS
from abacist.cli.figures import quick_drawing
from abacist.cli.networks import LanguageOption, SomeNetworks
from abacist.cli.options import StoreOption
from abacist.cli.screen import say, working
from abacist.cli.stores import check_has_store, has_store, open_results
from abacist.errors import BadFile, BadInput
from abacist.experiments import Results
from abacist.report.html import write_report
from abacist.report.page import PageNetwork, check_steps, network_of_user, networks_for_page, write_page
from abacist.wording import several, visible

#: Networks of the user's that are worth trying: even the smallest would not fit much more often.
_MOST = 1_000


def page(
    results: StoreOption = Path("results"),
    out: Annotated[
        Path | None, "The HTML file to write.", "RESULTS/page.html; without results, page.html"
    ] = None,
    network: Annotated[
        list[str] | None,
        "Networks of yours, shown first: the beginning of a run's key, a folder with a store, or a "
        "folder of networks; may be repeated.",
    ] = None,
    language: LanguageOption = None,
    open_it: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
) -> None:
    """Write one HTML file to try networks, make them fail, train and compare them.

    Cells of --plugin can be trained on it, too.

    It is self-contained: send it, open it from a file or a host, on a phone. It makes no network requests.

    Example: abacist page --open
    """
    if language is not None and not network:
        raise BadInput("--language is for networks that --network names")
    there = has_store(results)
    if not network:
        check_has_store(results, "; `make reproduce` makes some, --network names yours")
    cells = (*CELLS.values(), *(one.thing for one in OWN_CELLS.added.values()))
    path = out or (results / "page.html" if there else Path("page.html"))
    with working("writing the page"):
        read = cache(open_results)  # each store once, however many of its networks are named
        own = _named(network or (), results, language, read)
        kept = read(results) if there else None
        if not own and kept is not None and not kept.runs:
            raise BadFile(f"{results}: its store holds no runs yet")
        found, left_out = networks_for_page(kept, beside=own, cells=cells)
        written = write_page([*own, *found], path, cells=cells)
    for sentence in left_out:
        say(sentence)
    say(f"page written to {path}: {several(written.networks, 'network')}, {written.size:,} bytes")
    if open_it and not webbrowser.open(path.resolve().as_uri()):
        say(f"no browser could be opened; open {path} yourself")


def _named(
    names: Sequence[str], results: Path, language: str | None, read: Callable[[Path], Results]
) -> list[PageNetwork]:
    """The networks that the user names, each once, under keys of their own."""
    named = SomeNetworks(list(names), results).networks(read=read) if names else []
    if len(named) > _MOST:
        raise BadInput(
            f"--network names {len(named):,} networks, more than the {_MOST:,} that may fit on a page; "
            "--results chooses some of a store"
        )
    found: dict[str, PageNetwork] = {}
    refused: list[str] = []
    for one in named:
        begun = visible(f"own-{one.name}")
        key = begun if begun not in found else f"{begun}-{len(found)}"
        label = f"run {one.name}, seed {one.run.seed}" if one.run else f"{one.place}, run {one.number}"
        chosen = one.language_or(language)
        try:
            check_steps(one.steps)
            found[key] = network_of_user(key, label, chosen, one.networks, one.run)
        except BadInput as error:
            refused.append(f"{one.title}: {error}")
    if refused and not found:
        raise BadInput(refused[0])
    if refused:
        say(f"{len(refused):,} of {several(len(named), 'network')} cannot be shown, such as {refused[0]}")
    return list(found.values())


def report(
    results: StoreOption = Path("results"),
    out: Annotated[Path | None, "The HTML file to write.", "RESULTS/report.html"] = None,
) -> None:
    """Write one HTML file: what was run, the tables beside the paper's, its claims, and the figures.

    It is self-contained: send it, print it, open it on a phone. What the store cannot show is
    named, with the command that would add it.

    Example: abacist report --out report.html
    """
    path = out or results / "report.html"
    with working("writing the report") as progress:
        found = open_results(results)
        written = write_report(found, path, drawing=quick_drawing(found), progress=progress)
    say(
        f"report written to {path}: {several(written.tables, 'table')}, {several(written.claims, 'claim')}, "
        f"{several(written.pictures, 'figure')}; {written.missing or 'nothing'} missing",
    )
