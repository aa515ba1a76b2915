"""Plugins: Python files with cells and languages of the user's own."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from runpy import run_path
from traceback import FrameSummary, extract_tb
from typing import Any

from abacist.cells.definition import Cell
from abacist.cells.names import OWN_CELLS
from abacist.errors import BadInput
from abacist.fields import check_fields, checked
from abacist.files import refusal
from abacist.languages import OWN_LANGUAGES, Language
from abacist.registry import Registry
from abacist.wording import in_a_sentence

#: What a file may define.
_REGISTRIES: tuple[Registry[Any], ...] = (OWN_CELLS, OWN_LANGUAGES)


@dataclass(frozen=True)
class Plugin:
    """A Python file, and the cells and languages that it defines at its top level."""

    path: Path
    cells: tuple[Cell, ...]
    languages: tuple[Language[Any], ...] = ()

    def __post_init__(self) -> None:
        check_fields(self)

    @classmethod
    @checked
    def of(cls, path: Path) -> Plugin:
        """The plugin in a file, which is executed as if it were imported."""
        names = _executed(path)
        try:
            cells, languages = (tuple(registry.among(names)) for registry in _REGISTRIES)
            for cell in cells:
                cell.content  # noqa: B018, of one that was made without @cell, which reads its formula
        except BadInput as error:
            raise BadInput(f"{path}: {error}") from None
        plugin, taken = cls(path, cells, languages), set[tuple[str, str]]()
        for registry, one in plugin.defined():
            registry.check_name(one, str(path))
            if (registry.noun, one.name) in taken:
                raise BadInput(f"{path}: two {registry.noun}s are named {one.name}; give one another name")
            taken.add((registry.noun, one.name))
        if not taken:
            raise BadInput(
                f"{path}: defines neither a cell nor a language; a formula becomes a cell by @cell"
            )
        return plugin

    def defined(self) -> Iterator[tuple[Registry[Any], Any]]:
        """All that it defines, each with its registry."""
        for registry, things in zip(_REGISTRIES, (self.cells, self.languages), strict=True):
            yield from ((registry, one) for one in things)


@checked
def load_plugins(paths: Sequence[Path], *, anew: bool = False) -> list[Plugin]:
    """Let what some files define go by its name from now on; `anew`, what others defined does so no more.

    Names must differ; a file that is named twice is one.
    """
    if anew:
        for registry in _REGISTRIES:
            registry.withdraw()
    plugins = [Plugin.of(path) for path in {path.resolve(): path for path in paths}.values()]
    defined = [(registry, one, plugin.path) for plugin in plugins for registry, one in plugin.defined()]
    places: dict[tuple[str, str], Path] = {}
    for registry, one, path in defined:
        other = places.setdefault((registry.noun, one.name), path)
        if other is not path:
            raise BadInput(
                f"{path}: a {registry.noun} named {one.name} is in {other}, too; give one another name"
            )
    for registry, one, path in defined:
        registry.add(one, str(path))
    return plugins


@checked
def cells_of(paths: Sequence[Path]) -> list[Cell]:
    """The cells that some Python files define, which go by their names from then on."""
    return [cell for plugin in load_plugins(paths) for cell in plugin.cells]


@checked
def cells_in(path: Path) -> list[Cell]:
    """The cells that a Python file defines; it is executed, as if it were imported."""
    return list(Plugin.of(path).cells)


#: The files that were executed in this process.
_EXECUTED = set[str]()


def plugin_failure(error: BaseException) -> str | None:
    """What a plugin's own code raised when it was called, and where; None if other code raised it."""
    lines = _lines(error, _EXECUTED)
    return f"{lines[-1].filename}: line {lines[-1].lineno} failed, {in_a_sentence(error)}" if lines else None


def _lines(error: BaseException, files: Collection[str]) -> list[FrameSummary]:
    """The places in some files that an exception went through."""
    return [frame for frame in extract_tb(error.__traceback__) if frame.filename in files]


def _executed(path: Path) -> dict[str, Any]:
    """What a file calls everything in it."""
    try:
        path.read_bytes()  # what cannot be read is not the program's fault, but what it cannot read is
    except OSError as error:
        raise refusal(path, "cannot be read", error) from None
    try:
        names = run_path(str(path), run_name=path.stem)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        lines = _lines(error, {str(path)})
        at = f" in line {lines[-1].lineno}" if lines else ""
        if lines and isinstance(error, BadInput):  # such as that of a cell, which says what is wrong
            raise BadInput(f"{path}:{at}, {error}") from None
        raise BadInput(f"{path}: cannot be executed{at}, {in_a_sentence(error)}") from None
    _EXECUTED.add(str(path))
    return names
