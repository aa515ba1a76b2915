"""Opening the store of a folder, to read it or to fill it."""

from __future__ import annotations

from pathlib import Path

from abacist.errors import BadFile
from abacist.experiments import FILE_NAME, Store


def has_store(folder: Path) -> bool:
    """Whether there is a store in a folder."""
    return (folder / FILE_NAME).is_file()


def open_store(folder: Path) -> Store:
    """The store of a folder, to read; one sentence if there is none."""
    if not has_store(folder):
        raise BadFile(
            f"{folder}: holds no results; `abacist reproduce`, `abacist run` or `abacist train` makes some"
        )
    return Store(folder, reading=True)


def store_to_fill(folder: Path, dry_run: bool) -> Store | None:
    """The store of a folder, made if need be; a dry run makes none."""
    return None if dry_run and not has_store(folder) else Store(folder)
