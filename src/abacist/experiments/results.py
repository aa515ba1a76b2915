"""Results: all that a store has, read and verified once, for tables, claims, figures and reports."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from abacist.experiments.outcome import Run
from abacist.experiments.plan import Task, run_key
from abacist.experiments.rows import DamagedRun, UnknownRun, run_of
from abacist.experiments.store import Store
from abacist.experiments.stored_weights import StoredWeights
from abacist.specs import Spec


@contextmanager
def _no_collection() -> Iterator[None]:
    """Nothing that is read becomes garbage, and looking for it over and over takes a second in seven."""
    usual = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if usual:
            gc.enable()


@dataclass(frozen=True, eq=False)
class Results:
    """The finished runs of a store, in the order of their specs and seeds.

    `left_out` has a sentence for every row that could not be read.
    """

    path: Path
    runs: tuple[Run, ...]
    left_out: tuple[str, ...] = ()

    @classmethod
    def of(cls, store: Store) -> Results:
        """All that a store has now; rows that cannot be read are left out."""
        by_text: dict[str, list[Run]] = {}
        left_out: list[str] = []
        weights = StoredWeights(store.path)
        with _no_collection():
            for row in store.rows():
                try:
                    by_text.setdefault(row[1], []).append(run_of(row, weights))
                except DamagedRun as error:
                    left_out.append(f"{store.path}: {error}; `abacist repair` removes it")
                except UnknownRun as error:
                    left_out.append(f"{store.path}: {error}")
        runs = (run for text in sorted(by_text) for run in sorted(by_text[text], key=lambda run: run.seed))
        return cls(store.path, tuple(runs), tuple(left_out))

    @property
    def folder(self) -> Path:
        """The folder that the store is in."""
        return self.path.parent

    @cached_property
    def by_key(self) -> dict[str, Run]:
        return {run.key: run for run in self.runs}

    @cached_property
    def by_spec(self) -> dict[Spec, tuple[Run, ...]]:
        """The runs of every spec, in the order of their seeds."""
        found: dict[Spec, list[Run]] = {}
        for run in self.runs:
            found.setdefault(run.spec, []).append(run)
        return {spec: tuple(sorted(runs, key=lambda run: run.seed)) for spec, runs in found.items()}

    def complete(self, task: Task, seeds: Iterable[int] | None = None) -> list[Run]:
        """The runs of a task, of all its seeds unless told, that were judged on all it asks for."""
        wanted = task.wanted()
        keys = (run_key(task.spec, seed) for seed in (task.seeds if seeds is None else seeds))
        found = (self.by_key.get(key) for key in keys)
        return [run for run in found if run is not None and wanted <= run.outcome.known()]
