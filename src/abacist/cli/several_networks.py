"""Several networks that the user names or chooses, of any shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from abacist.cells import AbsentCell
from abacist.cli.conditions import chosen
from abacist.cli.networks import Network, networks_named, networks_of_runs, with_weights
from abacist.cli.saying import warn
from abacist.cli.stores import has_store, open_results
from abacist.errors import BadFile, BadInput
from abacist.experiments import Results
from abacist.wording import several

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
    *,
    cell: str | None = None,
    read: Callable[[Path], Results] = open_results,
) -> list[Network]:
    """The networks that are named, or those of a store that fit the conditions, each once.

    `cell` is that of files that do not say it.
    """
    found: list[Network] = []
    for name in names or [str(results)]:
        if not names or (name and has_store(Path(name))):
            found += _in_store(Path(name), where or (), read)
        elif where:
            raise BadInput("--where chooses runs of a store, not keys or folders of networks")
        else:
            found += networks_named(name, results, None, cell=cell, read=read)
    if not found:
        raise BadInput("no networks: the store has no runs that fit")
    once = {(one.store, one.run.key) if one.run else (one.place, one.number): one for one in found}
    return list(once.values())


def _in_store(folder: Path, where: Sequence[str], read: Callable[[Path], Results]) -> list[Network]:
    runs = read(folder).runs
    if not runs:
        raise BadFile(f"{folder}: its store holds no runs yet")
    fitting = {run.key for run, _ in chosen(runs, where)}
    if not fitting:
        return []
    kept = {run.key for run in with_weights([run for run in runs if run.key in fitting], folder)}
    numbered = [(number, run) for number, run in enumerate(runs) if run.key in kept]
    absent = {run.key: run.spec.cell for _, run in numbered if isinstance(run.spec.cell, AbsentCell)}
    if 0 < len(absent) < len(numbered):
        first = next(iter(absent.values()))
        warn(f"{folder}: {several(len(absent), 'run')} left out, {first.reason}")
        numbered = [(number, run) for number, run in numbered if run.key not in absent]
    return [own for n, run in numbered for own in networks_of_runs(str(folder), folder, [run], n)]
