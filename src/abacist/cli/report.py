"""`abacist report`: all that a store has to say, as one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from abacist.cli.drawing import quick_drawing
from abacist.cli.options import StoreOption
from abacist.cli.saying import say
from abacist.cli.status import working
from abacist.cli.stores import open_results
from abacist.report.html import write_report
from abacist.wording import plural


def report(
    results: StoreOption = Path("results"),
    out: Annotated[
        Path | None, typer.Option(help="The HTML file to write.", show_default="RESULTS/report.html")
    ] = None,
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
        f"report written to {path}: {plural(written.tables, 'table')}, {plural(written.claims, 'claim')}, "
        f"{plural(written.pictures, 'figure')}; {written.missing or 'nothing'} missing",
    )
