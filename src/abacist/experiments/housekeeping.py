"""Housekeeping: stores merged, runs deleted, room given back; each in one transaction, or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from abacist.errors import AbacistError, BadFile, BadInput
from abacist.experiments.database import (
    blocks_of_rows,
    execute,
    explained,
    open_to_fill,
    open_to_read,
    transaction,
)
from abacist.experiments.joining import differences, joined, on_what
from abacist.experiments.owners import is_void
from abacist.experiments.rows import StoredRow, UnknownRun, is_damaged, row_of, run_of
from abacist.experiments.store import FILE_NAME
from abacist.fields import checked
from abacist.progress import Progress

#: Rows between two reports on how far it has come.
_BLOCK = 64

#: Steps of SQLite's machine between two looks at whether to go on.
_STEPS = 100


@dataclass(frozen=True)
class Merged:
    """What became of the runs of some stores: new, joined with what was known of them, or the same.

    `filling` are the stores that another process was still filling.
    """

    new: int
    joined: int
    same: int
    filling: tuple[Path, ...]


@checked
def merge(into: Path, sources: Sequence[Path], *, progress: Progress | None = None) -> Merged:
    """Bring all runs of the stores in some folders into the store of another, which is made if need be.

    The same run must be the same in both, and is joined in what each knows of it. Where something is wrong,
    nothing is changed. `progress` counts the runs.
    """
    for source in sources:
        if _file(source).exists() and _file(into).exists() and _file(source).samefile(_file(into)):
            raise BadInput(f"{source}: a store cannot be merged into itself")
    counts = dict.fromkeys(("new", "joined", "same"), 0)
    with _all_open(sources) as opened:
        total = sum(_count(connection) for connection in opened.values())
        filling = tuple(folder for folder, connection in opened.items() if _at_work(connection))
        there = _file(into).exists()
        try:
            with _changing(into) as connection:
                done = 0
                for folder, store in opened.items():
                    for row in _rows(store, folder):
                        counts[_bring(row, connection, folder, into)] += 1
                        done += 1
                        if progress is not None and done % _BLOCK == 0:
                            progress(done / total)
        except BaseException:
            if not there:
                _unmake(into)
            raise
    return Merged(counts["new"], counts["joined"], counts["same"], filling)


@checked
def delete(folder: Path, keys: Sequence[str]) -> int:
    """Delete runs from a store; how many there were."""
    with _changing(folder, alone=True) as connection:
        before = _count(connection)
        for table in ("runs", "claims"):
            connection.executemany(f"DELETE FROM {table} WHERE key = ?", [(key,) for key in keys])
        return before - _count(connection)


@checked
def vacuum(folder: Path, *, progress: Progress | None = None) -> tuple[int, int]:
    """Give back the room that deleted runs leave in a store's file: its bytes before and after.

    `progress` is called many times a second, and may end it.
    """
    path, raised = _file(folder), list[BaseException]()

    def handler() -> int:
        try:
            if progress is not None:
                progress()
        except BaseException as error:  # SQLite would swallow it
            raised.append(error)
        return len(raised)

    with explained(path), closing(open_to_fill(path)) as connection:
        _refuse_others(connection, folder)
        before = path.stat().st_size
        connection.set_progress_handler(handler, _STEPS)
        try:
            execute(connection, "VACUUM")
        except sqlite3.Error:
            if raised:
                raise raised[0] from None
            raise
        finally:
            connection.set_progress_handler(None, 0)
    return before, path.stat().st_size


def _file(folder: Path) -> Path:
    return folder / FILE_NAME


@contextmanager
def _all_open(folders: Sequence[Path]) -> Iterator[dict[Path, sqlite3.Connection]]:
    """The stores of some folders, to read them."""
    opened: dict[Path, sqlite3.Connection] = {}
    try:
        for folder in dict.fromkeys(folders):
            with explained(_file(folder)):
                opened[folder] = open_to_read(_file(folder))
        yield opened
    finally:
        for connection in opened.values():
            connection.close()


@contextmanager
def _changing(folder: Path, *, alone: bool = False) -> Iterator[sqlite3.Connection]:
    """A store in one transaction; with `alone` not while another process fills it."""
    path = _file(folder)
    with explained(path), closing(open_to_fill(path)) as connection, transaction(connection):
        if alone:
            _refuse_others(connection, folder)
        yield connection


def _refuse_others(connection: sqlite3.Connection, folder: Path) -> None:
    if _at_work(connection):
        raise BadFile(f"{_file(folder)}: another process is filling it, so try again when that has ended")


def _at_work(connection: sqlite3.Connection) -> bool:
    """Whether a process that is alive has claimed runs."""
    return any(not is_void(*claim) for claim in execute(connection, "SELECT owner, renewed FROM claims"))


def _count(connection: sqlite3.Connection) -> int:
    ((count,),) = execute(connection, "SELECT count(*) FROM runs")
    return int(count)


def _rows(connection: sqlite3.Connection, folder: Path) -> Iterator[StoredRow]:
    """The rows of a store, all of them whole."""
    with explained(_file(folder)):
        for row in chain.from_iterable(blocks_of_rows(connection)):
            if is_damaged(row):
                raise BadFile(
                    f"{_file(folder)}: run {row[0]} is damaged, so nothing was merged; "
                    f"`abacist repair --results {folder}` removes it"
                )
            yield row


def _bring(row: StoredRow, connection: sqlite3.Connection, folder: Path, into: Path) -> str:
    """Bring a run into a store: whether it is new there, joined with the one that it has, or the same."""
    key = row[0]
    own: Any = connection.execute("SELECT * FROM runs WHERE key = ?", (key,)).fetchone()
    if own == row:
        return "same"
    written = row
    if own is not None and not is_damaged(own):
        written = _joined(own, row, folder, into)
        if written == own:
            return "same"
    connection.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)", written)
    return "new" if own is None or written is row else "joined"


def _joined(own: StoredRow, row: StoredRow, folder: Path, into: Path) -> StoredRow:
    both = f"run {row[0]} of {folder} cannot be merged into {into}"
    try:
        ours, theirs = run_of(own), run_of(row)
    except UnknownRun as error:
        raise BadFile(f"{both}: {error}") from None
    if differ := differences(ours, theirs):
        where = on_what((ours.outcome, theirs.outcome))
        raise BadFile(f"{both}, which has another with other {' and '.join(differ)}{where}")
    try:
        made = joined(ours, theirs)
    except AbacistError as error:
        raise BadFile(f"{both}: {error}") from None
    return own if made is ours else row_of(made)


def _unmake(folder: Path) -> None:
    """Take away a store that was only just made, and has no runs."""
    path = _file(folder)
    if not path.exists():
        return
    with explained(path), closing(open_to_read(path)) as connection:
        empty = not _count(connection) and not _at_work(connection)
    if empty:
        path.unlink(missing_ok=True)
