"""The rollback journal: what was committed is read, wherever a store lies, whatever interrupted a write."""

from __future__ import annotations

import random
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from abacist.errors import BadFile
from abacist.experiments import FILE_NAME, Results, Run, Store, database, merge
from abacist.experiments.owners import new_owner
from tests.experiments.cases import everything, keep, made_up, runs_in, runs_of, small
from tests.experiments.interrupted import JOURNAL, Interrupted, make_old, spoilt
from tests.ordinary import closed, closed_folder


def block(first: int, count: int = 4, share: float = 0.5) -> list[Run]:
    """Made-up runs of some seeds."""
    return [made_up(small(), seed, {"short": {"3": share}}) for seed in range(first, first + count)]


def read(folder: Path) -> list[Run]:
    """All runs of a store that is only read, with their weights, none of which is damaged."""
    with Store(folder, reading=True) as store:
        return runs_of(store)


def same(runs: list[Run], others: list[Run]) -> bool:
    return [everything(run) for run in runs] == [everything(run) for run in others]


def mode_and_version(folder: Path) -> tuple[str, int]:
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    return mode, version


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory: pytest.TempPathFactory) -> Interrupted:
    """Twelve runs were there, three of them were being written anew and seven added."""
    return Interrupted(tmp_path_factory.mktemp("interrupted") / "store", block(0, 12), block(9, 10, 0.25))


@pytest.mark.parametrize("reading", [True, False])
def test_a_write_that_was_interrupted_is_undone(
    interrupted: Interrupted, tmp_path: Path, reading: bool
) -> None:
    for number in range(8):
        folder = tmp_path / str(number)
        interrupted.leave(folder, random.Random(number))
        assert same((read if reading else runs_in)(folder), block(0, 12))
        assert [path.name for path in folder.iterdir()] == [FILE_NAME]


def test_a_spoilt_journal_never_loses_a_run_in_silence(interrupted: Interrupted, tmp_path: Path) -> None:
    """What is read is the truth, and all of it; else rows are named, or the store is refused."""
    old = {run.key: everything(run) for run in block(0, 12)}
    new = {run.key: everything(run) for run in block(9, 10, 0.25)}
    refused = whole = 0
    for number in range(30):
        chance = random.Random(number)
        interrupted.leave(tmp_path, chance)
        (tmp_path / JOURNAL).write_bytes(spoilt(interrupted.journal, chance))
        try:
            with Store(tmp_path, reading=True) as store:
                results = Results.of(store)
                found = {run.key: everything(run) for run in results.runs}
        except BadFile as error:
            refused += str(error).startswith(f"{tmp_path / FILE_NAME}: the store is damaged")
            continue
        assert all(content in (old.get(key), new.get(key)) for key, content in found.items()), number
        assert len(old.keys() - found.keys()) <= len(results.left_out), number
        whole += 1
    assert min(refused, whole) > 0
    assert refused + whole == 30


@pytest.mark.parametrize("to_folder", [True, False])
def test_a_store_is_the_same_through_a_link(
    interrupted: Interrupted, tmp_path: Path, to_folder: bool
) -> None:
    """Its journal, or the log of an older one, lies beside the file itself."""
    real, old, link, old_link = (tmp_path / name for name in ("real", "old", "link", "old link"))
    interrupted.leave(real, random.Random(0))
    old.mkdir()
    make_old(old, block(0), block(4))
    for folder, name in ((real, link), (old, old_link)):
        if to_folder:
            name.symlink_to(folder)
        else:
            name.mkdir()
            (name / FILE_NAME).symlink_to(folder / FILE_NAME)
    assert same(read(link), block(0, 12))
    assert same(read(old_link), block(0, 8))
    keep(link, block(12))
    keep(old_link, block(8))
    assert same(read(real), block(0, 16))
    assert same(read(old), block(0, 12))
    assert (link / FILE_NAME).is_symlink() != to_folder
    assert {path.name for folder in (real, old, link) for path in folder.iterdir()} == {FILE_NAME}


def test_a_link_to_nothing_becomes_a_store_there(tmp_path: Path) -> None:
    folder = tmp_path / "link"
    folder.mkdir()
    (folder / FILE_NAME).symlink_to(tmp_path / "real" / FILE_NAME)
    keep(folder, block(0))
    assert same(read(tmp_path / "real"), block(0))
    (tmp_path / FILE_NAME).symlink_to(tmp_path / FILE_NAME)
    with pytest.raises(BadFile, match=f"{FILE_NAME}: cannot be opened, too many levels"):
        Store(tmp_path)


def test_what_was_interrupted_is_read_where_nothing_can_be_written(
    interrupted: Interrupted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a copy, which is made once for each process; or a sentence says that there is no room for it."""
    with closed_folder() as folder, closed_folder() as temporary:
        temporary.chmod(0o777)
        monkeypatch.setattr("tempfile.tempdir", str(temporary))
        interrupted.leave(folder, random.Random(0))
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        with closed(folder):
            for _ in range(2):
                assert same(read(folder), block(0, 12))
            with pytest.raises(BadFile, match="cannot be written"):
                Store(folder)
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
        assert len(list(temporary.iterdir())) == 1
        database._copied.cache_clear()
        monkeypatch.setattr("tempfile.tempdir", str(temporary / "nowhere"))
        with closed(folder), pytest.raises(BadFile, match="a copy is needed to read it, which cannot be wri"):
            read(folder)


@pytest.mark.parametrize("in_log", [0, 3])
def test_a_store_of_an_older_version_is_read_where_nothing_can_be_written(in_log: int) -> None:
    """Also where a kill has left runs in its log, without the file through which processes share it, and
    through a link to the file."""
    with closed_folder() as folder, closed_folder() as link:
        make_old(folder, block(0), block(4, in_log))
        (link / FILE_NAME).symlink_to(folder / FILE_NAME)
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        with closed(folder):
            for place in (link, folder):
                assert same(read(place), block(0, 4 + in_log))
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(("version", "in_log"), [(1, 0), (1, 3), (2, 0), (2, 3), (3, 0)])
def test_a_store_of_an_older_version_is_read_as_it_is_and_updated_when_it_is_filled(
    tmp_path: Path, version: int, in_log: int
) -> None:
    make_old(tmp_path, block(0), block(4, in_log), version=version)
    assert same(read(tmp_path), block(0, 4 + in_log))
    assert mode_and_version(tmp_path) == ("wal" if version < 3 else "delete", version)
    merge(tmp_path / "other", [tmp_path])
    assert same(read(tmp_path / "other"), block(0, 4 + in_log))
    shutil.rmtree(tmp_path / "other")
    keep(tmp_path, block(20))
    assert same(read(tmp_path), block(0, 4 + in_log) + block(20))
    assert mode_and_version(tmp_path) == ("delete", database.VERSION)
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


@pytest.mark.parametrize("version", [2, 3])
def test_an_older_store_that_another_process_uses_is_not_filled(tmp_path: Path, version: int) -> None:
    """That process could not write to it any more. Between two commits only its claims show it."""
    make_old(tmp_path, block(0), [], version=version)
    with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as other:
        assert other.execute("SELECT count(*) FROM runs").fetchone() == (4,)
        other.execute("INSERT INTO claims VALUES ('key', ?, ?)", (new_owner(), time.time()))
        with pytest.raises(BadFile, match="another process uses it in an older version; try again when that"):
            keep(tmp_path, block(4))
        other.execute("DELETE FROM claims")
    assert mode_and_version(tmp_path)[1] == version
    keep(tmp_path, block(4))
    assert same(read(tmp_path), block(0, 8))
    assert mode_and_version(tmp_path) == ("delete", database.VERSION)


def test_a_block_that_was_put_is_in_the_file_and_nowhere_else(tmp_path: Path) -> None:
    with Store(tmp_path / "store") as store:
        for first in (0, 4, 8):
            store.claim([run.key for run in block(first)])
            store.put(block(first))
            assert [path.name for path in (tmp_path / "store").iterdir()] == [FILE_NAME]
            copy = tmp_path / f"copy {first}"
            copy.mkdir()
            shutil.copy(tmp_path / "store" / FILE_NAME, copy)
            assert same(read(copy), block(0, first + 4))


def test_writers_do_not_wait_for_readers_that_have_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor readers for them: nobody holds a lock but for a moment."""
    monkeypatch.setattr(database, "_PATIENCE", 0.0)
    monkeypatch.setattr(database, "_ROWS", 2)
    keep(tmp_path, block(0, 5))
    with Store(tmp_path) as store, Store(tmp_path, reading=True) as reader:
        rows = reader.rows()
        first = next(rows)
        store.put([*block(0, 1, 0.25), *block(5)])
        keys = [first[0], *(row[0] for row in rows)]
        assert sorted(keys) == sorted(run.key for run in [*block(0, 9), *block(0, 1)])
        assert same(runs_of(reader), [*block(0, 1, 0.25), *block(1, 8)])


def test_a_run_that_is_written_again_while_it_is_read_is_there_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_BYTES", 1)
    keep(tmp_path, block(0))
    with Store(tmp_path) as store, Store(tmp_path, reading=True) as reader:
        whole = reader.rows

        def disturbed() -> Iterator[Any]:
            for number, row in enumerate(whole()):
                if number == 1:
                    store.put(block(0, 1, 0.25))
                yield row

        monkeypatch.setattr(reader, "rows", disturbed)
        assert same(runs_of(reader), [*block(0, 1, 0.25), *block(1, 3)])


@pytest.mark.parametrize("reading", [True, False])
def test_a_process_that_is_writing_is_waited_for_and_control_c_ends_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reading: bool
) -> None:
    """The other process is played: it ends its commit while it is waited for."""
    keep(tmp_path, block(0))
    with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as other:

        def play(end: Callable[[], object]) -> None:
            pauses = count(1)
            monkeypatch.setattr(time, "sleep", lambda _: end() if next(pauses) == 3 else None)

        def interrupt() -> None:
            raise KeyboardInterrupt

        other.execute("BEGIN EXCLUSIVE")
        play(interrupt)
        with pytest.raises(KeyboardInterrupt):
            Store(tmp_path, reading=reading)
        play(lambda: other.execute("COMMIT"))
        assert same((read if reading else runs_in)(tmp_path), block(0))


def test_a_process_that_never_ends_its_writing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_PATIENCE", 0.0)
    keep(tmp_path, block(0))
    with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for reading in (True, False):
            with pytest.raises(BadFile, match=f"{FILE_NAME}: another process is writing to it, try again$"):
                Store(tmp_path, reading=reading)
