"""`abacist merge`: the runs of several stores in one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from abacist.cli.saying import say, warn
from abacist.cli.status import working
from abacist.cli.stores import has_store
from abacist.experiments import merge as merge_stores
from abacist.files import absence
from abacist.wording import plural


def merge(
    into: Annotated[Path, typer.Argument(metavar="INTO", help="The folder with the store to fill.")],
    sources: Annotated[list[Path], typer.Argument(metavar="FROM", help="Folders with stores to read.")],
) -> None:
    """Bring the runs of other stores into one; the same run must be the same, bit for bit.

    What only one of them knows of a run, such as its horizon or its accuracy on a further set, is joined. A
    run that is not the same is named, and then nothing is changed. INTO is made where it is not there; the
    others stay as they are.

    Example: abacist merge results machine-1 machine-2
    """
    for folder in sources:
        if not has_store(folder):
            raise absence(folder, "holds no results, so there is nothing to merge")
    with working("merging") as progress:
        made = merge_stores(into, sources, progress=progress)
    for folder in made.filling:
        warn(f"{folder}: another process is still filling it; merge again when it has ended")
    print(
        f"{plural(made.new, 'new run')}, {made.joined:,} joined with what was known, "
        f"{made.same:,} already there"
    )
    say(f"merged into {into}")
