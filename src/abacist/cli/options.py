"""The options that the commands about experiments share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from abacist.cells import CELLS
from abacist.errors import BadInput
from abacist.wording import one_of

#: The cells that there are, for help.
CELL_NAMES = one_of(CELLS)

ResultsOption = Annotated[Path, typer.Option("--results", "--out", help="The folder with the store.")]
StoreOption = Annotated[Path, typer.Option("--results", help="The folder with the store.")]
JobsOption = Annotated[
    int | None, typer.Option(help="How many blocks of runs to compute at once.", show_default="all cores")
]
RunsOption = Annotated[int | None, typer.Option(help="Runs per task, instead of what the experiment says.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Recompute what the store already has.")]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Only say what would run, and about how long it would take.")
]
FormOption = Annotated[str, typer.Option("--format", help="text, md, tex, csv or json.")]


def check_counts(**counts: int | None) -> None:
    """Refuse options that must be at least 1."""
    for name, value in counts.items():
        if value is not None and value < 1:
            raise BadInput(f"{name} must be at least 1, got {value}")
