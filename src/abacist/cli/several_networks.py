"""Several networks that the user names or chooses, of any shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from abacist.cli.networks import Network, networks_in_store, networks_named
from abacist.cli.stores import has_store, open_results
from abacist.errors import AbacistError, BadInput, MissingFile
from abacist.experiments import Results

NetworksArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="RUN",
        help="Beginnings of runs' keys, folders with a store, folders of networks, or .safetensors files.",
        show_default="all runs of the store",
    ),
]


def chosen_networks(
    names: Sequence[str] | None,
    results: Path,
    where: Sequence[str] | None,
    run: int | None = None,
    *,
    cell: str | None = None,
    read: Callable[[Path], Results] = open_results,
    failed: list[AbacistError] | None = None,
) -> list[Network]:
    """The networks that are named, or those of a store that fit the conditions, each once.

    `run` is the number of the one that is meant of a folder, `cell` that of files that do not say it. With
    `failed`, what is wrong with one of several names is written there, and the others are taken; a missing
    file is refused at once.
    """
    if where and run is not None:
        raise BadInput("--run names one network and --where chooses some, so give one of the two")
    found: list[Network] = []
    for name in names or [str(results)]:
        try:
            found += _of_name(name, not names, results, where or (), run, cell, read)
        except AbacistError as error:
            if failed is None or len(names or ()) < 2 or isinstance(error, MissingFile):
                raise
            failed.append(error)
    if not found:
        raise (failed or [BadInput("no networks: the store has no runs that fit")])[0]
    once = {(one.store, one.run.key) if one.run else (one.place, one.number): one for one in found}
    return list(once.values())


def _of_name(
    name: str,
    by_default: bool,
    results: Path,
    where: Sequence[str],
    run: int | None,
    cell: str | None,
    read: Callable[[Path], Results],
) -> list[Network]:
    """The networks that go by one name; the store's, where nobody named any."""
    if by_default or (name and has_store(Path(name))):
        return networks_in_store(Path(name), read, where=where, run=run)
    if where:
        raise BadInput("--where chooses runs of a store, not keys or folders of networks")
    return networks_named(name, results, run, cell=cell, read=read)
