"""The store: one SQLite file in which finished runs survive anything.

A row is a run: its spec, its results and its weights, with a checksum over all of them.
Blocks of runs are written in one transaction each. Claims tell other processes what is being
worked on; a claim whose owner is gone, or has not been heard of for a while, is void.
"""

from __future__ import annotations

import os
import socket
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from abacist.errors import BadFile
from abacist.experiments.outcome import Run
from abacist.experiments.rows import DamagedRun, StoredRow, UnknownRun, row_of, run_of

FILE_NAME = "abacist.sqlite"

#: Changes when what a row means changes.
_VERSION = 1

#: Seconds after which a claim that nobody renews is void.
CLAIM_SECONDS = 60.0

#: Seconds to wait for another process that is writing.
_PATIENCE = 60.0

_TABLES = """
CREATE TABLE runs (key TEXT PRIMARY KEY, spec TEXT NOT NULL, seed INTEGER NOT NULL, results TEXT NOT NULL,
                   precision TEXT NOT NULL, weights BLOB NOT NULL, checksum TEXT NOT NULL);
CREATE TABLE claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL, renewed REAL NOT NULL);
"""


class Store:
    """The store in a folder; made if it is not there.

    With `reading`, one that must not be written is opened, too; it can only be read.
    """

    def __init__(self, folder: Path | str, *, reading: bool = False) -> None:
        folder = Path(folder)
        self.path = folder / FILE_NAME
        self.owner = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"
        with self._explained():
            folder.mkdir(parents=True, exist_ok=True)
            if self.path.is_file() and 0 < self.path.stat().st_size < 512:
                raise sqlite3.DatabaseError("file is not a database")  # SQLite takes it for an empty one
            try:
                self._connection = self._connect(str(self.path))
                self._switch_to_wal()
                self._connection.execute("PRAGMA synchronous = FULL")
                self._prepare()
            except sqlite3.OperationalError as error:
                left = self.path.with_name(f"{FILE_NAME}-wal")  # rows that only a writer can bring in
                if not reading or not _forbidden(error) or (left.exists() and left.stat().st_size):
                    raise
                self._connection = self._connect(f"{self.path.resolve().as_uri()}?immutable=1")
                self._check()

    def _connect(self, place: str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            place,
            timeout=_PATIENCE,
            isolation_level=None,
            check_same_thread=False,
            uri=place.startswith("file:"),
        )
        # a text with a flipped bit may be no text at all; it must not hide the other rows
        connection.text_factory = lambda text: text.decode(errors="surrogateescape")
        return connection

    def _switch_to_wal(self) -> None:
        """Where another process is making the same store, SQLite would refuse at once: wait for it."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
            time.sleep(0.01)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn what SQLite says into one sentence with the file's name."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError, MemoryError) as error:  # what a damaged file can lead to
            text = " ".join(str(error).split())
            if "locked" in text:
                raise BadFile(f"{self.path}: another process is writing to it, try again") from None
            if _forbidden(error) or any(sign in text for sign in ("full", "I/O")):
                raise BadFile(f"{self.path}: cannot be written, {text}") from None
            raise BadFile(f"{self.path}: the store is damaged ({text}); move it away to begin anew") from None
        except OSError as error:
            raise BadFile(f"{self.path}: cannot be opened, {(error.strerror or '').lower()}") from None

    def _prepare(self) -> None:
        with self.transaction():
            if self._version() == 0:
                (tables,) = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
                if tables:
                    raise sqlite3.DatabaseError("file is not a store")
                for statement in filter(str.strip, _TABLES.split(";")):
                    self._connection.execute(statement)
                self._connection.execute(f"PRAGMA user_version = {_VERSION}")
        self._check()

    def _version(self) -> int:
        return int(self._connection.execute("PRAGMA user_version").fetchone()[0])

    def _check(self) -> None:
        if (version := self._version()) != _VERSION:
            raise BadFile(f"{self.path}: the store has version {version}, this is for {_VERSION}")
        (answer,) = self._connection.execute("PRAGMA integrity_check(1)").fetchone()
        if answer != "ok":
            raise sqlite3.DatabaseError(answer)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, and nobody else writes meanwhile."""
        with self._explained():
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite itself has given up some that failed
                    self._connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        self._connection.close()

    def put(self, runs: Iterable[Run]) -> None:
        """Write a block of finished runs, and give up the claims on them."""
        with self.transaction():
            for run in runs:
                row = row_of(run)
                self._connection.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)", row)
                self._connection.execute("DELETE FROM claims WHERE key = ?", (run.key,))

    def get(self, key: str) -> Run | None:
        """A run by its key, verified; None also where its row is damaged, so that it is recomputed."""
        with self._explained():
            row = self._connection.execute("SELECT * FROM runs WHERE key = ?", (key,)).fetchone()
        try:
            return None if row is None else run_of(row)
        except DamagedRun:
            return None
        except UnknownRun as error:
            raise BadFile(f"{self.path}: {error}") from None

    def rows(self) -> Iterator[StoredRow]:
        """All rows as they are, one by one; `Results` verifies and orders them."""
        with self._explained():
            yield from self._connection.execute("SELECT * FROM runs")

    def repair(self) -> list[str]:
        """Remove the rows that are damaged, and say which."""
        removed = []
        with self.transaction():
            for number, *row in self._connection.execute("SELECT rowid, * FROM runs ORDER BY spec, seed"):
                try:
                    run_of(tuple(row))
                except DamagedRun as error:
                    removed.append((number, str(error)))
                except UnknownRun:  # whole: a version that knows it will read it
                    continue
            self._connection.executemany("DELETE FROM runs WHERE rowid = ?", [(n,) for n, _ in removed])
        return [sentence for _, sentence in removed]

    def __len__(self) -> int:
        with self._explained():
            return int(self._connection.execute("SELECT count(*) FROM runs").fetchone()[0])

    def claim(self, keys: Iterable[str]) -> list[str]:
        """Claim runs to work on; those that another living process has claimed are left out."""
        mine: list[str] = []
        with self.transaction():
            for key in keys:
                row = self._connection.execute(
                    "SELECT owner, renewed FROM claims WHERE key = ?", (key,)
                ).fetchone()
                if row is None or row[0] == self.owner or _void(*row):
                    entry = (key, self.owner, time.time())
                    self._connection.execute("INSERT OR REPLACE INTO claims VALUES (?, ?, ?)", entry)
                    mine.append(key)
        return mine

    def renew(self) -> None:
        """Say that this process still works on what it has claimed."""
        with self.transaction():
            self._connection.execute(
                "UPDATE claims SET renewed = ? WHERE owner = ?", (time.time(), self.owner)
            )

    def release(self, keys: Iterable[str] | None = None) -> None:
        """Give up claims of this process, all unless told."""
        with self.transaction():
            if keys is None:
                self._connection.execute("DELETE FROM claims WHERE owner = ?", (self.owner,))
            for key in keys or ():
                self._connection.execute("DELETE FROM claims WHERE key = ? AND owner = ?", (key, self.owner))


def _forbidden(error: BaseException) -> bool:
    """Whether SQLite could not write where it had to."""
    return any(sign in str(error) for sign in ("readonly", "unable to open"))


def _void(owner: str, renewed: float) -> bool:
    """Whether a claim's owner is known to be gone, or has been silent for too long."""
    host, pid, _ = owner.rsplit(":", 2)
    if host == socket.gethostname() and pid != str(os.getpid()):
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            return True
        except OSError:
            pass
    return time.time() - renewed > CLAIM_SECONDS
