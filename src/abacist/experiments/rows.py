"""Runs as rows of a store, with a checksum over all of a row that is verified when it is read."""

from __future__ import annotations

import hashlib
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from abacist.cells.names import MET
from abacist.errors import AbacistError, BadFile
from abacist.experiments.database import execute, explained, open_to_read
from abacist.experiments.outcome import Finder, Outcome, Run, keeps_moments
from abacist.experiments.plan import key_of_text
from abacist.specs import Spec
from abacist.untrusted import read_json

#: A run's key, spec, seed, results, precision, weights (after them the moments, where kept) and checksum.
StoredRow = tuple[Any, ...]


class DamagedRun(BadFile):
    """A row is not what was written: it can only be removed, and its run recomputed."""


class UnknownRun(BadFile):
    """A row is whole, but of something that this version does not know."""


def row_of(run: Run) -> StoredRow:
    """A run as a row."""
    results, precision = run.outcome.as_json(), str(run.arrays.dtype)
    content = (run.key, run.spec.key_text, run.seed, results, precision, run.arrays.tobytes())
    return (*content, checksum_of(*content))


def run_of(row: StoredRow, finder: Finder | None = None) -> Run:
    """The run of a row, verified; with a finder, weights and losses stay in the store until needed."""
    key, text, seed, results, precision, weights, _ = row
    verify(row)
    try:
        array = np.frombuffer(weights, precision)
        spec = _spec(text, len(MET))
        moments = keeps_moments(spec, array.size)
        outcome = Outcome.from_json(results, finder, key, spec.language)
        run = Run(spec, seed, outcome, finder or array, moments)
    except (AbacistError, ValueError, TypeError) as error:
        raise UnknownRun(f"run {key} is not known to this version: {error}") from None
    if run.key != key != key_of_text(text, seed):  # the latter: 1 that is 1.0 in today's keys
        raise UnknownRun(f"run {key} is not known to this version: its spec has the key {run.key}")
    object.__setattr__(run, "key", key)  # mostly the same, which its losses may have, too: so it is kept once
    return run


def stored_run(path: Path, key: str) -> Run:
    """A run with its arrays and losses, read from a store's file and verified anew."""
    with explained(path), closing(open_to_read(path, verified=False)) as connection:
        rows = execute(connection, "SELECT * FROM runs WHERE key = ?", (key,))
    if not rows:
        raise BadFile(f"{path}: run {key} was there a moment ago, and cannot be read any more")
    return run_of(rows[0])


def verify(row: StoredRow) -> None:
    """Refuse a row that is not what was written."""
    if is_damaged(row):
        raise DamagedRun(f"run {row[0]} is damaged, its checksum does not match")


def is_damaged(row: StoredRow) -> bool:
    """Whether a row is not what was written."""
    *content, checksum = row
    try:
        return bool(checksum_of(*content) != checksum)
    except (ValueError, TypeError, AttributeError):  # values of other kinds, which SQLite lets in
        return True


@lru_cache(maxsize=100_000)
def _spec(text: str, _: int) -> Spec:
    """The spec of a text; thousands of rows share a few of them.

    It is another one where a cell that was not at hand has become known since.
    """
    return Spec.from_dict(read_json(text, lax=True))


def checksum_of(key: str, spec: str, seed: int, results: str, precision: str, weights: bytes) -> str:
    """The checksum of a row, over all that stands before it."""
    texts = "\0".join((key, spec, str(seed), results, precision, ""))
    return hashlib.sha256(texts.encode() + weights).hexdigest()
