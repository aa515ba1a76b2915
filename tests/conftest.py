"""What all tests share: generated cases are the same everywhere, none is timed, nothing is left behind."""

import gc
import importlib.util
import os
import random
import signal
import sqlite3
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from typing import Any

import pytest
from hypothesis import settings

from abacist import labels
from tests.left_behind import await_threads, end_children, left_behind, surroundings
from tests.patience import HUNG

settings.register_profile("abacist", deadline=None, derandomize=True, database=None)
settings.load_profile("abacist")

# PyTorch's classes stand in it, and every file is looked through for examples.
collect_ignore = [] if importlib.util.find_spec("torch") else ["engine/zoo_in_pytorch.py"]

os.environ["ABACIST_QUIET"] = "1"  # what is said only when a command takes long is no part of its answer

# A job in the background of a script is begun with Ctrl-C ignored, and would hand that on.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With a number in ABACIST_TEST_ORDER, shuffle the modules, and the tests within each, in an order of
    that number; the tests of a module stay together, since they share what it has trained."""
    if (order := os.environ.get("ABACIST_TEST_ORDER")) is None:
        return
    chance = random.Random(int(order))
    modules = [list(tests) for _, tests in groupby(items, lambda item: item.nodeid.partition("::")[0])]
    chance.shuffle(modules)
    for tests in modules:
        chance.shuffle(tests)
    items[:] = [item for tests in modules for item in tests]


@pytest.fixture(autouse=True)
def _garbage_is_the_test_s_own() -> None:
    """Nobody looks for garbage in what was there before a test: that would take longer than most tests."""
    gc.collect(1)
    gc.freeze()


@pytest.fixture(autouse=True)
def _labels_are_the_test_s_own() -> None:
    """What one test calls cells and languages, another does not."""
    labels._given.clear()
    labels._read.clear()


def pytest_sessionfinish() -> None:
    """A file that was left open in garbage is a failure. Pytest looks five times, at little."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _hung(*_: object) -> None:
    pytest.fail(f"the test has not ended after {HUNG} seconds")


@pytest.fixture(autouse=True)
def _nothing_is_left_behind() -> Iterator[None]:
    """Whoever changes what tests share changes it back; what a larger fixture has changed is its own."""
    before = surroundings()
    signal.signal(signal.SIGALRM, _hung)
    signal.alarm(HUNG)
    yield
    await_threads(before)
    signal.alarm(0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    left = left_behind(before)
    end_children(before)
    assert not left, f"left behind: {', '.join(left)}"


@pytest.fixture(autouse=True)
def _stores_are_closed() -> Iterator[None]:
    """Whoever opens a store closes it; not every Python warns of one that is left open."""
    opened = set[sqlite3.Connection]()

    class Watched(sqlite3.Connection):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            opened.add(self)

        def close(self) -> None:
            super().close()
            opened.discard(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Watched))
        yield
    left = list(opened)
    for connection in left:
        connection.close()
    assert not left, f"{len(left)} stores were left open"
