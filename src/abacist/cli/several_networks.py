"""Several networks that the user names or chooses, of any shapes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from abacist.cli.conditions import chosen
from abacist.cli.networks import Network, networks_named, networks_of_runs
from abacist.cli.stores import has_store, open_results
from abacist.errors import BadFile, BadInput
from abacist.report import run_columns

NetworksArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="RUN",
        help="Beginnings of runs' keys, folders with a store, or folders of networks.",
        show_default="all runs of the store",
    ),
]


def chosen_networks(names: Sequence[str] | None, results: Path, where: Sequence[str] | None) -> list[Network]:
    """The networks that are named, or those of a store that fit the conditions."""
    if names and where:
        raise BadInput("runs are named, or chosen with --where, not both")
    if not names:
        return _in_store(results, where or ())
    found: list[Network] = []
    for name in names:
        found += _in_store(Path(name), ()) if has_store(Path(name)) else networks_named(name, results, None)
    return found


def _in_store(folder: Path, where: Sequence[str]) -> list[Network]:
    runs = open_results(folder).runs
    if not runs:
        raise BadFile(f"{folder}: its store holds no runs yet")
    fields = [column.key for column in run_columns(runs)]
    return networks_of_runs(str(folder), folder, [run for run, _ in chosen(runs, where, fields)])
