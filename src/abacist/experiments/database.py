"""The SQLite file of a store: opened (`open_to_fill`, `open_to_read`), created; what is wrong.

A file appears whole, with all its tables: an empty one is never a store in the making. It has SQLite's
rollback journal: between two commits the file is all there is, and reading needs only the right to read.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache, partial
from pathlib import Path
from sys import getsizeof
from typing import Any
from uuid import uuid4

from abacist.errors import BadFile
from abacist.experiments.owners import is_void
from abacist.files import reason, refusal

#: Changes when older versions of Abacist must not write to a store any more. 1 and 2 had the write-ahead log,
#: and 2 a table of all keys besides; up to 3 losses were in the results' text. They are read as they are, and
#: become a 4 when they are filled: new rows have losses of their own, and older rows stay.
VERSION = 4
_OLDEST = 1

#: Seconds to wait for another process that is writing, and between two attempts. SQLite's own waiting has
#: pauses of 0.1 s, hardly ever meets a moment between the commits of a busy writer, and does not heed Ctrl-C.
_PATIENCE, _PAUSE = 60.0, 0.001

#: A file of SQLite is never shorter.
_SHORTEST = 512

#: Rows and bytes that are read at a time, at most; writers come in between.
_ROWS, _BYTES = 1024, 4_000_000

_TABLES = (
    "CREATE TABLE runs (key TEXT PRIMARY KEY, spec TEXT NOT NULL, seed INTEGER NOT NULL, "
    "results TEXT NOT NULL, precision TEXT NOT NULL, weights BLOB NOT NULL, checksum TEXT NOT NULL, "
    "losses BLOB)",
    "CREATE TABLE claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL, renewed REAL NOT NULL)",
)

_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_UNWRITABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what SQLite says into one sentence with the file's name."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError, MemoryError) as error:  # what a damaged file can lead to
        text = " ".join(str(error).split())
        if _code(error) in _BUSY:
            raise BadFile(f"{path}: another process is writing to it, try again") from None
        if _code(error) in _UNWRITABLE:
            raise BadFile(f"{path}: cannot be written, {text}") from None
        raise BadFile(f"{path}: the store is damaged ({text}); move it away to start afresh") from None
    except OSError as error:
        raise refusal(path, "cannot be opened", error) from None


def open_to_fill(path: Path) -> sqlite3.Connection:
    """A store's file, created if it is not there, in today's version."""
    if not path.exists():
        _create(Path(os.path.realpath(path)))
    with _opened(path, path, "mode=rw") as connection:
        _refuse_unwritable(path)
        connection.execute("PRAGMA synchronous = EXTRA")
        _update(connection, path)
        return connection


def open_to_read(path: Path, *, verified: bool = True) -> sqlite3.Connection:
    """A store's file, also where nothing can be written; `verified` as a whole, its rows are not."""
    try:
        with _opened(path, path, "mode=rw", verified=verified) as connection:
            return connection
    except sqlite3.OperationalError as error:
        if _code(error) not in _UNWRITABLE:
            raise
    # A commit was cut short, or the store has a write-ahead log, and here SQLite cannot take care of either.
    place, how = (_private_copy(path), "mode=rw") if len(_stamps(path)) > 1 else (path, "immutable=1")
    with _opened(path, place, how, verified=verified) as connection:
        return connection


def execute(connection: sqlite3.Connection, statement: str, values: Sequence[object] = ()) -> list[Any]:
    """All rows of a statement. Waits while another process is writing, and Ctrl-C ends the waiting."""
    return _begin(connection, statement, values).fetchall()


def _begin(connection: sqlite3.Connection, statement: str, values: Sequence[object]) -> sqlite3.Cursor:
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            return connection.execute(statement, values)
        except sqlite3.OperationalError as error:
            if _code(error) not in _BUSY or time.monotonic() >= deadline:
                raise
        time.sleep(_PAUSE)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing, and nobody else writes meanwhile."""
    try:
        execute(connection, "BEGIN IMMEDIATE")
        yield
        execute(connection, "COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite itself has given up some that failed
            connection.execute("ROLLBACK")
        raise


def blocks_of_rows(connection: sqlite3.Connection) -> Iterator[list[Any]]:
    """All runs in blocks. The file is locked only while a block is read, so that no writer has to wait.

    A run that is written again meanwhile comes a second time.
    """
    query, last = "SELECT rowid, * FROM runs WHERE rowid > ? ORDER BY rowid", -(2**63)
    while True:
        block, size = list[Any](), 0
        with closing(_begin(connection, query, (last,))) as rows:
            for number, *row in rows:
                block.append(tuple(row))
                last, size = number, size + sum(map(getsizeof, row))
                if len(block) == _ROWS or size > _BYTES:
                    break
        if not block:
            return
        yield block


def _connect(path: Path, how: str) -> sqlite3.Connection:
    place = f"{Path(os.path.realpath(path)).as_uri()}?{how}"
    connection = sqlite3.connect(place, timeout=0, isolation_level=None, check_same_thread=False, uri=True)
    # a text with a flipped bit may be no text at all; it must not hide the other rows
    connection.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
    return connection


@contextmanager
def _opened(path: Path, place: Path, how: str, *, verified: bool = True) -> Iterator[sqlite3.Connection]:
    """A store at some place, of a version that is known, verified as a whole; closed if that fails."""
    _refuse_stub(path)
    connection = _connect(place, how)
    try:
        if not _OLDEST <= (version := _version(connection)) <= VERSION:
            versions = f"this Abacist reads versions {_OLDEST} to {VERSION}"
            raise BadFile(f"{path}: the store has version {version}, but {versions}")
        if verified:
            _verify(connection)
        yield connection
    except BaseException:
        connection.close()
        raise


def _create(path: Path) -> None:
    """Create a store without runs under another name, and give it its own unless someone was faster."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{uuid4().hex[:8]}")
    try:
        with closing(_connect(draft, "mode=rwc")) as connection:
            connection.execute("PRAGMA synchronous = EXTRA")
            with transaction(connection):
                for statement in (*_TABLES, f"PRAGMA user_version = {VERSION}"):
                    connection.execute(statement)
        _publish(draft, path)
    finally:
        for left in (draft, draft.with_name(f"{draft.name}-journal")):
            left.unlink(missing_ok=True)


def _publish(draft: Path, path: Path) -> None:
    try:
        os.link(draft, path)
    except FileExistsError:
        return
    except OSError:  # a file system without second names
        try:
            with path.open("xb") as file:
                file.write(draft.read_bytes())
                file.flush()
                os.fsync(file.fileno())
        except FileExistsError:
            return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # or the name could be gone after a loss of power
    finally:
        os.close(folder)


def _refuse_stub(path: Path) -> None:
    """SQLite takes a file without content for a new database, and would begin anew in it."""
    size = path.stat().st_size
    if path.is_file() and size == 0:
        raise BadFile(f"{path}: is empty, what was in it is lost; move it away to start afresh")
    if path.is_file() and size < _SHORTEST:
        raise sqlite3.DatabaseError("file is not a database")


def _refuse_unwritable(path: Path) -> None:
    """SQLite would only say so when the first row is written, maybe after hours of work."""
    real = Path(os.path.realpath(path))
    for place in (real, real.parent):  # which the journal is written to
        if not os.access(place, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
            raise BadFile(f"{path}: cannot be written, {place} is read-only")


def is_claimed(connection: sqlite3.Connection) -> bool:
    """Whether a process that is alive has claimed runs."""
    return any(not is_void(*claim) for claim in execute(connection, "SELECT owner, renewed FROM claims"))


def _update(connection: sqlite3.Connection, path: Path) -> None:
    """Make an older store one of today, unless a process that may be of that version works on it."""
    if _version(connection) == VERSION:
        return
    used = f"{path}: another process uses it in an older version; try again when that has ended"
    try:
        connection.execute("PRAGMA journal_mode = DELETE").fetchone()  # brings in what is in an old log
    except sqlite3.OperationalError as error:
        raise BadFile(used) if _code(error) in _BUSY else error from None
    with transaction(connection):
        if _version(connection) == VERSION:  # another process was faster
            return
        if is_claimed(connection):
            raise BadFile(used)
        connection.execute("DROP TABLE IF EXISTS ledger")
        connection.execute("ALTER TABLE runs ADD COLUMN losses BLOB")
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _version(connection: sqlite3.Connection) -> int:
    ((version,),) = execute(connection, "PRAGMA user_version")
    return int(version)


def _verify(connection: sqlite3.Connection) -> None:
    """Refuse a file whose pages do not fit together: it may have lost rows, and their keys tell so."""
    ((answer,),) = execute(connection, "PRAGMA integrity_check(1)")
    if answer != "ok":
        raise sqlite3.DatabaseError(answer)


def _stamps(path: Path) -> tuple[tuple[Path, int, int, int], ...]:
    """A store's file, and the journal or log with something in it, each with what changes when it does."""
    real, stamps = Path(os.path.realpath(path)), []
    for suffix in ("", "-journal", "-wal"):
        file = real.with_name(real.name + suffix)
        if file.exists() and (status := file.stat()).st_size:
            stamps.append((file, status.st_ino, status.st_size, status.st_mtime_ns))
    return tuple(stamps)


def _private_copy(path: Path) -> Path:
    """A copy of a store, in which SQLite can recover it; it is there until this process ends."""
    stamps = _stamps(path)
    try:
        copy = _copied(stamps)
    except OSError as error:
        why = "a write to it was interrupted, so that a copy is needed to read it"
        raise BadFile(f"{path}: {why}, which cannot be written: {reason(error)}") from None
    return copy if _stamps(path) == stamps else _private_copy(path)  # else someone has recovered it


@cache
def _copied(stamps: tuple[tuple[Path, int, int, int], ...]) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="abacist-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for file, *_ in reversed(stamps):  # the store last: what its journal undoes, is in the journal
        shutil.copyfile(file, folder / file.name)
    return folder / stamps[0][0].name


def _code(error: BaseException) -> int:
    """SQLite's own number for what is wrong."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
