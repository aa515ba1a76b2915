"""Networks that the user names or chooses: by a run's key, a store, a folder of networks, or a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from abacist.cells import cell_named
from abacist.cli.screen import say, warn
from abacist.cli.stores import chosen, has_store, open_results
from abacist.errors import AbacistError, BadFile, BadInput, MissingFile, UnknownName
from abacist.experiments import Results, Run
from abacist.files import absence
from abacist.languages import (
    Language,
    LanguageValues,
    language_asked_for,
    language_from_text,
    language_from_values,
    language_text,
    language_values,
    name_in_text,
)
from abacist.specs import Networks
from abacist.specs.files import Folder, NetworkFile
from abacist.wording import several

NetworkArgument = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="The beginning of a run's key, a folder with a store, a folder of networks, or a .safetensors "
        "file.",
    ),
]
NewFolderOption = Annotated[
    Path, typer.Option(help="The folder of networks to create; every command about networks takes it.")
]
RunOption = Annotated[
    int | None, typer.Option(help="Which network of a folder, counted from 0.", show_default="the first")
]
LanguageOption = Annotated[
    str | None,
    typer.Option(
        help="Its language, for a network imported without one: a name, regex:EXPRESSION or a TOML file.",
        show_default="the run's",
    ),
]

CellOption = Annotated[
    str | None, typer.Option(help="Its cell, for a .safetensors file that does not say it.")
]


@dataclass(frozen=True)
class Network:
    """One trained network, and what is known about it.

    `networks` holds it alone; `number` is its place in the folder; `language` is None for networks
    that came without one; `steps` says which steps count; `name` is short, `title` says it all; `run` is what
    the store in a folder has of it, `said` what its file says of it.
    """

    name: str
    place: str
    number: int
    networks: Networks
    language: LanguageValues | None
    steps: str
    title: str
    run: Run | None = None
    store: Path | None = None
    said: Mapping[str, str] = field(default_factory=dict)

    def about(self) -> dict[str, str]:
        """What a file with it says: its language, which steps count, and its run's seed and key."""
        told = {name: self.said[name] for name in ("seed", "key") if name in self.said}
        if self.language is not None:
            told["language"] = language_text(language_from_values(self.language))
        if self.steps != "all":
            told["steps"] = self.steps
        return told if self.run is None else told | {"seed": str(self.run.seed), "key": self.run.key}

    def language_or(self, name: str | None) -> Language[Any]:
        """Its language: what the user says, or else what it came with; it must fit."""
        if name is None and self.language is None:
            raise BadInput(f"{self.place}: this network came without a language, so name it with --language")
        chosen = language_asked_for(name) if name else language_from_values(self.language or "")
        self.networks.check_language(chosen)
        return chosen


def networks_named(
    name: str,
    results: Path,
    run: int | None,
    *,
    cell: str | None = None,
    read: Callable[[Path], Results] = open_results,
) -> list[Network]:
    """All networks that go by a name, or that of them with a number; more than one have one shape.

    `cell` is that of a file that does not say it; `read` gives what the store of a folder has.
    """
    if name.endswith(".safetensors") and not Path(name).is_dir():
        _check_number(run, 1)
        return [_in_file(Path(name), cell)]
    if cell is not None:
        raise BadInput(f"--cell is for a .safetensors file, and {name} knows its own")
    if not (name and Path(name).is_dir()):
        if run is not None:
            raise BadInput(f"{name}: a key names one network, so --run does not apply")
        return [_by_key(name, results, read)]
    path = Path(name)
    if has_store(path):
        return _of_one_shape(networks_in_store(path, read, run=run), path)
    found = _in_folder(path)
    _check_number(run, len(found))
    return found if run is None else [found[run]]


def keep_networks(networks: Networks, record: dict[str, Any], folder: Path) -> None:
    """Write networks into a new folder, which goes by its name from then on, and print that name."""
    Folder(networks, record).save(folder)
    print(folder)


def _check_number(run: int | None, count: int) -> None:
    if not 0 <= (run or 0) < count:
        raise BadInput(f"run must be from 0 to {count - 1}, got {run}")


def _by_key(beginning: str, results: Path, read: Callable[[Path], Results]) -> Network:
    """The network of the run whose key begins so."""
    if "/" in beginning:
        path = Path(beginning)
        raise absence(path, "is not a folder" if path.exists() else "there is no such folder")
    if not has_store(results):
        raise absence(Path(beginning), f"is not a folder, and {results} holds no results")
    runs = read(results).runs
    found = [run for run in runs if beginning and run.key.startswith(beginning)]
    if not found:
        raise UnknownName(f"no run in {results} has a key that begins with {beginning!r}; see `abacist runs`")
    if len(found) > 1:
        some = ", ".join(run.key[:8] for run in found[:5]) + (" …" if len(found) > 5 else "")
        raise UnknownName(f"{len(found)} runs in {results} have keys that begin with {beginning!r}: {some}")
    return networks_of_runs(beginning, results, found)[0]


def networks_in_store(
    folder: Path, read: Callable[[Path], Results], *, where: Sequence[str] = (), run: int | None = None
) -> list[Network]:
    """The networks of the runs of a store that fit all conditions, or that with a number."""
    runs = read(folder).runs
    if not runs:
        raise BadFile(f"{folder}: its store holds no runs yet")
    if run is not None:
        _check_number(run, len(runs))
        return networks_of_runs(str(folder), folder, [runs[run]], run)
    fitting = {own.key for own, _ in chosen(runs, where)} if where else {own.key for own in runs}
    if not fitting:
        return []
    kept = {own.key for own in with_weights([own for own in runs if own.key in fitting], folder)}
    numbered = [(number, own) for number, own in enumerate(runs) if own.key in kept]
    absent = {own.key: own.spec.cell.absence for _, own in numbered if own.spec.cell.absence is not None}
    if 0 < len(absent) < len(numbered):
        warn(f"{folder}: {several(len(absent), 'run')} left out, {next(iter(absent.values()))}")
        numbered = [(number, own) for number, own in numbered if own.key not in absent]
    return [one for number, own in numbered for one in networks_of_runs(str(folder), folder, [own], number)]


def _of_one_shape(networks: list[Network], store: Path) -> list[Network]:
    """Networks of one language and shape, unless that must be chosen first."""
    if (
        len({(one.run.spec.language, one.run.spec.steps, one.run.spec.layout) for one in networks if one.run})
        > 1
    ):
        raise BadInput(
            f"{store}: holds networks of several languages or shapes; choose one with --run, "
            f"counted from 0 in the order of `abacist runs --results {store}`"
        )
    return networks


def with_weights(runs: Sequence[Run], store: Path) -> tuple[Run, ...]:
    """The runs of a store that have weights; says how many are of models from outside, and have none."""
    inside = tuple(run for run in runs if not run.spec.outside)
    if not inside:
        raise BadInput(f"{store}: has only results of models from outside, and no networks")
    if outside := len(runs) - len(inside):
        say(f"left out {several(outside, 'run')} of models from outside, whose weights are not here")
    return inside


def networks_of_runs(place: str, store: Path, runs: Sequence[Run], first: int = 0) -> list[Network]:
    """The networks of runs of the store in a folder, numbered from `first`."""
    return [
        Network(
            run.key[:8],
            place,
            number,
            run.networks,
            language_values(run.spec.language),
            run.spec.steps,
            f"run {run.key[:8]}: {run.spec.cell.name} with {run.spec.units} "
            f"on {run.spec.language.name}, seed {run.seed}"
            + (", only last steps count" if run.spec.steps == "last" else ""),
            run,
            store,
        )
        for number, run in enumerate(runs, first)
    ]


def _in_file(path: Path, cell: str | None) -> Network:
    """The network of a file that Abacist exported or PyTorch wrote."""
    kept = NetworkFile.load(path, None if cell is None else cell_named(cell))
    layout, about = kept.networks.layout, kept.about
    text = about.get("language")
    name = "no language" if text is None else name_in_text(text)
    language: LanguageValues | None = text
    if text is not None and name != text:
        language = language_values(language_from_text(text))
    seed = f", seed {about['seed']}" if "seed" in about else ""
    return Network(
        str(path),
        str(path),
        0,
        kept.networks,
        language,
        about.get("steps", "all"),
        f"{path}: {layout.cell.name} with {several(layout.hidden, 'hidden unit')} on {name}{seed}",
        said=about,
    )


def _in_folder(path: Path) -> list[Network]:
    """The networks of a folder that `abacist import` or another command has made."""
    kept = Folder.load(path)
    language = kept.record.get("language")
    steps = kept.record.get("spec", {}).get("steps", "all")
    layout, rows = kept.networks.layout, kept.networks.parameters
    units = several(layout.hidden, "hidden unit")
    name = language["name"] if isinstance(language, dict) and "name" in language else language
    about = f"{layout.cell.name} with {units} on {name or 'no language'}"
    return [
        Network(
            f"{path} {number}",
            str(path),
            number,
            Networks(layout, rows[number : number + 1]),
            language,
            steps,
            f"{path}, run {number}: {about}",
        )
        for number in range(len(rows))
    ]


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
