"""`abacist figures`: all figures that can be made of a store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from abacist.cli.options import StoreOption
from abacist.cli.saying import say, warn
from abacist.cli.screen import progress_bar
from abacist.cli.stores import open_results
from abacist.errors import AbacistError, BadFile, BadInput, UnknownName
from abacist.report.figures import ALIASES, FIGURE_FORMS, PICTURES, pictures, save
from abacist.wording import one_of, several


def figures(
    results: StoreOption = Path("results"),
    out: Annotated[
        Path | None, typer.Option(help="Where to write the figures.", show_default="RESULTS/figures")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(help="Only this figure; may be repeated.", show_default="all")
    ] = None,
    form: Annotated[
        list[str] | None,
        typer.Option("--format", help=f"{one_of(FIGURE_FORMS)}; may be repeated.", show_default="all"),
    ] = None,
) -> None:
    """Draw all figures that a store has the runs for, and say what is missing for the others.

    Prints the files that were written. Exits with status 1 if a figure that was asked for cannot be made.

    Example: abacist figures --results results --out figures
    """
    only = [ALIASES.get(name, name) for name in only or ()]
    for name in only:
        if name not in PICTURES:
            raise UnknownName(f"unknown figure {name!r}; there are {', '.join(PICTURES)}")
    for ending in form or ():
        if ending not in FIGURE_FORMS:
            raise BadInput(f"a figure is written as {', '.join(FIGURE_FORMS)}, got {ending!r}")
    possible, impossible = pictures(open_results(results))
    wanted = [picture for picture in possible if not only or picture.name in only]
    failed = [line for line in impossible if not only or line.partition(":")[0] in only]
    folder, made = out or results / "figures", 0
    with progress_bar("drawing") as advance:
        for number, picture in enumerate(wanted):
            advance(number, len(wanted))
            try:
                paths = save(picture, folder, form or FIGURE_FORMS)
            except BadFile:  # what cannot be written here cannot be written for any figure
                raise
            except AbacistError as error:
                failed.append(f"{picture.name}: {error}")
                continue
            made += 1
            for path in paths:
                print(path)
    for line in failed:
        warn(line)
    say(f"{several(made, 'figure')} in {folder}, {len(failed)} could not be made")
    if only and failed:
        raise typer.Exit(1)
