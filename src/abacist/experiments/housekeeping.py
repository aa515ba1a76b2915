"""Housekeeping: stores merged, runs deleted, room given back; each in one transaction, or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from abacist.errors import AbacistError, BadFile, BadInput
from abacist.experiments.joining import differences, joined, on_what
from abacist.experiments.rows import StoredRow, UnknownRun, is_damaged, row_of, run_of
from abacist.experiments.store import FILE_NAME, Store
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
