"""The commands that produce again what the report shows."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Commands:
    """Commands that read, or fill, the store in a folder.

    >>> Commands(Path("my results")).table("table-3", runs=200)
    "abacist table table-3 --results 'my results' --runs 200"
    """

    folder: Path

    def _of(self, *words: str, runs: int | None = None) -> str:
        asked = [] if runs is None else ["--runs", str(runs)]
        return shlex.join(["abacist", *words, "--results", str(self.folder), *asked])

    def table(self, name: str, runs: int | None = None) -> str:
        return self._of("table", name, runs=runs)

    def run(self, name: str, runs: int | None = None) -> str:
        return self._of("run", name, runs=runs)

    def runs(self) -> str:
        return self._of("runs")

    def report(self) -> str:
        return self._of("report")

    def reproduce(self) -> str:
        return self._of("reproduce")
