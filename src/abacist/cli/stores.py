"""Opening the store of a folder, to read it or to fill it."""

from __future__ import annotations

import gc
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from abacist.cli.saying import warn
from abacist.experiments import FILE_NAME, Results, Store
from abacist.files import absence


def has_store(folder: Path) -> bool:
    """Whether there is a store in a folder."""
    return (folder / FILE_NAME).is_file()


def open_store(folder: Path, *, writing: bool = False) -> Store:
    """The store of a folder, by default only to read it; one sentence if there is none."""
    if not has_store(folder):
        raise absence(
            folder, "holds no results; run `abacist reproduce`, `abacist run` or `abacist train` first"
        )
    return Store(folder, reading=not writing)


def open_results(folder: Path) -> Results:
    """All that the store of a folder has; what cannot be read there is named on standard error."""
    with open_store(folder) as store:
        return read_results(store)


def read_results(store: Store) -> Results:
    """All that a store has; what cannot be read there is named on standard error."""
    results = Results.of(store)
    gc.freeze()  # none of it becomes garbage before the command ends (`app.py`): it is not looked through
    for sentence in results.left_out:
        warn(sentence)
    return results


def store_to_fill(folder: Path, dry_run: bool) -> AbstractContextManager[Store | None]:
    """The store of a folder, made if need be; a dry run only reads it, and makes none."""
    if not dry_run:
        return Store(folder)
    return Store(folder, reading=True) if has_store(folder) else nullcontext()
