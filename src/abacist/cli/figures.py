"""`abacist figures`, `report` and `page`: figures, and what a store has to say, as files."""

from __future__ import annotations

import webbrowser
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated

import typer

from abacist.cells import CELLS, OWN_CELLS
from abacist.cli.networks import LanguageOption, SomeNetworks
from abacist.cli.options import StoreOption, check_has_store, has_store, open_results, picked, separated
from abacist.cli.parameters import Argument
from abacist.cli.screen import say, warn, working
from abacist.errors import AbacistError, BadFile, BadInput
from abacist.experiments import Results
from abacist.fields import Choice, Field
from abacist.files import make_folder
from abacist.report.figures import (
    ALIASES,
    FIGURE_FORMS,
    NETWORK_PICTURES,
    OwnNetwork,
    Picture,
    draw_picture,
    network_picture,
    pictures,
    save_drawn,
    store_pictures,
)
from abacist.report.figures.own import own_pictures
from abacist.report.html import write_report
from abacist.report.page import PageNetwork, check_steps, network_of_user, networks_for_page, write_page
from abacist.wording import escape_controls, one_of, plural


@dataclass(frozen=True)
class _NetworksToDraw(SomeNetworks):
    names: Annotated[
        list[str] | None,
        Argument(
            "Draw these networks instead: run key prefixes, or folders.",
            metavar="RUN",
            usual="the figures of the store",
        ),
    ] = None


def figures(
    *,
    choice: _NetworksToDraw,
    out: Annotated[Path | None, "Where to write the figures.", "RESULTS/figures"] = None,
    only: Annotated[list[str] | None, "Only these figures, with commas between them.", "all"] = None,
    form: Annotated[
        list[str] | None,
        Field(f"{one_of(FIGURE_FORMS)}; may be repeated.", Choice(FIGURE_FORMS), "format", usual="all"),
    ] = None,
) -> None:
    """Draw all figures that a store has the runs for, and say what is missing for the others.

    Those of your own runs are chosen by what varies among them, the most telling first. With RUN or --where,
    draw networks instead: `states`, all states along a word, and `units`, each unit over what it counts.
    Prints the files that were written. Exits with status 1 if a figure that was asked for cannot be made.

    Example: abacist figures --results results --out figures
    """
    folder, failed = out or choice.results / "figures", list[str]()
    draws_networks = bool(choice.names or choice.where)
    if draws_networks:
        wanted = _of_networks(choice, picked(separated(only), NETWORK_PICTURES, "figure"), bool(only))
    elif choice.language is not None:
        raise BadInput("--language is for networks that are named, and none are")
    else:
        results = open_results(choice.results)
        wanted, failed = _of_store(results, [ALIASES.get(name, name) for name in separated(only)])
    _write(wanted, folder, form or FIGURE_FORMS, failed)
    if failed and (only or draws_networks):
        raise typer.Exit(1)


def _of_networks(choice: SomeNetworks, kinds: Sequence[str], every: bool) -> list[Picture]:
    """Pictures of networks, of some kinds or of `every` one of them; refuses to draw two into one file."""
    wanted = []
    for one in choice.networks():
        place, language = one.name if one.run else one.place, one.language_or(choice.language)
        drawable = OwnNetwork(one.file_name, one.title, place, one.networks, 0, language, one.steps)
        # without counters there are no units to draw
        drawn = [kind for kind in kinds if every or kind != "units" or language.counter_names]
        wanted += [network_picture(drawable, kind) for kind in drawn]
    name, count = Counter(picture.name for picture in wanted).most_common(1)[0]
    if count > 1:
        raise BadInput(f"{count} figures would be called {name}, so draw them into folders of their own")
    return wanted


def _of_store(results: Results, only: Sequence[str]) -> tuple[list[Picture], list[str]]:
    """The figures of a store that are asked for, and a sentence for each that cannot be made."""
    if not only:
        listed = store_pictures(results)
        if listed.further:
            say(f"further figures, with --only: {', '.join(picture.name for picture in listed.further)}")
        return list(listed.shown), list(listed.impossible)
    every = own_pictures(results) | pictures(results)
    named = [every[name] for name in picked(only, every, "figure")]
    wanted = [picture for picture in named if isinstance(picture, Picture)]
    return wanted, [str(why) for why in named if not isinstance(why, Picture)]


def _write(wanted: Sequence[Picture], folder: Path, forms: Sequence[str], failed: list[str]) -> None:
    """Draw pictures, print their files, and say what failed, here or before."""
    before = len(failed)
    if wanted:
        make_folder(folder)
    with working("drawing") as progress:
        for number, picture in enumerate(wanted, 1):
            content = draw_picture(picture, forms)
            progress(number / len(wanted))
            if isinstance(content, AbacistError):
                failed.append(f"{picture.name}: {content}")
                continue
            for path in save_drawn(picture, content, folder, forms):
                print(path)
    for line in failed:
        warn(line)
    written = len(wanted) - (len(failed) - before)
    say(f"{plural(written, 'figure')} in {folder}, {len(failed)} could not be made")


#: Networks of the user's that are worth trying: even the smallest would not fit much more often.
_MOST = 1_000


def page(
    results: StoreOption = Path("results"),
    out: Annotated[
        Path | None, "The HTML file to write.", "RESULTS/page.html; without results, page.html"
    ] = None,
    network: Annotated[
        list[str] | None,
        "Networks of yours, shown first: a run key prefix, a folder with a store, or a folder of "
        "networks; may be repeated.",
    ] = None,
    language: LanguageOption = None,
    open_it: Annotated[bool, Field("Open it in the browser.", option="open")] = False,
) -> None:
    """Write one HTML file to try networks, make them fail, train and compare them.

    Cells of --plugin can be trained on it, too.

    It is self-contained: send it, open it from a file or a host, on a phone. It makes no network requests.

    Example: abacist page --open
    """
    if language is not None and not network:
        raise BadInput("--language is for networks that --network names")
    stored = has_store(results)
    if not network:
        check_has_store(results, "; `make reproduce` makes some, --network names yours")
    cells = (*CELLS.values(), *(one.thing for one in OWN_CELLS.added.values()))
    path = out or (results / "page.html" if stored else Path("page.html"))
    with working("writing the page"):
        read = cache(open_results)  # each store once, however many of its networks are named
        named = _named(SomeNetworks(network, results, language=language), read) if network else []
        store = read(results) if stored else None
        if not named and store is not None and not store.runs:
            raise BadFile(f"{results}: its store holds no runs yet")
        others, left_out = networks_for_page(store, beside=named, cells=cells)
        written = write_page([*named, *others], path, cells=cells)
    for sentence in left_out:
        say(sentence)
    say(f"page written to {path}: {plural(written.networks, 'network')}, {written.size:,} bytes")
    if open_it and not webbrowser.open(path.resolve().as_uri()):
        say(f"no browser could be opened; open {path} yourself")


def _named(choice: SomeNetworks, read: Callable[[Path], Results]) -> list[PageNetwork]:
    """The networks that the user names, each once, under keys of their own."""
    named, by_key, refused = choice.networks(read=read), dict[str, PageNetwork](), list[str]()
    if len(named) > _MOST:
        raise BadInput(
            f"--network names {len(named):,} networks, more than the {_MOST:,} that may fit on a page; "
            "--results chooses some of a store"
        )
    for one in named:
        key = escape_controls(f"own-{one.name}")
        key = key if key not in by_key else f"{key}-{len(by_key)}"
        label = f"run {one.name}, seed {one.run.seed}" if one.run else f"{one.place}, run {one.number}"
        language = one.language_or(choice.language)
        try:
            check_steps(one.steps)
            by_key[key] = network_of_user(key, label, language, one.networks, one.run)
        except BadInput as error:
            refused.append(f"{one.title}: {error}")
    if refused and not by_key:
        raise BadInput(refused[0])
    if refused:
        say(f"{len(refused):,} of {plural(len(named), 'network')} cannot be shown, such as {refused[0]}")
    return list(by_key.values())


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
        written = write_report(open_results(results), path, progress=progress)
    say(
        f"report written to {path}: {plural(written.tables, 'table')}, {plural(written.claims, 'claim')}, "
        f"{plural(written.pictures, 'figure')}; {written.missing or 'nothing'} missing"
    )
