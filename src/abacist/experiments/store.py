"""The store: one SQLite file in which finished runs survive anything.

A row is a run: its spec, its results and its weights, with a checksum over all of them. Blocks of
runs are written in one transaction each. Claims tell other processes what is being worked on.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

from abacist.errors import BadFile
from abacist.experiments.database import (
    blocks_of_rows,
    execute,
    explained,
    is_claimed,
    open_to_fill,
    open_to_read,
    transaction,
)
from abacist.experiments.outcome import Run
from abacist.experiments.owners import is_void, new_owner
from abacist.experiments.rows import DamagedRun, StoredRow, UnknownRun, columns, row_of, run_of, verify
from abacist.fields import checked, expect_each

FILE_NAME = "abacist.sqlite"


class Store:
    """The store in a folder, made if it is not there; whoever opens it closes it, best with `with`.

    With `reading` it must be there, and can only be read. Threads may share it.
    """

    @checked
    def __init__(self, folder: Path | str, *, reading: bool = False) -> None:
        self.path = Path(folder) / FILE_NAME
        self.owner = new_owner()
        self._lock = RLock()  # SQLite may be called from any thread, but not by two at a time
        with self._alone():
            self.connection = (open_to_read if reading else open_to_fill)(self.path)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other thread meanwhile, and what SQLite says as a sentence."""
        with self._lock, explained(self.path):
            yield

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, and nobody else writes meanwhile."""
        with self._alone(), transaction(self.connection):
            yield

    def execute(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """All rows of a statement."""
        with self._alone():
            return execute(self.connection, statement, values)

    @checked
    def put(self, runs: Iterable[Run]) -> None:
        """Write a block of finished runs, and give up the claims on them."""
        listed = list(runs)
        expect_each("Store.put: each of runs", listed, Run)
        rows = [row_of(run) for run in listed]
        with self.transaction():
            self.write(rows)
            self.connection.executemany("DELETE FROM claims WHERE key = ?", [row[:1] for row in rows])

    def write(self, rows: Iterable[StoredRow]) -> None:
        """Write rows in place of those with the same keys, inside a transaction."""
        values = "?, ?, ?, ?, ?, ?, ?, ?"
        self.connection.executemany(f"INSERT OR REPLACE INTO runs VALUES ({values})", map(columns, rows))

    def row(self, key: str) -> StoredRow | None:
        """The row of a run as it is; None where there is none."""
        return next(iter(self.execute("SELECT * FROM runs WHERE key = ?", (key,))), None)

    @checked
    def get(self, key: str) -> Run | None:
        """A run by its key, verified; None also where its row is damaged, so that it is recomputed."""
        row = self.row(key)
        try:
            return None if row is None else run_of(row)
        except DamagedRun:
            return None
        except UnknownRun as error:
            raise BadFile(f"{self.path}: {error}") from None

    @checked
    def keys(self, beginning: str = "") -> list[str]:
        """The keys that begin so, in order; no run is read for them."""
        query = "SELECT key FROM runs WHERE key >= ? AND key < ? ORDER BY key"
        return [key for (key,) in self.execute(query, (beginning, f"{beginning}\U0010ffff"))]

    def rows(self) -> Iterator[StoredRow]:
        """All rows as they are; one that is written again meanwhile comes twice. `Results` verifies them."""
        blocks = blocks_of_rows(self.connection)
        while True:
            with self._alone():
                block = next(blocks, None)
            if block is None:
                return
            yield from block

    def repair(self) -> tuple[str, ...]:
        """Remove the rows that are damaged: a sentence for each."""
        removed: dict[int, str] = {}
        with self.transaction():
            for number, *row in self.connection.execute("SELECT rowid, * FROM runs"):
                try:
                    verify(tuple(row))
                except DamagedRun as error:
                    removed[number] = str(error)
            if removed:  # only then in order: to sort whole rows takes longer than to verify them
                order = self.connection.execute("SELECT rowid FROM runs ORDER BY spec, seed").fetchall()
                removed = {number: removed[number] for (number,) in order if number in removed}
            self.connection.executemany("DELETE FROM runs WHERE rowid = ?", [(n,) for n in removed])
        return tuple(removed.values())

    def __len__(self) -> int:
        ((count,),) = self.execute("SELECT count(*) FROM runs")
        return int(count)

    @property
    def is_being_filled(self) -> bool:
        """Whether a process that is alive has claimed runs."""
        with self._alone():
            return is_claimed(self.connection)

    @checked
    def claim(self, keys: Sequence[str]) -> list[str]:
        """Claim runs to work on; those that another living process has claimed are left out."""
        query, now = "SELECT owner, renewed FROM claims WHERE key = ?", time.time()
        with self.transaction():
            mine = [
                key
                for key in keys
                if all(
                    owner == self.owner or is_void(owner, renewed)
                    for owner, renewed in self.connection.execute(query, (key,))
                )
            ]
            entries = [(key, self.owner, now) for key in mine]
            self.connection.executemany("INSERT OR REPLACE INTO claims VALUES (?, ?, ?)", entries)
        return mine

    def renew(self) -> None:
        """Say that this process still works on what it has claimed."""
        with self.transaction():
            self.execute("UPDATE claims SET renewed = ? WHERE owner = ?", (time.time(), self.owner))

    @checked
    def release(self, keys: Sequence[str] | None = None) -> None:
        """Give up claims of this process, by default all."""
        with self.transaction():
            if keys is None:
                self.execute("DELETE FROM claims WHERE owner = ?", (self.owner,))
            entries = [(key, self.owner) for key in keys or ()]
            self.connection.executemany("DELETE FROM claims WHERE key = ? AND owner = ?", entries)
