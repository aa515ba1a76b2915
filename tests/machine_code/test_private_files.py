"""A private folder is one that nobody else can write to or put another in the place of."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from abacist.errors import BadFile
from abacist.machine_code.private_files import create_private, private_folder, read_private
from tests.machine_code.hostile import give_away


def folder_of(path: Path, mode: int) -> Path:
    path.mkdir()
    path.chmod(mode)
    return path


def rights(path: Path) -> int:
    return path.stat().st_mode & 0o7777


@pytest.fixture(params=[0, 0o777], ids=["no mask", "a mask of all"])
def mask(request: pytest.FixtureRequest) -> Iterator[None]:
    """What is taken from the rights of all that is made: nothing, or even its owner's."""
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.mark.usefixtures("mask")
def test_what_is_made_is_for_this_user_alone(tmp_path: Path) -> None:
    folder = private_folder(tmp_path / "above" / "cache")
    create_private(folder / "key", b"secret")
    assert [rights(path) for path in (folder.parent, folder, folder / "key")] == [0o700, 0o700, 0o600]
    assert [path.name for path in folder.iterdir()] == ["key"]


@pytest.mark.parametrize("mode", [0o700, 0o755, 0o555, 0o500])
def test_a_folder_that_others_cannot_write_to_will_do(tmp_path: Path, mode: int) -> None:
    folder = folder_of(tmp_path / "cache", mode)
    assert private_folder(folder) == folder
    assert rights(folder) == mode


@pytest.mark.parametrize("mode", [0o770, 0o702, 0o777, 0o1777, 0o720])
def test_a_folder_that_others_can_write_to_is_refused(tmp_path: Path, mode: int) -> None:
    folder = folder_of(tmp_path / "cache", mode)
    with pytest.raises(BadFile, match=f"^{folder}: other users must not be able to write to it"):
        private_folder(folder)


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_so_is_one_in_such_a_folder(tmp_path: Path, mode: int) -> None:
    above = folder_of(tmp_path / "above", mode)
    with pytest.raises(BadFile, match=f"^{above}: other users must not be able to write to it"):
        private_folder(above / "further" / "cache")
    assert list(above.iterdir()) == []


def test_but_not_in_one_where_nobody_can_rename_what_is_not_his(tmp_path: Path) -> None:
    above = folder_of(tmp_path / "above", 0o1777)
    assert private_folder(above / "cache") == above / "cache"


@pytest.mark.parametrize("whose", ["cache", "."])
def test_another_user_s_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    folder = private_folder(tmp_path / "above" / "cache")
    give_away(folder.parent / whose, monkeypatch)
    with pytest.raises(BadFile, match="must not belong to another user, but belongs to user"):
        private_folder(folder)


def test_a_link_is_followed_once_and_then_not_used(tmp_path: Path) -> None:
    """Who can change the link can change it after it was looked at."""
    anyone_s = folder_of(tmp_path / "anyone's", 0o777)
    (anyone_s / "link").symlink_to(private_folder(tmp_path / "cache"))
    assert private_folder(anyone_s / "link") == tmp_path / "cache"
    (tmp_path / "link").symlink_to(anyone_s)
    with pytest.raises(BadFile, match="anyone's: other users must not be able to write to it"):
        private_folder(tmp_path / "link")


def test_what_is_no_folder_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in (tmp_path / "file", tmp_path / "file" / "cache", tmp_path / "loop"):
        with pytest.raises(BadFile, match="cannot be used, "):
            private_folder(path)


def test_a_file_that_is_missing_is_nothing(tmp_path: Path) -> None:
    assert read_private(tmp_path / "file") is None


def test_the_first_to_create_a_file_wins(tmp_path: Path) -> None:
    for data in (b"first", b"second"):
        create_private(tmp_path / "key", data)
    assert read_private(tmp_path / "key", secret=True) == b"first"
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_can_write_to_is_refused(tmp_path: Path, mode: int) -> None:
    create_private(tmp_path / "file", b"content")
    (tmp_path / "file").chmod(mode)
    with pytest.raises(BadFile, match="file: other users must not be able to write to it"):
        read_private(tmp_path / "file")


@pytest.mark.parametrize("mode", [0o640, 0o604])
def test_a_file_that_others_can_read_is_no_secret(tmp_path: Path, mode: int) -> None:
    create_private(tmp_path / "file", b"content")
    (tmp_path / "file").chmod(mode)
    assert read_private(tmp_path / "file") == b"content"
    with pytest.raises(BadFile, match="file: other users must not be able to read it"):
        read_private(tmp_path / "file", secret=True)


def test_another_user_s_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create_private(tmp_path / "file", b"content")
    give_away(tmp_path / "file", monkeypatch)
    with pytest.raises(BadFile, match="must not belong to another user, but belongs to user"):
        read_private(tmp_path / "file")


def test_a_link_in_a_file_s_place_is_refused(tmp_path: Path) -> None:
    create_private(tmp_path / "elsewhere", b"content")
    (tmp_path / "file").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadFile, match="file: cannot be read, "):
        read_private(tmp_path / "file")
