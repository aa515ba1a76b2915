"""Tests of what may not be written: the superuser may write anywhere, so it steps aside for a while."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NOBODY = 65534


@contextmanager
def closed_folder() -> Iterator[Path]:
    """A folder that anyone may read, and that its owner may fill until it is closed with `closed`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        try:
            yield folder
        finally:
            folder.chmod(0o755)


@contextmanager
def closed(folder: Path) -> Iterator[None]:
    """Nobody may write into a folder or change its files meanwhile, as far as this process is concerned.

    What a command imports while it runs must have been imported before: an ordinary user may not be
    allowed to read the superuser's Python.
    """
    superuser = os.geteuid() == 0
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    if superuser:
        os.seteuid(_NOBODY)
    try:
        yield
    finally:
        if superuser:
            os.seteuid(0)
        folder.chmod(0o755)
