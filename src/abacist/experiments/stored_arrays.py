"""Weights, moments and losses of runs, read from a store when they are asked for: large tables need none."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from abacist.errors import BadFile
from abacist.experiments.outcome import Run
from abacist.experiments.rows import StoredRow, run_of


@dataclass(frozen=True)
class StoredArrays:
    """Finds the arrays and losses of a run by its key in the store's file, verified anew."""

    path: Path

    def __call__(self, key: str) -> NDArray[Any]:
        """The weights, and the moments where they were kept."""
        return self._run(key).arrays

    def losses(self, key: str) -> tuple[float, ...]:
        """The losses, (epoch,)."""
        return tuple(self._run(key).outcome.losses)

    def _run(self, key: str) -> Run:
        try:
            row = self._row(key, "mode=ro")
        except sqlite3.OperationalError:  # a folder that must not be written
            try:
                row = self._row(key, "immutable=1")
            except sqlite3.Error:
                row = None
        except sqlite3.Error:
            row = None
        if row is None:
            raise BadFile(f"{self.path}: run {key} was there a moment ago, and cannot be read any more")
        return run_of(row)

    def _row(self, key: str, how: str) -> StoredRow | None:
        place = f"{self.path.resolve().as_uri()}?{how}"
        with closing(sqlite3.connect(place, uri=True, timeout=60)) as connection:
            found: StoredRow | None = connection.execute(
                "SELECT * FROM runs WHERE key = ?", (key,)
            ).fetchone()
            return found
