"""Files that are written whole or not at all, and what is wrong with one in a few words."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from abacist.errors import BadFile, MissingFile


def write_whole(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write a file whole or not at all, whatever interrupts it; a private one is for this user alone."""
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_bytes(data)  # a device or a pipe must not be replaced by a file
            return
        temporary = path.parent / f".{path.name}.{uuid4().hex[:8]}"
        try:
            with open(temporary, "xb", opener=_open_private if private else None) as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise refusal(path, "cannot be written", error) from None


def make_folder(path: Path) -> None:
    """Make a folder and those above it, unless they are there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refusal(path, "cannot be created", error) from None


def check_new_folder(path: Path) -> None:
    """Refuse a folder that has something in it."""
    if path.exists() and not path.is_dir():
        raise BadFile(f"{path}: is a file; name a folder")
    if path.exists() and any(path.iterdir()):
        raise BadFile(f"{path}: already exists and is not empty; name another folder")


@contextmanager
def new_folder(path: Path) -> Iterator[None]:
    """Fill a new or empty folder; if that fails, nothing stays behind that a second attempt would meet."""
    check_new_folder(path)
    empty = path.exists()
    make_folder(path)
    try:
        yield
    except BaseException:
        for entry in path.iterdir():
            with suppress(OSError):
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        with suppress(OSError):
            if not empty:
                path.rmdir()
        raise


def refusal(path: Path, what: str, error: OSError) -> BadFile:
    """What the system refuses to do with a path, as an error with its exit code."""
    kind = MissingFile if isinstance(error, FileNotFoundError | NotADirectoryError) else BadFile
    return kind(f"{path}: {what}, {reason(error)}")


def absence(path: Path, what: str) -> BadFile:
    """Something is not found at a path: misuse where there is nothing at all."""
    return (BadFile if path.exists() else MissingFile)(f"{path}: {what}")


def check_parent(path: Path) -> None:
    """Refuse a file to write whose folder is missing, before any work."""
    if not path.absolute().parent.is_dir():
        raise MissingFile(f"{path}: cannot be written, there is no folder {path.parent}")


def reason(error: OSError) -> str:
    """What the system says about a file, as the end of a sentence."""
    return (error.strerror or str(error)).lower()


def _open_private(path: str, flags: int) -> int:
    handle = os.open(path, flags, 0o600)
    os.chmod(path, 0o600)  # whatever the mask, which may take rights from the owner, too
    return handle
