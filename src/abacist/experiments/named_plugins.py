"""Plugins that an experiment's file names, and the line that names those of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from abacist.cells import OWN_CELLS, Cell, load_plugins
from abacist.errors import BadInput
from abacist.languages import OWN_LANGUAGES, Language
from abacist.registry import Offered


def load_named_plugins(names: Any, folder: Path) -> None:
    """Load the Python files that a file in a folder names; their paths begin there."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise BadInput(f'plugins must be a list of files, such as ["mine.py"], got {names!r}')
    load_plugins([folder / name for name in names])


def plugin_files(cell: Cell, language: Language[Any]) -> list[str]:
    """The files that a cell and a language come from, where they come from any."""
    added: list[Offered[Any]] = [*OWN_CELLS.added.values(), *OWN_LANGUAGES.added.values()]
    origins = [one.origin for one in added if one.thing in (cell, language)]
    return list(dict.fromkeys(str(Path(origin).resolve()) for origin in origins if Path(origin).is_file()))
