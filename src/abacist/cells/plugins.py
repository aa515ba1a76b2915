"""Plugins: Python files with cells and languages of the user's own."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from runpy import run_path
from traceback import FrameSummary, extract_tb
from typing import Any

from abacist.cells.definition import Cell
from abacist.cells.names import KNOWN, add_cell
from abacist.cells.register import withdraw
from abacist.entry_points import public_things
from abacist.errors import BadInput
from abacist.fields import check_fields, checked
from abacist.files import refusal
from abacist.languages import Language, add_language, language_named
from abacist.languages.names import comes_with_abacist
from abacist.languages.register import withdraw_languages
from abacist.wording import in_a_sentence


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
        cells = public_things(names, Cell)
        try:
            cells = [cell for cell in cells if cell.content and cell not in KNOWN.values()]
        except BadInput as error:  # of a cell that was made without @cell, which reads its formula
            raise BadInput(f"{path}: {error}") from None
        languages = [one for one in public_things(names, Language) if not _is_known(one)]
        for kind, own, taken in (("cell", cells, KNOWN), ("language", languages, ())):
            for number, one in enumerate(own):
                if one.name in taken:
                    raise BadInput(
                        f"{path}: a {kind} named {one.name} comes with Abacist; give yours another name"
                    )
                if one.name in (other.name for other in own[:number]):
                    raise BadInput(f"{path}: two {kind}s are named {one.name}; give one another name")
        if not cells and not languages:
            raise BadInput(
                f"{path}: defines neither a cell nor a language; a formula becomes a cell by @cell"
            )
        return cls(path, tuple(cells), tuple(languages))


@checked
def load_plugins(paths: Sequence[Path], *, anew: bool = False) -> list[Plugin]:
    """Let what some files define go by its name from now on; `anew`, what others defined does so no more.

    Names must differ; a file that is named twice is one.
    """
    if anew:
        withdraw()
        withdraw_languages()
    plugins = [Plugin.of(path) for path in {path.resolve(): path for path in paths}.values()]
    found: dict[tuple[str, str], Path] = {}
    for plugin in plugins:
        for kind, own in (("cell", plugin.cells), ("language", plugin.languages)):
            for one in own:
                other = found.setdefault((kind, one.name), plugin.path)
                if other is not plugin.path:
                    raise BadInput(
                        f"{plugin.path}: a {kind} named {one.name} is in {other}, too; give one another name"
                    )
    for plugin in plugins:
        for cell in plugin.cells:
            add_cell(cell, str(plugin.path))
        for language in plugin.languages:
            add_language(language, str(plugin.path))
    return plugins


@checked
def cells_of(paths: Sequence[Path]) -> list[Cell]:
    """The cells that some Python files define, which go by their names from then on."""
    return [cell for plugin in load_plugins(paths) for cell in plugin.cells]


@checked
def cells_in(path: Path) -> list[Cell]:
    """The cells that a Python file defines; it is executed, as if it were imported."""
    return list(Plugin.of(path).cells)


def _is_known(language: Language[Any]) -> bool:
    return comes_with_abacist(language.name) and language_named(language.name) == language


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
