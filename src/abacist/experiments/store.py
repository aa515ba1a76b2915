"""The store: one SQLite file in which finished runs survive anything.

A row is a run: its spec, its results and its weights, with a checksum over all of them. Blocks of
runs are written in one transaction each, and the ledger has the key of every run that was written,
so that one that is gone is missed. Claims tell other processes what is being worked on.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from types import TracebackType

from abacist.errors import BadFile
from abacist.experiments.database import (
    SETTLE,
    empty_log,
    explained,
    has_ledger,
    open_to_fill,
    open_to_read,
    transaction,
)
from abacist.experiments.outcome import Run
from abacist.experiments.owners import Owner, is_void
from abacist.experiments.rows import DamagedRun, StoredRow, UnknownRun, is_damaged, row_of, run_of, verify
from abacist.experiments.write_ahead import lost_commits
from abacist.fields import checked, expect_each
from abacist.wording import several

FILE_NAME = "abacist.sqlite"

#: Rows read at a time; other threads come in between.
_BLOCK = 64


@dataclass(frozen=True)
class Repaired:
    """What was repaired: a sentence for each run removed, and how many that were missing are forgotten."""

    removed: tuple[str, ...]
    forgotten: int


class Store:
    """The store in a folder, made if it is not there; whoever opens it closes it, best with `with`.

    With `reading` it must be there, and nothing of it is changed; it can only be read. Threads may share it.
    """

    @checked
    def __init__(self, folder: Path | str, *, reading: bool = False) -> None:
        self.path = Path(folder) / FILE_NAME
        self.owner = str(Owner.here())
        self._lock = RLock()  # SQLite may be called from any thread, but not by two at a time
        with self._alone():
            self._lost_commits = lost_commits(self.path)
            self._connection = (open_to_read if reading else open_to_fill)(self.path)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other thread meanwhile, and what SQLite says as a sentence."""
        with self._lock, explained(self.path):
            yield

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, and nobody else writes meanwhile."""
        with self._alone(), transaction(self._connection):
            yield

    @checked
    def put(self, runs: Iterable[Run]) -> None:
        """Write a block of finished runs, and give up the claims on them."""
        listed = list(runs)
        expect_each("Store.put: each of runs", listed, Run)
        rows = [row_of(run) for run in listed]
        with self.transaction():
            for run, row in zip(listed, rows, strict=True):
                self._connection.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)", row)
                self._connection.execute("INSERT OR IGNORE INTO ledger VALUES (?)", (run.key,))
                self._connection.execute("DELETE FROM claims WHERE key = ?", (run.key,))
        with self._alone():
            empty_log(self._connection)

    @checked
    def get(self, key: str) -> Run | None:
        """A run by its key, verified; None also where its row is damaged, so that it is recomputed."""
        with self._alone():
            row = self._connection.execute("SELECT * FROM runs WHERE key = ?", (key,)).fetchone()
        try:
            return None if row is None else run_of(row)
        except DamagedRun:
            return None
        except UnknownRun as error:
            raise BadFile(f"{self.path}: {error}") from None

    @checked
    def keys(self, beginning: str = "") -> list[str]:
        """The keys that begin so, in order; no run is read for them."""
        with self._alone():
            asked = "SELECT key FROM runs WHERE key >= ? AND key < ? ORDER BY key"
            found = self._connection.execute(asked, (beginning, f"{beginning}\U0010ffff")).fetchall()
        return [key for (key,) in found]

    def rows(self) -> Iterator[StoredRow]:
        """All rows as they are, one by one; `Results` verifies and orders them."""
        with self._alone():
            cursor = self._connection.execute("SELECT * FROM runs")
        while True:
            with self._alone():
                block = cursor.fetchmany(_BLOCK)
            if not block:
                return
            yield from block

    def losses(self) -> list[str]:
        """A sentence for all that was written and is there no more, as far as one can tell."""
        sentences = []
        if self._lost_commits:
            sentences.append(f"its log was damaged, the last {self._lost_commits:,} changes to it are lost")
        gone, unlisted, damaged = self._compared()
        if missing := max(0, gone - unlisted):
            were, are = ("was", "is") if missing == 1 else ("were", "are")
            sentences.append(
                f"{several(missing, 'run')} that {were} written {are} missing; `abacist run` and "
                "`abacist reproduce` recompute what they are asked for, `abacist repair` forgets the rest"
            )
        if min(gone, unlisted) > damaged:
            sentences.append("its ledger is damaged; `abacist repair` settles it")
        return [f"{self.path}: {sentence}" for sentence in sentences]

    def _compared(self) -> tuple[int, int, int]:
        """How many keys of the ledger have no run, how many runs are not in it, and how many of those
        are damaged: they may have been in it under another key."""
        with self._alone():
            if not has_ledger(self._connection):
                return 0, 0, 0
            (gone,) = self._connection.execute(
                "SELECT count(*) FROM ledger WHERE NOT EXISTS "
                "(SELECT 1 FROM runs WHERE runs.key = ledger.key)"
            ).fetchone()
            unlisted = self._connection.execute(  # without the rows, which are long: the index has all of it
                "SELECT rowid FROM runs WHERE NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.key = runs.key)"
            ).fetchall()
            rows = [
                self._connection.execute("SELECT * FROM runs WHERE rowid = ?", number).fetchone()
                for number in unlisted
            ]
        return gone, len(rows), sum(row is None or is_damaged(row) for row in rows)

    def repair(self) -> Repaired:
        """Remove the rows that are damaged, and forget those that are missing."""
        removed: dict[int, str] = {}
        with self.transaction():
            gone, unlisted, _ = self._compared()
            for number, *row in self._connection.execute("SELECT rowid, * FROM runs"):
                try:
                    verify(tuple(row))
                except DamagedRun as error:
                    removed[number] = str(error)
            if removed:  # only then in order: to sort whole rows takes longer than to verify them
                order = self._connection.execute("SELECT rowid FROM runs ORDER BY spec, seed").fetchall()
                removed = {number: removed[number] for (number,) in order if number in removed}
            self._connection.executemany("DELETE FROM runs WHERE rowid = ?", [(n,) for n in removed])
            for statement in SETTLE if removed or gone or unlisted else ():
                self._connection.execute(statement)
        self._lost_commits = 0
        return Repaired(tuple(removed.values()), max(0, gone - unlisted))

    def __len__(self) -> int:
        with self._alone():
            return int(self._connection.execute("SELECT count(*) FROM runs").fetchone()[0])

    @checked
    def claim(self, keys: Sequence[str]) -> list[str]:
        """Claim runs to work on; those that another living process has claimed are left out."""
        mine: list[str] = []
        with self.transaction():
            for key in keys:
                row = self._connection.execute(
                    "SELECT owner, renewed FROM claims WHERE key = ?", (key,)
                ).fetchone()
                if row is None or row[0] == self.owner or is_void(*row):
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

    @checked
    def release(self, keys: Sequence[str] | None = None) -> None:
        """Give up claims of this process, by default all."""
        with self.transaction():
            if keys is None:
                self._connection.execute("DELETE FROM claims WHERE owner = ?", (self.owner,))
            for key in keys or ():
                self._connection.execute("DELETE FROM claims WHERE key = ? AND owner = ?", (key, self.owner))
