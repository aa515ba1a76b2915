"""Stores as a kill in the midst of a commit leaves them, and stores of older versions with their log."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from abacist.experiments import FILE_NAME, Run
from abacist.experiments.database import VERSION
from abacist.experiments.rows import checksum_of, row_of
from tests.experiments.cases import keep

JOURNAL, LOG = f"{FILE_NAME}-journal", f"{FILE_NAME}-wal"
_HEAD, _PAGE, _MAGIC = 512, 4096, bytes.fromhex("d9d505f920a163d7")

_INSERT = "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


class Interrupted:
    """A store of some runs, to which others were being written: its file before, its file when all pages
    were written, and the journal that undoes that."""

    def __init__(self, folder: Path, runs: Sequence[Run], others: Sequence[Run]) -> None:
        keep(folder, runs)
        self.before = (folder / FILE_NAME).read_bytes()
        with closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(_INSERT, [row_of(run) for run in others])
            connection.execute(f"PRAGMA user_version = {VERSION}")  # so that the first page is in the journal
            journal = (folder / JOURNAL).read_bytes()
            connection.execute("COMMIT")
        # SQLite makes a journal valid, with its number of pages, before it writes any page to the file.
        pages = (len(journal) - _HEAD) // (4 + _PAGE + 4)
        self.journal = _MAGIC + pages.to_bytes(4, "big") + journal[12:]
        self.after = (folder / FILE_NAME).read_bytes()
        shutil.rmtree(folder)

    def leave(self, folder: Path, chance: random.Random) -> None:
        """Write the store as a kill leaves it: some of its pages are written, and the journal is there."""
        content = bytearray(self.before)
        for at in range(0, len(self.after), _PAGE):
            if self.after[at : at + _PAGE] != self.before[at : at + _PAGE] and chance.random() < 0.5:
                content.extend(bytes(max(0, at - len(content))))
                content[at : at + _PAGE] = self.after[at : at + _PAGE]
        folder.mkdir(exist_ok=True)
        (folder / FILE_NAME).write_bytes(content)
        (folder / JOURNAL).write_bytes(self.journal)


def old_row(run: Run) -> tuple[Any, ...]:
    """A run as versions before the fourth wrote it."""
    key, spec, seed, results, precision, weights, _, _ = row_of(run)
    results = json.dumps(json.loads(results) | {"losses": list(run.outcome.losses)}, sort_keys=True)
    content = (key, spec, seed, results, precision, weights)
    return (*content, checksum_of(*content))


def make_old(folder: Path, runs: Sequence[Run], in_log: Sequence[Run], *, version: int = 2) -> None:
    """Make a store as older versions did, and killed ones left it: some runs are only in its log, if it has
    one. Losses are in the text of the results."""
    draft, insert = folder / "draft", _INSERT.replace(", ?", "", 1)
    keep(draft, [])
    with closing(sqlite3.connect(draft / FILE_NAME, isolation_level=None)) as connection:
        connection.execute("ALTER TABLE runs DROP COLUMN losses")
        connection.executemany(insert, map(old_row, runs))
        if version == 2:
            connection.execute("CREATE TABLE ledger (key TEXT PRIMARY KEY) WITHOUT ROWID")
            connection.execute("INSERT INTO ledger SELECT key FROM runs")
        connection.execute(f"PRAGMA user_version = {version}")
        if version < 3:
            connection.execute("PRAGMA journal_mode = WAL")
        connection.executemany(insert, map(old_row, in_log))
        for name in (FILE_NAME, LOG) if in_log else (FILE_NAME,):
            shutil.copy(draft / name, folder / name)
    if not in_log:
        shutil.copy(draft / FILE_NAME, folder / FILE_NAME)
    shutil.rmtree(draft)


def spoilt(journal: bytes, chance: random.Random) -> bytes:
    """A journal that is cut, zeroed or overwritten from some place on, or has a flipped bit."""
    at = chance.choice((0, 1, 12, 28, 512, chance.randrange(len(journal))))
    match chance.choice(("cut", "zeros", "noise", "page", "bit")):
        case "cut":
            return journal[:at]
        case "zeros":
            return journal[:at] + bytes(len(journal) - at)
        case "noise":
            return journal[:at] + chance.randbytes(len(journal) - at)
        case "page":
            return (journal[:at] + chance.randbytes(_PAGE) + journal[at + _PAGE :])[: len(journal)]
        case _:
            return journal[:at] + bytes([journal[at] ^ 1 << chance.randrange(8)]) + journal[at + 1 :]
