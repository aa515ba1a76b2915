"""Plugins: Python files with cells and languages of the user's own."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from runpy import run_path
from traceback import FrameSummary, extract_tb
from typing import Any

from abacist.cells.definition import Cell
from abacist.cells.names import OWN_CELLS
from abacist.errors import BadInput
from abacist.fields import checked
from abacist.files import refusal
from abacist.languages import OWN_LANGUAGES
from abacist.registry import Registry, plain
from abacist.wording import in_a_sentence

#: What a file may define.
_REGISTRIES: tuple[Registry[Any], ...] = (OWN_CELLS, OWN_LANGUAGES)


@checked
def defined_in(path: Path) -> list[tuple[Registry[Any], Any]]:
    """The cells and languages that a Python file defines at its top level, each with its registry.

    The file is executed as if it were imported.
    """
    names = _executed(path)
    try:
        definitions = [(registry, thing) for registry in _REGISTRIES for thing in registry.among(names)]
        for _, thing in definitions:
            if isinstance(thing, Cell):
                thing.content  # noqa: B018, of one that was made without @cell, which reads its formula
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    if not definitions:
        raise BadInput(f"{path}: defines neither a cell nor a language; a formula becomes a cell by @cell")
    return definitions


@checked
def load_plugins(paths: Sequence[Path], *, anew: bool = False) -> None:
    """Let what some files define go by its name from now on; `anew`, what others defined does so no more.

    Names must differ; a file that is named twice is one. If a file is refused, nothing is added.
    """
    if anew:
        for registry in _REGISTRIES:
            registry.withdraw()
    files = {path.resolve(): path for path in paths}.values()
    definitions = [(registry, thing, path) for path in files for registry, thing in defined_in(path)]
    taken: dict[tuple[str, str], Path] = {}
    for registry, thing, path in definitions:
        registry.check_name(thing, str(path))
        other = taken.get((registry.noun, plain(thing.name)))
        if other is not None:
            where = "in it twice" if other == path else f"in {other}, too"
            raise BadInput(f"{path}: a {registry.noun} named {thing.name} is {where}; give one another name")
        taken[registry.noun, plain(thing.name)] = path
    for registry, thing, path in definitions:
        registry.add(thing, str(path))


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
