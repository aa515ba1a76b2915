"""What comes out of the cache is what this user put in, bit for bit, or nothing."""

from __future__ import annotations

import hashlib
import hmac
import logging
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import platformdirs
import pytest

from abacist.errors import BadFile
from abacist.machine_code.code_cache import (
    LARGEST,
    cache_folder,
    keep_text,
    load_code,
    save_code,
)
from tests.machine_code.hostile import flip, give_away

CONTENT = b"some code"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own."""
    monkeypatch.setenv("ABACIST_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_save_and_load_are_inverse(folder: Path) -> None:
    assert load_code("f") is None
    for content in (b"", CONTENT, bytes(range(256)) * 500):
        save_code("f", content)
        assert load_code("f") == content


def test_no_bit_can_be_flipped(folder: Path) -> None:
    save_code("f", CONTENT)
    path = folder / "compiled" / "f"
    whole = path.read_bytes()
    for bit in range(8 * len(whole)):
        path.write_bytes(flip(whole, bit))
        assert load_code("f") is None
    path.write_bytes(whole)
    assert load_code("f") == CONTENT


def test_nothing_can_be_cut_off_or_added(folder: Path) -> None:
    save_code("f", CONTENT)
    path = folder / "compiled" / "f"
    whole = path.read_bytes()
    for damaged in (*(whole[:length] for length in range(len(whole))), whole + b"\0"):
        path.write_bytes(damaged)
        assert load_code("f") is None


def test_one_thing_does_not_pass_for_another(folder: Path) -> None:
    save_code("f", CONTENT)
    (folder / "compiled" / "f").rename(folder / "compiled" / "g")
    assert load_code("g") is None


def _later(folder: Path) -> None:
    """As if a second had passed."""
    for path in folder.iterdir():
        os.utime(path, ns=(0, path.stat().st_mtime_ns - 10**9))


def test_what_was_used_least_recently_makes_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LARGEST, "compiled", 10_000)
    kept = folder / "compiled"
    for number in range(20):
        save_code(f"f{number}", bytes(1_000))
        assert load_code("f0") == bytes(1_000)  # used all the time
        assert sum(path.stat().st_size for path in kept.iterdir()) <= 10_000
        _later(kept)
    assert {path.name for path in kept.iterdir()} == {"f0", *(f"f{n}" for n in range(12, 20))}


def test_texts_of_programs_make_room_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LARGEST, "programs", 2_500)
    for number in range(5):
        keep_text(f"p{number}.py", "x" * 1_000)
        _later(folder / "programs")
    assert {path.name for path in (folder / "programs").iterdir()} == {"p3.py", "p4.py"}


def test_what_another_process_is_writing_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_code("f", CONTENT)
    now, kept = time.time(), folder / "compiled"
    for name, seconds in ((".new", 60), (".left", 7200)):
        (kept / name).write_bytes(CONTENT)
        os.utime(kept / name, (now - seconds, now - seconds))
    monkeypatch.setitem(LARGEST, "compiled", 50)
    save_code("g", CONTENT)
    assert {path.name for path in kept.iterdir()} == {".new", "g"}


def test_where_nothing_can_be_removed_nothing_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: object, **__: object) -> None:
        raise FileNotFoundError

    monkeypatch.setitem(LARGEST, "compiled", 0)
    for name in ("unlink", "utime", "scandir"):
        monkeypatch.setattr(os, name, gone)
        save_code("f", CONTENT)
        assert load_code("f") == CONTENT


def test_a_checksum_that_anyone_can_compute_is_not_enough(folder: Path) -> None:
    save_code("f", CONTENT)
    for key in (b"", bytes(32)):
        code = hmac.digest(key, b"f\0forged", "sha256")
        (folder / "compiled" / "f").write_bytes(code + b"forged")
        assert load_code("f") is None
    (folder / "compiled" / "f").write_bytes(hashlib.sha256(b"forged").digest() + b"forged")
    assert load_code("f") is None


@pytest.mark.parametrize("damaged", [b"", b"short", bytes(32), bytes(33)])
def test_a_damaged_key_costs_what_was_kept_and_no_more(folder: Path, damaged: bytes) -> None:
    save_code("f", CONTENT)
    (folder / "key").write_bytes(damaged)
    assert load_code("f") is None
    save_code("f", CONTENT)
    assert load_code("f") == CONTENT
    assert len((folder / "key").read_bytes()) == 32


def test_all_who_begin_at_once_have_one_key(folder: Path) -> None:
    names = [f"f{n}" for n in range(16)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: save_code(name, name.encode()), names))
    assert [load_code(name) for name in names] == [name.encode() for name in names]


def test_every_file_is_for_this_user_alone(folder: Path) -> None:
    save_code("f", CONTENT)
    keep_text("f.py", "text")
    modes = {str(path.relative_to(folder)): path.stat().st_mode & 0o777 for path in folder.rglob("*")}
    assert modes == {
        "key": 0o600, "compiled": 0o700, "compiled/f": 0o600, "programs": 0o700, "programs/f.py": 0o600,
    }  # fmt: skip


@pytest.mark.parametrize("given", [".", "compiled", "compiled/f", "key"])
def test_what_others_own_or_can_write_to_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    save_code("f", CONTENT)
    rights = (folder / given).stat().st_mode
    (folder / given).chmod(0o777)
    with pytest.raises(BadFile, match=r"ABACIST_CACHE.*: other users must not be able to write to it"):
        load_code("f")
    (folder / given).chmod(rights)
    give_away(folder / given, monkeypatch)
    with pytest.raises(BadFile, match=r"ABACIST_CACHE.*: must not belong to another user"):
        load_code("f")


def test_the_user_s_own_choice_must_be_fit_for_use(folder: Path) -> None:
    folder.write_text("a file")
    sentence = r"^the cache of compiled code \(ABACIST_CACHE\): "
    with pytest.raises(BadFile, match=sentence):
        load_code("f")
    with pytest.raises(BadFile, match=sentence):
        save_code("f", CONTENT)
    with pytest.raises(BadFile, match=sentence):
        keep_text("f.py", "")


def _open_to_all(path: Path) -> None:
    path.mkdir()
    path.chmod(0o777)


@pytest.mark.parametrize("spoil", [Path.touch, _open_to_all], ids=["a file", "open to all"])
def test_the_system_s_place_need_not_be(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    spoil: Callable[[Path], None],
) -> None:
    spoil(tmp_path / "place")
    monkeypatch.delenv("ABACIST_CACHE", raising=False)
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: tmp_path / "place" / name)
    assert cache_folder() == tmp_path / "place" / "abacist"
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            save_code("f", CONTENT)
            keep_text("f.py", "")
            assert load_code("f") is None
    (message,) = caplog.messages
    assert message.startswith("abacist: compiled code is not kept for the next time (")
    assert "set ABACIST_CACHE" in message
    assert not cache_folder().exists()
