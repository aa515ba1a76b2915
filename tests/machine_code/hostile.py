"""What others might do to a cache, for tests."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import pytest

ANOTHER_USER = 65534


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a file or folder another user's; where only the superuser could, become another user instead."""
    if os.geteuid() == 0:
        os.chown(path, ANOTHER_USER, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: ANOTHER_USER)


class _Trap:
    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.marker),)


def trap(marker: Path) -> bytes:
    """A pickle that makes a folder when it is loaded."""
    return pickle.dumps(_Trap(marker))


def flip(content: bytes, bit: int) -> bytes:
    """The same bytes with one bit turned over."""
    damaged = bytearray(content)
    damaged[bit // 8] ^= 1 << bit % 8
    return bytes(damaged)
