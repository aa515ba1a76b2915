"""Networks that the user names or chooses: by a run's key, a store, a folder of networks, or a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from abacist.cells import cell_named
from abacist.cli.options import (
    StoreOption,
    WhereOption,
    chosen,
    has_store,
    open_results,
    run_named,
    settings_of,
)
from abacist.cli.parameters import Argument
from abacist.cli.screen import say, warn
from abacist.errors import AbacistError, BadFile, BadInput, MissingFile
from abacist.experiments import Results, Run
from abacist.experiments.plan import ALL_WORDS, on_words
from abacist.fields import Field
from abacist.files import absence
from abacist.languages import (
    Language,
    language_asked_for,
    language_from_text,
    language_text,
)
from abacist.specs import Networks
from abacist.specs.files import NetworkFile, save_folder
from abacist.wording import plural

_RUN = Argument(
    "A run key prefix, a folder with a store, a folder of networks, or a .safetensors file.", metavar="RUN"
)
NetworkArgument = Annotated[str, _RUN]
OptionalNetworkArgument = Annotated[str | None, _RUN]
NewFolderOption = Annotated[Path, "The folder of networks to create; every command about networks takes it."]
RunOption = Annotated[int | None, "Which network of a folder, counted from 0.", "the first"]
OnlyRunOption = Annotated[int | None, "Only this network of a folder, counted from 0.", "all"]
LanguageOption = Annotated[
    str | None,
    "Its language, for a network imported without one: a name, regex:EXPRESSION or a TOML file.",
    "the run's",
]
WordsOption = Annotated[
    str | None,
    Field(
        "Only these words of its language: training, those that its training words are drawn from, or those "
        "of another language, such as dyck-2.",
        metavar="WORDS",
        usual="all words",
    ),
]
CellOption = Annotated[str | None, "Its cell, for a .safetensors file that does not say it."]

#: What gives all that the store of a folder has.
_Read = Callable[[Path], Results]


@dataclass(frozen=True, eq=False)
class Network:
    """One trained network, and what is known about it.

    `networks` holds it alone; `number` is its place in the folder; `language` is None for networks
    that came without one; `steps` says which steps count; `name` is short, `title` says it all; `run` is what
    the store in a folder has of it, `metadata` what its file says of it.
    """

    name: str
    place: str
    number: int
    networks: Networks
    language: Language[Any] | None
    steps: str
    title: str
    run: Run | None = None
    store: Path | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)

    def about(self) -> dict[str, str]:
        """What a file with it says: its language, which steps count, and its run's seed and key."""
        about = {name: self.metadata[name] for name in ("seed", "key") if name in self.metadata}
        if self.language is not None:
            about["language"] = language_text(self.language)
        if self.steps != "all":
            about["steps"] = self.steps
        return about if self.run is None else about | {"seed": str(self.run.seed), "key": self.run.key}

    @property
    def file_name(self) -> str:
        """What files about it are called: by the run's key, by folder and number, or as its own file."""
        if self.run is not None:
            return self.name
        place = Path(self.place).absolute()
        return place.stem if place.is_file() else f"{place.name}-{self.number}"

    def settings(self, language: Language[Any]) -> dict[str, Any]:
        """What a table says of any network: its language, cell and size."""
        layout = self.networks.layout
        return {"language": language.name, "cell": layout.cell.name, "hidden": layout.hidden}

    def language_or(self, name: str | None, words: str | None = None) -> Language[Any]:
        """Its language: what the user says, or else what it came with, perhaps on some words; it must fit."""
        language = language_asked_for(name) if name else self.language
        if language is None:
            raise BadInput(f"{self.place}: this network came without a language, so name it with --language")
        self.networks.check_language(language)
        return on_words(language, words or ALL_WORDS, None if self.run is None else self.run.spec)


@dataclass(frozen=True)
class OneNetwork:
    """The options of a command about one network."""

    name: NetworkArgument
    run: RunOption = None
    language: LanguageOption = None
    cell: CellOption = None
    results: StoreOption = Path("results")

    def networks(self) -> list[Network]:
        """All networks that go by the name, or that of them with a number; they have one shape."""
        networks = SomeNetworks([self.name], self.results, cell=self.cell).networks(self.run)
        runs = [one.run for one in networks if one.run is not None]
        if len({(run.spec.language, run.spec.steps, run.spec.layout) for run in runs}) > 1:
            raise BadInput(
                f"{self.name}: holds networks of several languages or shapes; choose one with --run, "
                f"counted from 0 in the order of `abacist runs --results {self.name}`"
            )
        return networks

    def load(self) -> tuple[Network, Language[Any]]:
        """The network, or the first of those that go by the name, and its language."""
        network = self.networks()[0]
        return network, network.language_or(self.language)


@dataclass(frozen=True)
class NetworksOfAName(OneNetwork):
    """The options of a command about all networks of a folder, or one of them."""

    run: OnlyRunOption = None


@dataclass(frozen=True)
class SomeNetworks:
    """The options of a command about several networks, of any shapes."""

    names: Annotated[
        list[str] | None,
        Argument(
            "Run key prefixes, folders with a store, folders of networks, or .safetensors files.",
            metavar="RUN",
            usual="all runs of the store",
        ),
    ] = None
    results: StoreOption = Path("results")
    where: WhereOption = None
    language: LanguageOption = None
    cell: CellOption = None

    def networks(
        self,
        run: int | None = None,
        *,
        read: _Read = open_results,
        failed: list[AbacistError] | None = None,
    ) -> list[Network]:
        """The networks that are named, or those of a store that fit the conditions, each once.

        `run` is the number of the one that is meant of a folder. With `failed`, a damaged file is added to it
        and does not stop the others.
        """
        if self.where and run is not None:
            raise BadInput("--run names one network and --where chooses some, so give one of the two")
        names = self.names or [str(self.results)]
        networks = list[Network]()
        for name in names:
            try:
                networks += self._named(name, run, read)
            except BadFile as error:
                if failed is None or isinstance(error, MissingFile):
                    raise
                failed.append(error)
        if not networks and failed:
            raise failed[0]
        if not networks:
            raise BadInput("no networks: the store has no runs that fit")
        once = {(one.store, one.run.key) if one.run else (one.place, one.number): one for one in networks}
        return list(once.values())

    def _named(self, name: str, run: int | None, read: _Read) -> list[Network]:
        """The networks of a store, of a file, of a folder without a store, or of a run by its key."""
        path = Path(name)
        is_file = name.endswith(".safetensors") and not path.is_dir()
        if self.cell is not None and self.names and not is_file:
            raise BadInput(f"--cell is for a .safetensors file, and {name} knows its own")
        if not self.names or (name and has_store(path)):
            return _in_store(path, read, self.where or (), run)
        if self.where:
            raise BadInput("--where chooses runs of a store, not keys or folders of networks")
        if is_file or (name and path.is_dir()):
            cell = None if self.cell is None else cell_named(self.cell)
            networks = _in_file(
                path, NetworkFile.load(path, cell) if is_file else NetworkFile.load_folder(path)
            )
            _check_number(run, len(networks))
            return networks if run is None else [networks[run]]
        if run is not None:
            raise BadInput(f"{name}: a key names one network, so --run does not apply")
        if "/" in name:
            raise absence(path, "is not a folder" if path.exists() else "there is no such folder")
        if not has_store(self.results):
            raise absence(path, f"is not a folder, and {self.results} holds no results")
        return [_of_run(name, self.results, run_named(name, self.results), 0)]


@dataclass(frozen=True)
class NetworksOnWords(SomeNetworks):
    """The options of a command about several networks on all words, or on some."""

    words: WordsOption = None

    def language_of(self, network: Network) -> Language[Any]:
        """What a network is looked at on."""
        return network.language_or(self.language, self.words)


def keep_networks(networks: Networks, about: Mapping[str, str | None], folder: Path) -> None:
    """Write networks into a new folder, which goes by its name from then on, and print that name."""
    save_folder(networks, folder, about={name: text for name, text in about.items() if text is not None})
    print(folder)


def settings_of_runs(networks: Sequence[Network]) -> dict[Network, dict[str, Any]]:
    """For every network of a store the fields of its spec that are worth showing beside the others'."""
    settings = settings_of(dict.fromkeys(one.run.spec for one in networks if one.run is not None))
    return {one: settings[one.run.spec] for one in networks if one.run is not None}


def keep_those(networks: list[Network], with_it: Callable[[Network], bool], without: str) -> list[Network]:
    """The networks that have something; says how many do not."""
    having = [one for one in networks if with_it(one)]
    if len(having) < len(networks):
        say(f"left out {plural(len(networks) - len(having), 'network')} {without}")
    return having


def joined(networks: Sequence[Network]) -> Networks:
    """Networks of one shape as one."""
    rows = np.concatenate([one.networks.parameters for one in networks])
    return Networks(networks[0].networks.layout, rows)


def _check_number(run: int | None, count: int) -> None:
    if not 0 <= (run or 0) < count:
        raise BadInput(f"run must be from 0 to {count - 1}, got {run}")


def _in_store(folder: Path, read: _Read, where: Sequence[str], number: int | None) -> list[Network]:
    """The networks of the runs of a store that fit all conditions, or that with a number."""
    runs = read(folder).runs
    if not runs:
        raise BadFile(f"{folder}: its store holds no runs yet")
    if number is not None:
        _check_number(number, len(runs))
        return [_of_run(str(folder), folder, runs[number], number)]
    numbers = {run.key: n for n, run in enumerate(runs)}
    fitting = [run for run, _ in chosen(runs, where)] if where else runs
    inside = [run for run in fitting if not run.spec.outside]
    if fitting and not inside:
        raise BadInput(f"{folder}: has only results of models from outside, and no networks")
    if outside := len(fitting) - len(inside):
        say(f"left out {plural(outside, 'run')} of models from outside, whose weights are not here")
    absent = [run.spec.cell.absence for run in inside if run.spec.cell.absence is not None]
    if 0 < len(absent) < len(inside):
        warn(f"{folder}: {plural(len(absent), 'run')} left out, {absent[0]}")
        inside = [run for run in inside if run.spec.cell.absence is None]
    return [_of_run(str(folder), folder, run, numbers[run.key]) for run in inside]


def _of_run(place: str, store: Path, run: Run, number: int) -> Network:
    """The network of a run of the store in a folder."""
    spec = run.spec
    title = (
        f"run {run.key[:8]}: {spec.cell.name} with {spec.units} on {spec.language.name}, seed {run.seed}"
        + (", only last steps count" if spec.steps == "last" else "")
    )
    return Network(run.key[:8], place, number, run.networks, spec.language, spec.steps, title, run, store)


def _in_file(path: Path, kept: NetworkFile) -> list[Network]:
    """The networks of a file that Abacist exported or PyTorch wrote, or of a folder."""
    layout, about = kept.networks.layout, kept.about
    text, steps = about.get("language"), about.get("steps", "all")
    language = None if text is None else language_from_text(text)
    name = "no language" if language is None else language.name
    seed = f", seed {about['seed']}" if "seed" in about else ""
    what = f"{layout.cell.name} with {plural(layout.hidden, 'hidden unit')} on {name}{seed}"
    networks = []
    for number, row in enumerate(kept.networks.parameters):
        names = (f"{path}", f"{path}") if path.is_file() else (f"{path} {number}", f"{path}, run {number}")
        alone, title = Networks(layout, row[None]), f"{names[1]}: {what}"
        networks.append(Network(names[0], str(path), number, alone, language, steps, title, metadata=about))
    return networks
