"""The authenticated cache of compiled code: what it returns, this user put there, bit for bit.

Under the cache folder, `programs` has the texts of printed programs, for people: nothing reads them.
`compiled` has what the compiler made. Loading that means running it, so each file begins with a
message authentication code (HMAC) over its name and its content, under a random key that only this
user can read. What does not fit is as good as missing: it is compiled again. A part that outgrows its size
loses what was used least recently.

A folder that the user named with ABACIST_CACHE must be fit for use. Where the system's own place is
not, nothing is kept, and the log says so once.
"""

from __future__ import annotations

import hmac
import logging
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import time

import platformdirs

from abacist.errors import BadFile
from abacist.files import write_whole
from abacist.machine_code.private_files import create_private, private_folder, read_private

_KEY_LENGTH = _CODE_LENGTH = 32  # bytes of SHA-256

#: Bytes that the files of a part may take together, and seconds after which an unfinished one is left over.
LARGEST = {"programs": 64 << 20, "compiled": 256 << 20}
_LEFT_OVER = 3600

_log = logging.getLogger("abacist")  # without a handler, Python writes its warnings to standard error
_warned: set[Path] = set()


def cache_folder() -> Path:
    """Where compiled code is kept: ABACIST_CACHE, or the system's place for a user's caches."""
    if chosen := os.environ.get("ABACIST_CACHE"):
        return Path(chosen)
    return platformdirs.user_cache_path("abacist")


def keep_text(name: str, text: str) -> None:
    """Write the text of a program for people to read, unless it is there."""
    with kept_if_possible():
        folder, data = private_folder(cache_folder() / "programs"), text.encode()
        if read_private(folder / name) != data:
            _write("programs", folder / name, data)


def load_code(name: str) -> bytes | None:
    """The code that was kept under a name, None if none was or if a bit of it is not as it was kept."""
    with kept_if_possible():
        folder = private_folder(cache_folder())
        path = private_folder(folder / "compiled") / name
        kept = read_private(path)
        if kept is not None:
            code, content = kept[:_CODE_LENGTH], kept[_CODE_LENGTH:]
            if hmac.compare_digest(code, _authentication(folder, name, content)):
                with suppress(OSError):  # another process may have removed it, and a folder may be read-only
                    os.utime(path)
                return content
    return None


def save_code(name: str, content: bytes) -> None:
    """Keep code under a name."""
    with kept_if_possible():
        folder = private_folder(cache_folder())
        path = private_folder(folder / "compiled") / name
        _write("compiled", path, _authentication(folder, name, content) + content)


def _authentication(folder: Path, name: str, content: bytes) -> bytes:
    return hmac.digest(_key(folder / "key"), f"compiled\0{name}\0".encode() + content, "sha256")


def _write(part: str, place: Path, data: bytes) -> None:
    """Write a file; remove those that were used least recently, beyond what all may take together.

    Other processes may do the same meanwhile: a file that is gone, or cannot be removed, is no error.
    """
    write_whole(place, data, private=True)
    files = []
    with suppress(OSError):
        for entry in os.scandir(place.parent):
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                files.append((status.st_mtime, status.st_size, entry.path))
    total, now = 0, time()
    for used, size, path in sorted(files, reverse=True):
        total += size
        being_written = os.path.basename(path).startswith(".") and now - used < _LEFT_OVER
        if total > LARGEST[part] and not being_written:
            with suppress(OSError):
                os.unlink(path)


def _key(path: Path) -> bytes:
    """The key of a cache; a new one where there is none, or where it has been cut."""
    key = read_private(path, secret=True)
    if key is None:
        create_private(path, secrets.token_bytes(_KEY_LENGTH))
    elif len(key) != _KEY_LENGTH:
        write_whole(path, secrets.token_bytes(_KEY_LENGTH), private=True)
    else:
        return key
    key = read_private(path, secret=True)  # another process may have been quicker
    if key is None or len(key) != _KEY_LENGTH:
        raise BadFile(f"{path}: must have {_KEY_LENGTH} bytes, got {len(key or b'')}")
    return key


class _UnfitChoice(BadFile):
    """The folder that the user named is not fit for use: nobody need say more."""


@contextmanager
def kept_if_possible() -> Iterator[None]:
    """Trouble with a folder that the user named is the user's to mend; any other is only said, once."""
    folder = cache_folder()
    try:
        yield
    except _UnfitChoice:
        raise
    except BadFile as error:
        if os.environ.get("ABACIST_CACHE"):
            raise _UnfitChoice(f"the cache of compiled code (ABACIST_CACHE): {error}") from None
        if folder not in _warned:
            _warned.add(folder)
            _log.warning(
                "abacist: compiled code is not kept for the next time (%s); "
                "set ABACIST_CACHE to a folder of your own",
                error,
            )
