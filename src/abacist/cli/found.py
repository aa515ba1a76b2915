"""Networks that the user names: a folder of them, or the run of a store by its key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from abacist.cli.results import open_results
from abacist.wording import several

if TYPE_CHECKING:
    from abacist.languages import Language
    from abacist.specs import Networks

NetworkArgument = Annotated[
    str, typer.Argument(metavar="RUN", help="The beginning of a run's key, or a folder of networks.")
]
RunOption = Annotated[
    int | None, typer.Option(help="Which network of a folder, from 0.", show_default="the first")
]
LanguageOption = Annotated[
    str | None, typer.Option(help="For networks that came without one.", show_default="the run's")
]


@dataclass(frozen=True)
class Found:
    """Networks, the name of their language if it is known, which steps count, and a title for each."""

    place: str
    networks: Networks
    language: str | None
    steps: str
    title: Callable[[int], str]
    by_key: bool

    def number(self, run: int | None) -> int:
        """Which network is meant."""
        from abacist.errors import BadInput

        if run is not None and self.by_key:
            raise BadInput(f"{self.place}: a key names one network, so --run says nothing")
        if not 0 <= (run or 0) < len(self.networks):
            raise BadInput(f"run must be from 0 to {len(self.networks) - 1}, got {run}")
        return run or 0

    def named(self, language: str | None) -> Language[Any]:
        """Their language: what the user says, or else what they came with; it must fit."""
        from abacist.errors import BadInput
        from abacist.languages import language_named

        name = language or self.language
        if name is None:
            raise BadInput(
                f"{self.place}: these networks came without a language, so name it with --language"
            )
        chosen, layout = language_named(name), self.networks.layout
        if (len(chosen.alphabet), chosen.outputs) != (layout.inputs, layout.outputs):
            raise BadInput(
                f"{name}: has {len(chosen.alphabet)} symbols and {chosen.outputs} outputs, "
                f"the networks {layout.inputs} and {layout.outputs}"
            )
        return chosen


def find(network: str, results: Path) -> Found:
    """The networks of a folder, or that of a run whose key begins so."""
    from abacist.errors import BadFile
    from abacist.experiments import FILE_NAME

    if network and Path(network).is_dir():
        return _of_folder(Path(network))
    if not (results / FILE_NAME).is_file():
        raise BadFile(f"{network}: is no folder of networks, and {results} holds no results")
    if "/" in network:
        raise BadFile(f"{network}: is no folder of networks")
    return _of_store(results, network)


def _of_folder(path: Path) -> Found:
    from abacist.specs.files import Folder

    kept = Folder.load(path)
    language = kept.record.get("language")
    about = f"{kept.networks.layout.cell.name} on {language or 'no language'}"
    steps = kept.record.get("spec", {}).get("steps", "all")
    return Found(str(path), kept.networks, language, steps, lambda run: f"{path}, run {run}: {about}", False)


def _of_store(results: Path, beginning: str) -> Found:
    from abacist.errors import UnknownName

    runs = open_results(results).runs
    found = [run for run in runs if beginning and run.key.startswith(beginning)]
    if not found:
        raise UnknownName(f"no run in {results} has a key that begins with {beginning!r}; see `abacist runs`")
    if len(found) > 1:
        raise UnknownName(f"{len(found)} runs in {results} have keys that begin with {beginning!r}")
    (run,) = found
    spec = run.spec
    title = (
        f"run {run.key[:8]}: {spec.cell.name} with {several(spec.hidden, 'hidden unit')} "
        f"on {spec.language.name}, seed {run.seed}"
    )
    return Found(beginning, run.networks, spec.language.name, spec.steps, lambda _: title, True)
