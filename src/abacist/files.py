"""Files that are written whole or not at all, and what is wrong with one in a few words."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from abacist.errors import BadFile


def write_whole(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write a file whole or not at all, whatever interrupts it; a private one is for this user alone."""
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_bytes(data)  # a device or a pipe must not be replaced by a file
            return
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if not private:
                os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise BadFile(f"{path}: cannot be written, {reason(error)}") from None


def make_folder(path: Path) -> None:
    """Make a folder and those above it, unless they are there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(f"{path}: cannot be created, {reason(error)}") from None


def reason(error: OSError) -> str:
    """What the system says about a file, as the end of a sentence."""
    return (error.strerror or str(error)).lower()


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
