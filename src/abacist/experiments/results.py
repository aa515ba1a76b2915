"""Results: all that a store has, read and verified once, for tables, claims, figures and reports."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import Any

from abacist.errors import BadInput
from abacist.experiments.outcome import Run
from abacist.experiments.plan import Task, key_of_text, run_key
from abacist.experiments.rows import DamagedRun, UnknownRun, run_of, stored_run
from abacist.experiments.run_values import columns_of, fields_of, run_rows
from abacist.experiments.store import Store
from abacist.fields import checked
from abacist.labels import read_labels
from abacist.on_demand import needed, on_demand
from abacist.specs import Spec
from abacist.wording import html_table, plural, short_repr

#: How many kinds of runs a notebook shows.
_SHOWN = 30


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

    def __repr__(self) -> str:
        kinds = dict.fromkeys(f"{spec.cell.name} on {spec.language.name}" for spec in self.by_spec)
        of = short_repr(", ".join(kinds))[1:-1]
        diverged = sum(run.outcome.diverged is not None for run in self.runs)
        end = f", {diverged:,} diverged" if diverged else ""
        return f"<Results: {plural(len(self.runs), 'run')}{of and f' of {of}'}{end}>"

    def __len__(self) -> int:
        return len(self.runs)

    def __getitem__(self, number: int) -> Run:
        try:
            return self.runs[number]
        except (IndexError, TypeError):
            last = f", the last is results[{len(self) - 1}]" if self.runs else ""
            have = f"results: there are {plural(len(self), 'run')}{last}"
            raise BadInput(f"{have}, got {short_repr(number)}") from None

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    @classmethod
    @checked
    def of(cls, store: Store) -> Results:
        """All that a store has now, its labels too; rows that cannot be read are left out."""
        runs: dict[str, Run] = {}
        older: dict[str, str] = {}  # keys of a version that wrote 1 for 1.0, and the same runs' keys today
        left_out: list[str] = []
        finder = partial(stored_run, store.path)
        read_labels(store.path.parent)
        with _no_collection():
            for row in store.rows():
                try:
                    runs[row[0]] = run = run_of(row, finder)
                    text = run.spec.key_text
                    if row[1] != text and (key := key_of_text(text, run.seed)) != run.key:
                        older[run.key] = key
                except DamagedRun as error:
                    left_out.append(f"{store.path}: {error}; `abacist repair` removes it")
                except UnknownRun as error:
                    left_out.append(f"{store.path}: {error}")
        listed = (run for key, run in runs.items() if older.get(key) not in runs)
        ordered = sorted(listed, key=lambda run: (run.spec.key_text, run.seed))
        return cls(store.path, tuple(ordered), tuple(left_out))

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
        by_text: dict[str, list[Run]] = {}  # specs are slow to compare
        for run in self.runs:
            by_text.setdefault(run.spec.key_text, []).append(run)
        return {runs[0].spec: tuple(sorted(runs, key=attrgetter("seed"))) for runs in by_text.values()}

    @cached_property
    def mixture(self) -> str | None:
        """A sentence where the runs were computed on several kinds of processors, else None."""
        processors = {run.outcome.processor for run in self.runs} - {None}
        if len(processors) < 2:
            return None
        names = sorted(
            f"{name} with {plural(len(features.split()), 'feature')}"
            for name, features in filter(None, processors)
        )
        return (
            f"the runs were computed on {len(processors)} kinds of processors ({', '.join(names)}): those of "
            "different kinds may differ in their last bits"
        )

    @cached_property
    def weights_checksum(self) -> str:
        """SHA-256 over the keys and weights of all runs: the same wherever the same networks came out.

        What else a store knows of them, and when it was filled, has no part in it.
        """
        checksum = hashlib.sha256()
        for key in sorted(self.by_key):
            weights = self.by_key[key].weights
            checksum.update(f"{key} {weights.dtype.name} {weights.size}\n".encode())
            checksum.update(weights.astype(weights.dtype.newbyteorder("<")).tobytes())
        return checksum.hexdigest()

    def _repr_html_(self) -> str:
        """How many runs there are of what, for a notebook, with their median accuracy on the long set."""
        rows: list[tuple[object, ...]] = []
        for spec, runs in islice(self.by_spec.items(), _SHOWN):
            shares = [share for run in runs if (share := run.accuracy("long")) is not None]
            long = f"{100 * median(shares):.2f} %" if shares else "—"
            units = "—" if spec.outside else spec.hidden
            rows.append((spec.language.name, spec.cell.name, units, len(runs), long))
        if len(self.by_spec) > _SHOWN:
            rows.append(("…",))
        heads = ("language", "cell", "units", "runs", "long, median")
        where = f" in {self.folder}" if self.path.exists() else ""  # those of a first script are kept nowhere
        return html_table(rows, heads, f"{plural(len(self.runs), 'run')}{where}")

    def to_pandas(self) -> Any:
        """All runs as a pandas DataFrame, a row each: the columns of `frame`, accuracies in percent."""
        needed("pandas", "to_pandas", "pip install pandas")
        return on_demand("pandas").DataFrame(columns_of(list(run_rows(self.runs)), fields_of(self.runs)))

    @checked
    def complete(self, task: Task, seeds: Iterable[int] | None = None) -> list[Run]:
        """The runs of a task, by default of all its seeds, that were judged on everything it asks for."""
        wanted = task.wanted()
        keys = (run_key(task.spec, seed) for seed in (task.seeds if seeds is None else seeds))
        runs = (self.by_key.get(key) for key in keys)
        return [
            run
            for run in runs
            if run is not None and wanted <= run.outcome.known() and not run.outcome.unanswered(task.horizons)
        ]
