"""SQLite's write-ahead log: whether something that was committed can no longer be read from it.

SQLite stops reading a log at the first frame whose checksum does not fit, without a word, as it must
where the power went in the midst of a commit. Commits that lie behind such a frame were lost otherwise.
The format is that of https://www.sqlite.org/fileformat2.html#walformat.
"""

from __future__ import annotations

from pathlib import Path
from struct import Struct

_HEAD, _FRAME = Struct(">8I"), Struct(">6I")
_MAGIC = 0x377F0682
_USUAL_PAGE = 4096


def log_beside(path: Path) -> Path:
    """The log of a database."""
    return path.with_name(f"{path.name}-wal")


def has_log(path: Path) -> bool:
    """Whether a database has a log with something in it."""
    return bool(_content(path))


def lost_commits(path: Path) -> int:
    """How many commits in the log of a database cannot be read because of damage before them.

    One alone is what a loss of power leaves of a commit that nobody was told of, and counts as none.
    """
    while True:
        log = _content(path)
        lost = _behind_damage(log)
        if lost < 2:
            return 0
        if log == _content(path):  # else someone is just writing it
            return lost


def _content(path: Path) -> bytes:
    try:
        return log_beside(path).read_bytes()
    except FileNotFoundError:
        return b""


def _behind_damage(log: bytes) -> int:
    """The commits that lie behind the first frame that does not fit, and belong to the same log."""
    if len(log) < _HEAD.size + _FRAME.size:
        return 0
    magic, _, page, _, *salts, first, second = _HEAD.unpack_from(log)
    order = "big" if magic & 1 else "little"
    sums = _checksum(log[:24], (0, 0), order)
    whole = magic & ~1 == _MAGIC and sums == (first, second)
    if not whole:
        page, salts = _USUAL_PAGE, list(_FRAME.unpack_from(log, _HEAD.size)[2:4])
    lost = 0
    for start in range(_HEAD.size, len(log) - _FRAME.size - page + 1, _FRAME.size + page):
        _, commit, *of, first, second = _FRAME.unpack_from(log, start)
        if of != salts:  # of an older log, which this one has not overwritten yet, or damaged
            whole = False
        elif whole:
            body = start + _FRAME.size
            sums = _checksum(log[start : start + 8] + log[body : body + page], sums, order)
            whole = sums == (first, second)
        if not whole and commit and of == salts:
            lost += 1
    return lost


def _checksum(content: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    """SQLite's running checksum over pairs of words."""
    words = memoryview(content)
    first, second = sums
    numbers = Struct(f"{'>' if order == 'big' else '<'}{len(words) // 4}I").unpack(words)
    for even, odd in zip(numbers[::2], numbers[1::2], strict=True):
        first = first + even + second & 0xFFFFFFFF
        second = second + odd + first & 0xFFFFFFFF
    return first, second
