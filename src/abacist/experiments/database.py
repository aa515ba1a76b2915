"""The SQLite file of a store: made, opened to fill or only to read it, and what is wrong with it.

A file comes into being whole, with all its tables: an empty one is never a store in the making.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from uuid import uuid4

from abacist.errors import BadFile
from abacist.experiments.write_ahead import has_log, log_beside, lost_commits
from abacist.files import reason

#: Changes when what a row means changes. The first had no ledger; it is read, and made a second to fill it.
VERSION = 2
_WITHOUT_LEDGER = 1

#: Seconds to wait for another process that is writing.
_PATIENCE = 60.0

#: A file of SQLite is never shorter.
_SHORTEST = 512

_TABLES = (
    "CREATE TABLE runs (key TEXT PRIMARY KEY, spec TEXT NOT NULL, seed INTEGER NOT NULL, "
    "results TEXT NOT NULL, precision TEXT NOT NULL, weights BLOB NOT NULL, checksum TEXT NOT NULL)",
    "CREATE TABLE claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL, renewed REAL NOT NULL)",
)

#: The keys of all runs that were ever written and not removed: a run that is not there is missing.
_LEDGER = "CREATE TABLE ledger (key TEXT PRIMARY KEY) WITHOUT ROWID"
SETTLE = ("DELETE FROM ledger", "INSERT OR IGNORE INTO ledger SELECT key FROM runs")


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what SQLite says into one sentence with the file's name."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError, MemoryError) as error:  # what a damaged file can lead to
        text = " ".join(str(error).split())
        if "locked" in text:
            raise BadFile(f"{path}: another process is writing to it, try again") from None
        if _no_room(error):
            raise BadFile(f"{path}: cannot be written, {text}") from None
        raise BadFile(f"{path}: the store is damaged ({text}); move it away to start afresh") from None
    except OSError as error:
        raise BadFile(f"{path}: cannot be opened, {reason(error)}") from None


def open_to_fill(path: Path) -> sqlite3.Connection:
    """A store's file, made if it is not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        _make(path)
    _refuse_stub(path)
    damaged = lost_commits(path)
    with _closed_on_failure(_connect(str(path))) as connection:
        _switch_to_wal(connection)
        connection.execute("PRAGMA synchronous = FULL")
        _prepare(connection)
        _check(connection, path)
        if damaged:
            empty_log(connection)
        return connection


def open_to_read(path: Path) -> sqlite3.Connection:
    """A store's file, of which nothing is changed; also where nothing can be written."""
    _refuse_stub(path)
    place = path.resolve().as_uri()
    try:
        # SQLite takes a log away once it has been read: not a damaged one, which tells of a loss
        with _closed_on_failure(_connect(f"{place}?mode=ro" if lost_commits(path) else place)) as connection:
            _check(connection, path, "quick_check")
            return connection
    except sqlite3.OperationalError as error:
        if not _no_room(error):
            raise
    # There is no room for the file beside it through which processes share a log.
    alone = has_log(path)
    with _closed_on_failure(_connect(place if alone else f"{place}?immutable=1")) as connection:
        if alone:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")  # then SQLite keeps it in memory
        _check(connection, path, "quick_check")
        return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing, and nobody else writes meanwhile."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite itself has given up some that failed
            connection.execute("ROLLBACK")
        raise


def empty_log(connection: sqlite3.Connection) -> None:
    """Bring all that is in the log into the file itself, where a flipped bit is noticed, and empty it.

    Where others are reading for long it stays as it is until the next time.
    """
    connection.execute("PRAGMA busy_timeout = 1000")
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):  # by a query of its own that has not come to its end
            raise
    finally:
        connection.execute(f"PRAGMA busy_timeout = {int(1000 * _PATIENCE)}")


def has_ledger(connection: sqlite3.Connection) -> bool:
    """Whether a store tells which runs it must have."""
    return _version(connection) > _WITHOUT_LEDGER


def _connect(place: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        place, timeout=_PATIENCE, isolation_level=None, check_same_thread=False, uri=place.startswith("file:")
    )
    # a text with a flipped bit may be no text at all; it must not hide the other rows
    connection.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
    return connection


@contextmanager
def _closed_on_failure(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


def _make(path: Path) -> None:
    """Make a store without runs under another name, and give it its own unless someone was faster."""
    draft = path.with_name(f".{path.name}.{uuid4().hex[:8]}")
    try:
        with closing(_connect(str(draft))) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            _prepare(connection)
            empty_log(connection)
        _publish(draft, path)
    finally:
        for left in (draft, log_beside(draft), draft.with_name(f"{draft.name}-shm")):
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


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    """Where another process is using the same store, SQLite would refuse at once: wait for it."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
        time.sleep(0.01)


def _prepare(connection: sqlite3.Connection) -> None:
    """Make the tables that are not there yet."""
    if _version(connection) not in (0, _WITHOUT_LEDGER):
        return
    with transaction(connection):
        if (version := _version(connection)) == 0:
            if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,):
                raise sqlite3.DatabaseError("file is not a store")
            for table in _TABLES:
                connection.execute(table)
        if version in (0, _WITHOUT_LEDGER):
            for statement in (_LEDGER, *SETTLE):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {VERSION}")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _check(connection: sqlite3.Connection, path: Path, how: str = "integrity_check") -> None:
    """Refuse another version, or a damaged file; for reading all rows, their index need not be checked."""
    if (version := _version(connection)) not in (_WITHOUT_LEDGER, VERSION):
        raise BadFile(
            f"{path}: the store has version {version}, but this Abacist reads versions {_WITHOUT_LEDGER} to "
            f"{VERSION}"
        )
    (answer,) = connection.execute(f"PRAGMA {how}(1)").fetchone()
    if answer != "ok":
        raise sqlite3.DatabaseError(answer)


def _no_room(error: BaseException) -> bool:
    """Whether SQLite could not write where it had to."""
    return any(sign in str(error) for sign in ("readonly", "unable to open", "full", "I/O"))
