"""Housekeeping: stores merged, runs deleted, room given back; each in one transaction, or not at all.

What two stores say of the same run must agree, and what only one of them knows is joined.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path

import numpy as np

from abacist.errors import AbacistError, BadFile, BadInput
from abacist.experiments.outcome import KnownHorizon, Outcome, Run, with_horizon
from abacist.experiments.rows import StoredRow, UnknownRun, is_damaged, row_of, run_of
from abacist.experiments.store import FILE_NAME, Store
from abacist.fields import checked
from abacist.labels import keep_labels, read_labels
from abacist.progress import Progress
from abacist.wording import one_of

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
    file = into / FILE_NAME
    existed, counts, done = file.exists(), dict.fromkeys(("new", "joined", "same"), 0), 0
    for source in sources:
        if existed and (source / FILE_NAME).exists() and (source / FILE_NAME).samefile(file):
            raise BadInput(f"{source}: a store cannot be merged into itself")
    with ExitStack() as stack:
        stores = {one: stack.enter_context(Store(one, reading=True)) for one in dict.fromkeys(sources)}
        total = sum(len(store) for store in stores.values())
        filling = tuple(folder for folder, store in stores.items() if store.is_being_filled)
        try:
            with Store(into) as target, target.transaction():
                for folder, store in stores.items():
                    for row in _whole_rows(store, folder):
                        counts[_bring(row, target, folder, into)] += 1
                        done += 1
                        if progress is not None and done % _BLOCK == 0:
                            progress(done / total)
        except BaseException:
            if not existed:
                _unmake(into)
            raise
    keep_labels(into, [name for folder in stores for name in read_labels(folder)])
    return Merged(counts["new"], counts["joined"], counts["same"], filling)


@checked
def delete(folder: Path, keys: Sequence[str]) -> int:
    """Delete runs from a store; how many there were."""
    with Store(folder) as store, store.transaction():
        _refuse_others(store)
        before = len(store)
        for table in ("runs", "claims"):
            store.connection.executemany(f"DELETE FROM {table} WHERE key = ?", [(key,) for key in keys])
        return before - len(store)


@checked
def vacuum(folder: Path, *, progress: Progress | None = None) -> tuple[int, int]:
    """Give back the room that deleted runs leave in a store's file: its bytes before and after.

    `progress` is called many times a second, and may end it.
    """
    raised = list[BaseException]()

    def handler() -> int:
        try:
            if progress is not None:
                progress()
        except BaseException as error:  # SQLite would swallow it
            raised.append(error)
        return len(raised)

    with Store(folder) as store:
        _refuse_others(store)
        before = store.path.stat().st_size
        store.connection.set_progress_handler(handler, _STEPS)
        try:
            store.execute("VACUUM")
        except BadFile:
            if raised:
                raise raised[0] from None
            raise
        finally:
            store.connection.set_progress_handler(None, 0)
    return before, store.path.stat().st_size


def _refuse_others(store: Store) -> None:
    if store.is_being_filled:
        raise BadFile(f"{store.path}: another process is filling it, so try again when that has ended")


def _whole_rows(store: Store, folder: Path) -> Iterator[StoredRow]:
    """The rows of a store, none of which may be damaged."""
    for row in store.rows():
        if is_damaged(row):
            raise BadFile(
                f"{store.path}: run {row[0]} is damaged, so nothing was merged; "
                f"`abacist repair --results {folder}` removes it"
            )
        yield row


def _bring(row: StoredRow, target: Store, folder: Path, into: Path) -> str:
    """Bring a run into a store: whether it is new there, joined with the one that it has, or the same."""
    present = target.row(row[0])
    if present == row:
        return "same"
    written = row
    if present is not None and not is_damaged(present):
        written = _joined(present, row, folder, into)
        if written == present:
            return "same"
    target.write([written])
    return "new" if present is None or written is row else "joined"


def _joined(present: StoredRow, row: StoredRow, folder: Path, into: Path) -> StoredRow:
    both = f"run {row[0]} of {folder} cannot be merged into {into}"
    try:
        ours, theirs = run_of(present), run_of(row)
    except UnknownRun as error:
        raise BadFile(f"{both}: {error}") from None
    if differ := differences(ours, theirs):
        where = on_what((ours.outcome, theirs.outcome))
        raise BadFile(f"{both}, which has another with other {' and '.join(differ)}{where}")
    try:
        union = joined(ours, theirs)
    except AbacistError as error:
        raise BadFile(f"{both}: {error}") from None
    return present if union is ours else row_of(union)


def _unmake(folder: Path) -> None:
    """Take away a store that was only just made, and has no runs."""
    if (folder / FILE_NAME).exists():
        with Store(folder, reading=True) as store:
            empty = not len(store) and not store.is_being_filled
        if empty:
            store.path.unlink(missing_ok=True)


def differences(run: Run, other: Run) -> list[str]:
    """What is not bit for bit the same in two runs of one key, of all that training and judging decide.

    Timings and versions may differ, and so may what only one of them was judged on.
    """
    ours, theirs = run.outcome, other.outcome
    both = ours.known() & theirs.known()
    same = {
        "weights": run.weights.dtype == other.weights.dtype
        and run.weights.tobytes() == other.weights.tobytes(),
        "moments": run.moments is None
        or other.moments is None
        or run.moments.tobytes() == other.moments.tobytes(),
        "losses": array("d", ours.losses).tobytes() == array("d", theirs.losses).tobytes(),
        "divergence": ours.diverged == theirs.diverged,
        "lessons": ours.taught == theirs.taught,
        "accuracies": all(ours.share(*one) == theirs.share(*one) for one in both),
    }
    return [name for name, agrees in same.items() if not agrees]


def joined(run: Run, other: Run) -> Run:
    """A run with all that another one of the same weights knows of it; itself where that is nothing more."""
    horizons = run.outcome.horizons
    for known in other.outcome.horizons:
        if not _tell(horizons, known):
            horizons = with_horizon(horizons, known)
    more_arrays = other.has_moments and not run.has_moments
    more_known = horizons != run.outcome.horizons or not other.outcome.known() <= run.outcome.known()
    return _combined(run, other, horizons) if more_arrays or more_known else run


def merge_known(run: Run, stored: Run | None) -> Run:
    """A run that was worked on, with all that a store has got to know about it meanwhile."""
    if stored is None or not np.array_equal(stored.weights, run.weights, equal_nan=True):
        return run
    horizons = stored.outcome.horizons
    for known in run.outcome.horizons:
        if known not in horizons:
            horizons = with_horizon(horizons, known)
    return _combined(run, stored, horizons)


def _combined(run: Run, other: Run, horizons: tuple[KnownHorizon, ...]) -> Run:
    """A run with these horizons, and the accuracies and moments of another one that it lacks itself."""
    accuracy = {
        name: {**other.outcome.accuracy.get(name, {}), **run.outcome.accuracy.get(name, {})}
        for name in dict.fromkeys((*run.outcome.accuracy, *other.outcome.accuracy))
    }
    arrays = other.arrays if other.has_moments and not run.has_moments else run.kept
    return replace(run, kept=arrays, outcome=replace(run.outcome, accuracy=accuracy, horizons=horizons))


def _tell(horizons: Iterable[KnownHorizon], known: KnownHorizon) -> bool:
    """Whether horizons already say all that a further one does."""
    search = replace(known.horizon.search, budget=max(known.horizon.reached, 1))
    alike = [one for one in horizons if one.question == known.question]
    facts = attrgetter("proved", "wrong", "looked")  # whatever search found them out
    as_far = any(facts(one.horizon.joined(known.horizon)) == facts(one.horizon) for one in alike)
    answered = known.horizon.reached == 0 or any(
        one.horizon.answers(search, known.horizon.searches) for one in alike
    )
    tried = known.every_word is None or any(one.every_word is not None for one in alike)
    return as_far and answered and tried


def on_what(outcomes: Iterable[Outcome]) -> str:
    """Where runs that differ were computed, if that may be the reason."""
    processors = list(dict.fromkeys(outcome.processor for outcome in outcomes))
    if len(processors) < 2 or None in processors:
        return ""
    names = [json.dumps(processor[0]) for processor in processors if processor is not None]
    return f"; they were computed on different processors, {one_of(names)}"
