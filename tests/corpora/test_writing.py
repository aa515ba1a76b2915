"""A file is written whole or not at all, whatever happens meanwhile."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from abacist.corpora import Corpora, Grammar, Recipe, Split, Window, draw
from abacist.corpora.files import load, save
from abacist.errors import BadFile
from abacist.files import write_whole
from abacist.languages import Dyck
from tests.ordinary import closed, closed_folder


def corpora_of(seed: int) -> Corpora:
    return draw(Recipe(Dyck(1), Grammar(), (Split("words", Window(2, 12), 30),), seed))


@pytest.fixture
def saved(tmp_path: Path) -> tuple[Path, Corpora]:
    path, corpora = tmp_path / "corpora.npz", corpora_of(0)
    save(corpora, path)
    return path, corpora


@pytest.mark.parametrize("name", ["a.npz", "a.jsonl"])
def test_a_folder_that_cannot_be_written_is_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpora = corpora_of(0)
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "folder" / name).mkdir(parents=True)
    for path in (tmp_path / "none" / name, tmp_path / "file" / name, tmp_path / "folder" / name):
        with pytest.raises(BadFile, match="cannot be written, ") as refusal:
            save(corpora, path)
        assert str(refusal.value).startswith(f"{path}: ")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("abacist.files.open", refuse, raising=False)
    with pytest.raises(BadFile) as refusal:
        save(corpora, tmp_path / name)
    assert str(refusal.value) == f"{tmp_path / name}: cannot be written, permission denied"
    assert sorted(map(str, tmp_path.rglob("*"))) == sorted(
        str(tmp_path / inside) for inside in ("file", "folder", f"folder/{name}")
    )


@pytest.mark.parametrize("path", [".", "/"])
def test_a_folder_is_not_replaced_by_a_file(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadFile, match="cannot be written, "):
        write_whole(Path(path), b"")
    assert list(tmp_path.iterdir()) == []


def test_a_read_only_folder_stays_as_it_is() -> None:
    corpora = corpora_of(0)
    with closed_folder() as folder:
        with closed(folder), pytest.raises(BadFile, match="cannot be written, permission denied"):
            save(corpora, folder / "a.npz")
        assert os.listdir(folder) == []


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_an_interrupted_write_keeps_the_old_file(
    saved: tuple[Path, Corpora], monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path, corpora = saved
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, step, fail)
        with pytest.raises(BadFile) as refusal:
            save(corpora_of(9), path)
    assert str(refusal.value) == f"{path}: cannot be written, no space left on device"
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]
    assert load(path) == corpora


def test_so_does_one_interrupted_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    (tmp_path / "a.npz").write_bytes(b"old")
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", interrupt)
        with pytest.raises(KeyboardInterrupt):
            write_whole(tmp_path / "a.npz", b"new")
    assert (tmp_path / "a.npz").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.npz"]


def test_the_new_file_is_on_the_disk_before_it_takes_the_old_ones_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    fsync, replace = os.fsync, os.replace

    def note_fsync(file: int) -> None:
        steps.append("fsync")
        fsync(file)

    def note_replace(source: str, target: Path) -> None:
        steps.append("replace")
        assert Path(source).read_bytes() == b"new"
        assert Path(source).parent == target.parent  # elsewhere, it could be another disk
        replace(source, target)

    monkeypatch.setattr(os, "fsync", note_fsync)
    monkeypatch.setattr(os, "replace", note_replace)
    (tmp_path / "a.npz").write_bytes(b"old")
    write_whole(tmp_path / "a.npz", b"new")
    assert steps == ["fsync", "replace"]
    assert (tmp_path / "a.npz").read_bytes() == b"new"


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
@pytest.mark.parametrize("mask", [0o022, 0o027, 0o777])
def test_a_file_has_the_rights_of_any_other_file_and_a_private_one_those_of_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mask: int
) -> None:
    """The mask stays what it is: it belongs to all threads, which may be creating files."""
    usual = os.umask(mask)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(os, "umask", lambda _: pytest.fail("the mask is changed for all threads"))
            (tmp_path / "plain").write_text("")
            write_whole(tmp_path / "a.npz", b"new")
            write_whole(tmp_path / "key", b"new", private=True)
    finally:
        os.umask(usual)
    rights = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("plain", "a.npz", "key")]
    assert rights == [0o666 & ~mask, 0o666 & ~mask, 0o600]
    assert len(list(tmp_path.iterdir())) == 3
