"""`abacist figures`: all figures that can be made of a store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from abacist.cli.drawing import quick_drawing
from abacist.cli.options import StoreOption, separated
from abacist.cli.saying import say, warn
from abacist.cli.screen import progress_bar
from abacist.cli.stores import open_results
from abacist.errors import AbacistError, BadInput, UnknownName
from abacist.files import make_folder
from abacist.report.figures import ALIASES, FIGURE_FORMS, PICTURES, pictures, save_drawn
from abacist.wording import one_of, several


def figures(
    results: StoreOption = Path("results"),
    out: Annotated[
        Path | None, typer.Option(help="Where to write the figures.", show_default="RESULTS/figures")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(help="Only these figures, with commas between them.", show_default="all"),
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
    only = [ALIASES.get(name, name) for name in separated(only)]
    for name in only:
        if name not in PICTURES:
            raise UnknownName(f"unknown figure {name!r}; there are {', '.join(PICTURES)}")
    for ending in form or ():
        if ending not in FIGURE_FORMS:
            raise BadInput(f"a figure is written as {', '.join(FIGURE_FORMS)}, got {ending!r}")
    found = open_results(results)
    draw, (possible, impossible) = quick_drawing(found), pictures(found)
    wanted = [picture for picture in possible if not only or picture.name in only]
    failed = [line for line in impossible if not only or line.partition(":")[0] in only]
    folder, forms, made = out or results / "figures", form or FIGURE_FORMS, 0
    if wanted:
        make_folder(folder)
    with progress_bar("drawing") as advance:
        for number, (picture, drawn) in enumerate(zip(wanted, draw(wanted, forms), strict=True), 1):
            advance(number, len(wanted))
            if isinstance(drawn, AbacistError):
                failed.append(f"{picture.name}: {drawn}")
                continue
            made += 1
            for path in save_drawn(picture, drawn, folder, forms):
                print(path)
    for line in failed:
        warn(line)
    say(f"{several(made, 'figure')} in {folder}, {len(failed)} could not be made")
    if only and failed:
        raise typer.Exit(1)
