"""The options that the commands about experiments share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from abacist.cells import CELLS
from abacist.errors import BadInput
from abacist.wording import one_of

#: The cells that there are, for help.
CELL_NAMES = f"{one_of(CELLS)}, another that `abacist cells` lists, or one of --plugin"

ResultsOption = Annotated[Path, typer.Option("--results", "--out", help="The folder with the store.")]
StoreOption = Annotated[Path, typer.Option("--results", help="The folder with the store.")]
JobsOption = Annotated[
    int | None, typer.Option(help="How many blocks of runs to compute at once.", show_default="all cores")
]
RunsOption = Annotated[int | None, typer.Option(help="Runs per task, instead of what the experiment says.")]
KeepMomentsOption = Annotated[
    bool, typer.Option("--keep-moments", help="Keep Adam's moments, too: more epochs later go on from there.")
]
ForceOption = Annotated[bool, typer.Option("--force", help="Recompute what the store already has.")]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Only say what would run, and about how long it would take.")
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        help="Compute on a Dask cluster: the address of its scheduler, a file with it, or local:N for N "
        "processes here.",
        show_default="threads of this process",
    ),
]
ShardOption = Annotated[
    str | None,
    typer.Option(
        help="Only part i of n, written i/n, in a store of its own, to be merged later.",
        show_default="all",
    ),
]
FormOption = Annotated[str, typer.Option("--format", help="text, md, tex, csv or json.")]


def check_counts(**counts: int | None) -> None:
    """Refuse options that must be at least 1."""
    for name, value in counts.items():
        if value is not None and value < 1:
            raise BadInput(f"--{name} must be at least 1, got {value}")


def check_factor(option: str, value: float) -> None:
    """Refuse a factor that gates cannot be multiplied by."""
    if not 0 < value < float("inf"):
        raise BadInput(f"{option} must be positive and finite, got {value}")


def separated(values: Sequence[str] | None) -> list[str]:
    """The values of an option that may be repeated, or list several with commas between them."""
    return [name for value in values or () for name in value.split(",")]
