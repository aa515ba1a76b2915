"""What all tests share: generated cases are the same everywhere, none is timed, stores are closed."""

import importlib.util
import os
import signal
import sqlite3
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("abacist", deadline=None, derandomize=True, database=None)
settings.load_profile("abacist")

# PyTorch's classes stand in it, and every file is looked through for examples.
collect_ignore = [] if importlib.util.find_spec("torch") else ["engine/zoo_in_pytorch.py"]

os.environ["ABACIST_QUIET"] = "1"  # what is said only when a command takes long is no part of its answer

# A job in the background of a script is begun with Ctrl-C ignored, and would hand that on.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


class _Watched(sqlite3.Connection):
    """A connection that is known until it is closed: not every Python warns of one that is left open."""

    known: set[sqlite3.Connection] = set()  # noqa: RUF012

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.known.add(self)

    def close(self) -> None:
        super().close()
        self.known.discard(self)


sqlite3.connect = partial(sqlite3.connect, factory=_Watched)  # type: ignore[assignment]


@pytest.fixture(autouse=True)
def _stores_are_closed() -> Iterator[None]:
    """Whoever opens a store closes it; what a larger fixture has opened is its own."""
    before = set(_Watched.known)
    yield
    left = _Watched.known - before
    for connection in left:
        connection.close()
    assert not left, f"{len(left)} stores were left open"
