"""Damage: a store gives exactly what was put in, or says which file is damaged; never anything else."""

from __future__ import annotations

import hashlib
import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from abacist.errors import BadFile
from abacist.experiments import FILE_NAME, Results, Store
from tests.cli.command import refused
from tests.experiments.cases import TINY, everything, flip, keep, made_up, runs_of, small

COLUMNS = ("key", "spec", "seed", "results", "precision", "weights", "checksum", "losses")
RUNS = [made_up(small(rate=rate), s, {"short": {"3": s / 9}}) for rate in (0.1, 0.2) for s in range(6)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store of some runs, all of it in its file."""
    with Store(tmp_path) as store:
        store.put(RUNS)
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]
    return tmp_path


def all_read(folder: Path) -> bool:
    """Whether everything is read, in both ways; else the file is refused, or rows of it are named.

    What is read is the truth, and no row is lost in silence.
    """
    true = {run.key: everything(run) for run in RUNS}
    try:
        with closing(Store(folder)) as store:
            by_key = {key: store.get(key) for key in true}
            results, count = Results.of(store), len(store)
    except BadFile as error:
        sentences = [str(error)]
    else:
        sentences = list(results.left_out)
        found = {run.key: everything(run) for run in results.runs}
        assert {key: everything(run) for key, run in by_key.items() if run is not None} == found
        assert found == {key: true[key] for key in found}
        damaged = sum(": run " in sentence and " is damaged" in sentence for sentence in sentences)
        assert count == len(found) + damaged == len(true)
    for sentence in sentences:
        assert sentence.startswith(f"{folder / FILE_NAME}: ")
        assert "\n" not in sentence
    return not sentences


def changed(value: Any, chance: random.Random) -> Any:
    """A value with one bit flipped."""
    if isinstance(value, int):
        return value ^ 1 << chance.randrange(40)
    flipped = bytearray(value if isinstance(value, bytes) else value.encode())
    flipped[chance.randrange(len(flipped))] ^= 1 << chance.randrange(7)
    return bytes(flipped) if isinstance(value, bytes) else flipped.decode()


@pytest.mark.parametrize("column", COLUMNS)
def test_a_flipped_bit_in_a_column_is_found(folder: Path, column: str) -> None:
    """The row is refused by its name, the others are given."""
    chance = random.Random(column)
    with closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as connection:
        for number in range(12):
            victim = RUNS[number % len(RUNS)]
            row = connection.execute("SELECT rowid, * FROM runs WHERE key = ?", (victim.key,)).fetchone()
            value = row[1 + COLUMNS.index(column)]
            other = changed(value, chance)
            connection.execute(f"UPDATE runs SET {column} = ? WHERE rowid = ?", (other, row[0]))
            named = other if column == "key" else victim.key
            with Store(folder) as store:
                assert store.get(named) is None
                (sentence,) = Results.of(store).left_out
                assert sentence.startswith(f"{folder / FILE_NAME}: run {named} is damaged")
                others = {run.key: everything(run) for run in RUNS if run is not victim}
                assert {run.key: everything(run) for run in Results.of(store).runs} == others
                assert all(store.get(key) for key in others)
            connection.execute(f"UPDATE runs SET {column} = ? WHERE rowid = ?", (value, row[0]))
    assert all_read(folder)


@pytest.mark.parametrize("column", COLUMNS[1:])
@pytest.mark.parametrize("kind", ["BLOB", "TEXT"])
def test_a_value_of_another_kind_is_found(folder: Path, column: str, kind: str) -> None:
    """SQLite lets every column hold anything, as a flipped bit in a row's head shows."""
    with closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as connection:
        before = connection.execute(f"SELECT typeof({column}), * FROM runs").fetchall()
        connection.execute(f"UPDATE runs SET {column} = CAST({column} AS {kind})")
        connection.text_factory = bytes
        after = connection.execute(f"SELECT typeof({column}) FROM runs").fetchall()
    same = [row[0].encode() for row in before] == [kind for (kind,) in after]
    assert all_read(folder) == same


def test_rows_of_another_run_are_not_taken_for_it(folder: Path) -> None:
    with closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as connection:
        first, second = RUNS[0].key, RUNS[1].key
        connection.execute("DELETE FROM runs WHERE key = ?", (first,))
        connection.execute("UPDATE runs SET key = ? WHERE key = ?", (first, second))
    with Store(folder) as store:
        assert (store.get(first), store.get(second)) == (None, None)
        (damaged,) = [sentence for sentence in Results.of(store).left_out if first in sentence]
        assert f"run {first} is damaged" in damaged


@pytest.mark.parametrize("column", ["key", "spec", "results", "weights", "checksum", "losses"])
def test_repair_removes_what_is_damaged_and_nothing_else(folder: Path, column: str) -> None:
    """Also a text that is none any more."""
    flip(folder, column, seed=3)
    with Store(folder) as store:
        assert len(Results.of(store).left_out) == 2
        removed = store.repair()
        assert len(removed) == 2
        assert all("is damaged, its checksum does not match" in sentence for sentence in removed)
        left = {run.key: everything(run) for run in RUNS if run.seed != 3}
        assert {run.key: everything(run) for run in runs_of(store)} == left
        assert store.repair() == ()


def test_a_whole_row_of_something_unknown_is_named_and_never_removed(folder: Path) -> None:
    """Such as one of a later version: its checksum fits, but no language has this name."""
    spec = json.dumps(small().as_dict() | {"language": "klingon"}, sort_keys=True)
    text = ("of-tomorrow", spec, "5", RUNS[0].outcome.as_json(), "float32")
    digest = hashlib.sha256(b"".join(part.encode() + b"\0" for part in text) + b"1234").hexdigest()
    with closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as connection:
        connection.execute("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, NULL)", (*text, b"1234", digest))
    with Store(folder) as store:
        (sentence,) = Results.of(store).left_out
        assert "run of-tomorrow is not known to this version: unknown language 'klingon'" in sentence
        assert store.repair() == ()
        assert len(store) == len(RUNS) + 1
        with pytest.raises(BadFile, match="not known to this version"):
            store.get("of-tomorrow")


def read_as(folder: Path, content: bytes) -> bool:
    """Whether all is read where the file has other bytes; they are undone afterwards."""
    path = folder / FILE_NAME
    whole = path.read_bytes()
    path.write_bytes(content)
    try:
        return all_read(folder)
    finally:
        for beside in folder.iterdir():
            beside.unlink()
        path.write_bytes(whole)


def flipped(content: bytes, place: int, bit: int) -> bytes:
    return content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :]


def test_a_truncated_file(folder: Path) -> None:
    whole = (folder / FILE_NAME).read_bytes()
    size = len(whole)
    for length in (1, 50, 99, 100, 512, 4095, 4096, 4097, size // 2, size - 4096, size - 1):
        assert not read_as(folder, whole[:length]), length


def test_a_file_that_grew(folder: Path) -> None:
    read_as(folder, (folder / FILE_NAME).read_bytes() + b"\0" * 5000)
    assert all_read(folder)


@pytest.mark.thorough
def test_flipped_bits_anywhere_in_the_file(folder: Path) -> None:
    """In the first page's head, in the head of every page, and at places all over the file."""
    chance, whole = random.Random(2019), (folder / FILE_NAME).read_bytes()
    heads = [page + at for page in range(0, len(whole), 4096) for at in range(0, 40, 4)]
    places = [*range(0, 100, 2), *heads, *(chance.randrange(len(whole)) for _ in range(150))]
    found = sum(not read_as(folder, flipped(whole, place, 1 << chance.randrange(8))) for place in places)
    assert found > len(places) / 4
    assert all_read(folder)


def test_flipped_bits_in_the_index_of_keys(folder: Path) -> None:
    """A key that is there must not be missed because its entry in the index is damaged."""
    whole = (folder / FILE_NAME).read_bytes()
    places = [place for run in RUNS[:4] for place in _places(whole, run.key.encode())]
    assert len(places) >= 8
    for place in places:
        assert not read_as(folder, flipped(whole, place + 3, 1))


def _places(whole: bytes, text: bytes) -> list[int]:
    return [place for place in range(len(whole)) if whole.startswith(text, place)]


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\0" + b"\xff" * 5000, b"\0" * 5000])
def test_a_file_that_is_no_database(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    with pytest.raises(BadFile, match=f"{FILE_NAME}: the store is damaged .*; move it away to start afresh$"):
        Store(tmp_path)
    assert (tmp_path / FILE_NAME).read_bytes() == content


def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("CREATE TABLE cookies (name TEXT)")
    with pytest.raises(BadFile, match=FILE_NAME):
        Store(tmp_path)


def test_folders_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/nowhere")):
        with pytest.raises(BadFile, match=f"^{folder}/{FILE_NAME}: cannot be") as caught:
            Store(folder)
        assert "\n" not in str(caught.value)
    (tmp_path / FILE_NAME).mkdir()
    with pytest.raises(BadFile, match=FILE_NAME):
        Store(tmp_path)


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
