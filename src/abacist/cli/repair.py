"""`abacist repair`: remove from a store what is damaged."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from abacist.cli.results import open_store
from abacist.wording import several


def repair(
    results: Annotated[Path, typer.Option("--results", help="The folder with the store.")] = Path("results"),
) -> None:
    """Remove the damaged runs from a store, so that the next run recomputes them.

    Prints what it removed. Runs that are whole stay as they are.

    Example: abacist repair --results results
    """
    from contextlib import closing

    with closing(open_store(results, writing=True)) as store:
        removed = store.repair()
        left = len(store)
    for sentence in removed:
        print(f"removed: {sentence}")
    found = several(len(removed), "damaged run") if removed else "nothing damaged"
    typer.echo(f"{found} in {store.path}, {several(left, 'run')} left", err=True)
