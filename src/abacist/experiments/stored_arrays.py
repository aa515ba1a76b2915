"""Weights, moments and losses of runs, read from a store when they are asked for: large tables need none."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from abacist.errors import BadFile
from abacist.experiments.database import execute, explained, open_to_read
from abacist.experiments.outcome import Run
from abacist.experiments.rows import run_of


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
        with explained(self.path), closing(open_to_read(self.path, verified=False)) as connection:
            rows = execute(connection, "SELECT * FROM runs WHERE key = ?", (key,))
        if not rows:
            raise BadFile(f"{self.path}: run {key} was there a moment ago, and cannot be read any more")
        return run_of(rows[0])
