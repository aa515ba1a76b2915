"""Runs as rows of a store, with a checksum over all of a row that is verified when it is read."""

from __future__ import annotations

import hashlib
from array import array
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from abacist.cells.definition import MET
from abacist.errors import AbacistError, BadFile
from abacist.experiments.database import execute, explained, open_to_read
from abacist.experiments.outcome import Finder, Outcome, Run, keeps_moments
from abacist.experiments.plan import key_of_text
from abacist.specs import Spec
from abacist.untrusted import read_json

#: A run's key, spec, seed, results, precision, weights (after them the moments, where kept), checksum and
#: losses. Rows that were written before version 4 have their losses in the results, and None or nothing here.
StoredRow = tuple[Any, ...]


class DamagedRun(BadFile):
    """A row is not what was written: it can only be removed, and its run recomputed."""


class UnknownRun(BadFile):
    """A row is whole, but of something that this version does not know."""


def row_of(run: Run) -> StoredRow:
    """A run as a row."""
    outcome, losses = run.outcome, array("d", run.outcome.losses).tobytes()
    values = (outcome.as_json(), str(run.arrays.dtype), run.arrays.tobytes())
    content = (run.key, run.spec.key_text, run.seed, *values)
    return (*content, checksum_of(*content, losses), losses)


def columns(row: StoredRow) -> StoredRow:
    """A value for every column; a file of an older version has none for losses."""
    return (*row, None)[:8]


def run_of(row: StoredRow, finder: Finder | None = None) -> Run:
    """The run of a row, verified; with a finder, weights stay in the store until they are needed."""
    key, text, seed, results, precision, weights, _, losses = columns(row)
    verify(row)
    try:
        array = np.frombuffer(weights, precision)
        spec = _spec(text, len(MET))
        moments = keeps_moments(spec, array.size)
        outcome = Outcome.from_json(results, losses, spec.language)
        run = Run(spec, seed, outcome, finder or array, moments)
    except (AbacistError, ValueError, TypeError) as error:
        raise UnknownRun(f"run {key} is not known to this version: {error}") from None
    if run.key != key != key_of_text(text, seed):  # the latter: 1 that is 1.0 in today's keys
        raise UnknownRun(f"run {key} is not known to this version: its spec has the key {run.key}")
    object.__setattr__(run, "key", key)
    return run


def stored_run(path: Path, key: str) -> Run:
    """A run with its arrays, read from a store's file and verified anew."""
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
    key, text, seed, results, precision, weights, checksum, losses = columns(row)
    try:
        return bool(checksum_of(key, text, seed, results, precision, weights, losses) != checksum)
    except (ValueError, TypeError, AttributeError):  # values of other kinds, which SQLite lets in
        return True


@lru_cache(maxsize=100_000)
def _spec(text: str, _: int) -> Spec:
    """The spec of a text; thousands of rows share a few of them.

    It is another one where a cell that was not at hand has become known since.
    """
    return Spec.from_dict(read_json(text, lax=True))


def checksum_of(
    key: str, spec: str, seed: int, results: str, precision: str, weights: bytes, losses: bytes | None = None
) -> str:
    """The checksum of a row, over all of it; without losses that of older versions."""
    texts = [key, spec, str(seed), results, precision]
    if losses is not None:
        texts.append(str(len(losses)))
        weights += losses
    return hashlib.sha256("\0".join((*texts, "")).encode() + weights).hexdigest()
