"""Folders and files that nobody but this user, and the superuser, can change.

Whoever can write into a folder, or put another in its place, decides what is read from it. So a
private folder is one that this user (or the superuser) owns and no other may write to, and the
same holds for all folders above it; one above it may also be open to all like /tmp, where nobody
can rename what belongs to others. Where there are no users of this kind (Windows), nothing is asked.
"""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from abacist.errors import BadFile
from abacist.files import reason, write_whole

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_OTHERS_READ = stat.S_IRGRP | stat.S_IROTH


def private_folder(path: Path) -> Path:
    """The real path of a private folder, made if it is missing, to be used from then on."""
    real = Path(os.path.realpath(path))
    try:
        for folder in (*reversed(real.parents), real):
            if not folder.is_dir():
                _make(folder)
            # From the top down: below a folder that has passed, nobody else can change what comes next.
            _check(folder, os.lstat(folder), open_to_all=folder != real)
    except OSError as error:
        raise BadFile(f"{real}: cannot be used, {reason(error)}") from None
    return real


def _make(folder: Path) -> None:
    """Make a folder for this user alone, whatever the umask takes away; another process may be quicker."""
    try:
        folder.mkdir(0o700)
    except FileExistsError:
        if not folder.is_dir():
            raise
    else:
        folder.chmod(0o700)


def read_private(path: Path, *, secret: bool = False) -> bytes | None:
    """What a private file has, None if it is missing; a secret is not for others to read either."""
    try:
        with open(path, "rb", opener=_open_itself) as file:
            _check(path, os.fstat(file.fileno()), secret=secret)  # of what was opened, not of what lies there
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadFile(f"{path}: cannot be read, {reason(error)}") from None


def create_private(path: Path, data: bytes) -> None:
    """Write a private file that is not there yet; where another process is quicker, its file stays."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    write_whole(temporary, data, private=True)
    try:
        with suppress(FileExistsError):
            os.link(temporary, path)
    except OSError:  # a file system without links: the last one stays
        write_whole(path, data, private=True)
    finally:
        temporary.unlink(missing_ok=True)


def _open_itself(path: str, flags: int) -> int:
    """Open a file, not what a link points to, and without waiting for whom a pipe leads to."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def _check(path: Path, status: os.stat_result, *, open_to_all: bool = False, secret: bool = False) -> None:
    if not hasattr(os, "geteuid"):
        return
    if status.st_uid not in (0, os.geteuid()):
        raise BadFile(f"{path}: must not belong to another user, but belongs to user {status.st_uid}")
    if status.st_mode & _OTHERS_WRITE and not (open_to_all and status.st_mode & stat.S_ISVTX):
        raise BadFile(f"{path}: other users must not be able to write to it; `chmod go-w` sees to that")
    if secret and status.st_mode & _OTHERS_READ:
        raise BadFile(f"{path}: other users must not be able to read it; remove it, and a new one is made")
