"""The ledger: a run that was written and is gone is missed, whatever took it away."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from abacist.errors import BadFile
from abacist.experiments import FILE_NAME, Results, Run, Store, Task
from abacist.experiments.database import VERSION
from abacist.experiments.store import Repaired
from tests.cli.command import inside, refused
from tests.experiments.cases import TINY, content, everything, keep, made_up, ran, results_in, runs_in, small

LOG = f"{FILE_NAME}-wal"
TASK = Task("tiny", small(), tuple(range(6)))


def block(first: int, count: int = 4) -> list[Run]:
    """Made-up runs of some seeds."""
    return [made_up(small(), seed, {"short": {"3": 0.5}}) for seed in range(first, first + count)]


def executed(folder: Path, *statements: str) -> None:
    """Change a store behind its back."""
    with closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def without_ledger(folder: Path) -> None:
    """Make a store one of the version before there was a ledger."""
    executed(folder, "DROP TABLE ledger", "PRAGMA user_version = 1")


def version(folder: Path) -> int:
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def read(folder: Path) -> Results:
    with Store(folder, reading=True) as store:
        return Results.of(store)


def test_runs_that_are_gone_are_missed_until_they_are_written_again(tmp_path: Path) -> None:
    keep(tmp_path, block(0, 9))
    assert read(tmp_path).left_out == ()
    executed(tmp_path, "DELETE FROM runs WHERE seed IN (2, 5, 7)")
    for _ in range(2):
        (sentence,) = read(tmp_path).left_out
        assert sentence.startswith(f"{tmp_path / FILE_NAME}: 3 runs that were written are missing; ")
    keep(tmp_path, block(5, 1))
    (sentence,) = read(tmp_path).left_out
    assert "2 runs that were written are missing" in sentence
    keep(tmp_path, block(0, 9))
    assert read(tmp_path).left_out == ()


def test_what_is_missing_is_recomputed(tmp_path: Path) -> None:
    ran([TASK], tmp_path)
    before = content(tmp_path)
    executed(tmp_path, "DELETE FROM runs WHERE seed < 4")
    told: list[str] = []
    found = ran([TASK], tmp_path, warn=told.append)
    (sentence,) = told
    assert "4 runs that were written are missing" in sentence
    assert found.left_out == ()
    assert content(tmp_path) == before


def test_repair_forgets_what_is_missing(tmp_path: Path) -> None:
    keep(tmp_path, block(0))
    executed(tmp_path, "DELETE FROM runs WHERE seed = 2")
    with Store(tmp_path) as store:
        assert store.repair() == Repaired((), 1)
        assert store.repair() == Repaired((), 0)
        assert Results.of(store).left_out == ()


def test_commands_name_what_is_missing(tmp_path: Path) -> None:
    keep(tmp_path, block(0))
    executed(tmp_path, "DELETE FROM runs WHERE seed = 2")
    code, output, errors = inside("runs", "--results", str(tmp_path))
    assert (code, errors.count("\n")) == (0, 1)
    assert "1 run that was written is missing" in errors
    code, output, errors = inside("repair", "--results", str(tmp_path))
    assert (code, output) == (0, "forgotten: 1 run that had been written, and had gone\n")
    assert inside("runs", "--results", str(tmp_path))[2] == ""


def test_a_damaged_ledger_is_named_and_settled(tmp_path: Path) -> None:
    keep(tmp_path, block(0))
    executed(tmp_path, "UPDATE ledger SET key = 'odd' WHERE key = (SELECT min(key) FROM ledger)")
    found = read(tmp_path)
    assert found.left_out == (f"{tmp_path / FILE_NAME}: its ledger is damaged; `abacist repair` settles it",)
    assert len(found.runs) == 4
    with Store(tmp_path) as store:
        store.repair()
    assert read(tmp_path).left_out == ()


def test_a_store_without_a_ledger_is_read_as_it_is_and_filled_with_one(tmp_path: Path) -> None:
    keep(tmp_path, block(0))
    without_ledger(tmp_path)
    old = (tmp_path / FILE_NAME).read_bytes()
    assert (len(read(tmp_path).runs), read(tmp_path).left_out) == (4, ())
    assert (tmp_path / FILE_NAME).read_bytes() == old
    keep(tmp_path, block(4))
    assert version(tmp_path) == VERSION
    assert [everything(run) for run in runs_in(tmp_path)] == [everything(run) for run in block(0, 8)]
    executed(tmp_path, "DELETE FROM runs WHERE seed IN (1, 6)")
    (sentence,) = read(tmp_path).left_out
    assert "2 runs that were written are missing" in sentence


def test_a_block_that_was_put_is_in_the_file_itself(tmp_path: Path) -> None:
    """Where a flipped bit is noticed, and not in a log that SQLite gives up in silence."""
    with Store(tmp_path) as store:
        for first in (0, 4, 8):
            store.claim([run.key for run in block(first)])
            store.put(block(first))
            assert (tmp_path / LOG).stat().st_size == 0
            copy = tmp_path / f"copy {first}"
            copy.mkdir()
            shutil.copy(tmp_path / FILE_NAME, copy)
            assert len(runs_in(copy)) == first + 4


def test_a_reader_does_not_keep_a_block_from_being_put(tmp_path: Path) -> None:
    keep(tmp_path, block(0))
    with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM runs").fetchone()
        keep(tmp_path, block(4))
        assert len(runs_in(tmp_path)) == 8
    assert len(runs_in(tmp_path)) == 8


def test_a_block_is_put_while_the_same_store_is_being_read(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.put(block(0))
        with closing(sqlite3.connect(tmp_path / FILE_NAME)) as other:
            half = other.execute("SELECT key FROM runs")
            assert half.fetchone() is not None
            store.put(block(4))
            assert len(half.fetchall()) == 3
        store.put(block(8))
        assert (tmp_path / LOG).stat().st_size == 0
    assert len(runs_in(tmp_path)) == 12


def with_log(folder: Path, changes: int) -> Path:
    """A copy of a store with many changes that are only in its log, as a kill can leave them."""
    source, copy = folder / "source", folder / "copy"
    keep(source, [])
    copy.mkdir()
    with Store(source) as store, closing(sqlite3.connect(source / FILE_NAME, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM runs").fetchone()  # keeps the log from being emptied
        store.claim(["any"])
        for number in range(changes):
            store.claim([f"other {number}"])
        for name in (FILE_NAME, LOG):
            shutil.copy(source / name, copy / name)
    return copy


def test_a_flipped_bit_in_a_log_is_named(tmp_path: Path) -> None:
    """As long as something that was committed lies behind it; nothing is said of a log that is whole."""
    folder = with_log(tmp_path, 12)
    file, log = (folder / FILE_NAME).read_bytes(), (folder / LOG).read_bytes()
    chance = random.Random(2019)
    places = [0, 20, *(chance.randrange(32, len(log) * 2 // 3) for _ in range(25))]
    for place in [None, *places]:
        (folder / FILE_NAME).write_bytes(file)
        changed = bytearray(log)
        if place is not None:
            changed[place] ^= 1 << chance.randrange(8)
        for _ in range(2 if place is not None else 1):
            (folder / LOG).write_bytes(changed)
            said = [s for s in read(folder).left_out if "its log was damaged" in s]
            assert len(said) == (place is not None), place
    assert (folder / LOG).read_bytes() == changed  # reading has not taken the evidence away
    assert any("its log was damaged" in sentence for sentence in results_in(folder).left_out)
    assert results_in(folder).left_out == ()


def test_the_log_of_a_loss_of_power_in_the_last_commit_is_whole(tmp_path: Path) -> None:
    folder = with_log(tmp_path, 5)
    log = bytearray((folder / LOG).read_bytes())
    log[-100] ^= 1
    (folder / LOG).write_bytes(log)
    assert read(folder).left_out == ()


@pytest.mark.parametrize("reading", [True, False])
def test_an_empty_file_is_no_store_and_stays_as_it_is(tmp_path: Path, reading: bool) -> None:
    (tmp_path / FILE_NAME).touch()
    with pytest.raises(BadFile, match=f"{FILE_NAME}: is empty, what was in it is lost; move it away"):
        Store(tmp_path, reading=reading)
    assert [(path.name, path.stat().st_size) for path in tmp_path.iterdir()] == [(FILE_NAME, 0)]


def test_commands_refuse_an_empty_file(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / FILE_NAME).touch()
    (tmp_path / "tiny.toml").write_text(TINY)
    for verb in (["runs"], ["repair"], ["run", str(tmp_path / "tiny.toml")], ["report"]):
        assert "is empty, what was in it is lost" in refused(*verb, "--results", str(folder), code=1)
    assert (folder / FILE_NAME).stat().st_size == 0


def test_a_new_store_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    keep(tmp_path, [])
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]
    with pytest.raises(BadFile, match=f"{FILE_NAME}: cannot be opened, no such file"):
        Store(tmp_path / "nowhere", reading=True)
    assert not (tmp_path / "nowhere").exists()
