"""What a test leaves behind is noticed: each thing is changed here, noticed, and changed back."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest

from tests.left_behind import end_children, left_behind, surroundings


@contextmanager
def no_garbage_collection(_: Path) -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@contextmanager
def elsewhere(folder: Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    yield
    os.chdir(before)


@contextmanager
def a_variable(_: Path) -> Iterator[None]:
    os.environ["ABACIST_LEFT"] = "1"
    yield
    del os.environ["ABACIST_LEFT"]


@contextmanager
def everybody_may_write(_: Path) -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@contextmanager
def a_handler(_: Path) -> Iterator[None]:
    before = signal.signal(signal.SIGUSR1, lambda *_: None)
    yield
    signal.signal(signal.SIGUSR1, before)


@contextmanager
def a_folder_of_modules(folder: Path) -> Iterator[None]:
    sys.path.append(str(folder))
    yield
    sys.path.remove(str(folder))


@contextmanager
def errors_of_numpy(_: Path) -> Iterator[None]:
    with np.errstate(over="raise"):
        yield


@contextmanager
def another_style(_: Path) -> Iterator[None]:
    with mpl.rc_context({"font.size": 3}):
        yield


@contextmanager
def a_child(_: Path) -> Iterator[None]:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE):
        yield


@contextmanager
def a_thread(_: Path) -> Iterator[None]:
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    yield
    end.set()
    thread.join()


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (no_garbage_collection, "garbage collection"),
        (elsewhere, "the working directory"),
        (a_variable, "the environment"),
        (everybody_may_write, "the umask"),
        (a_handler, "signal handlers"),
        (a_folder_of_modules, "sys.path"),
        (errors_of_numpy, "NumPy's treatment of floating-point errors"),
        (another_style, "Matplotlib's settings"),
        (a_child, "child processes"),
        (a_thread, "threads"),
    ],
)
def test_it_is_noticed(change: Callable[[Path], Iterator[None]], name: str, tmp_path: Path) -> None:
    before = surroundings()
    assert left_behind(before) == []
    with change(tmp_path):  # type: ignore[attr-defined]
        assert left_behind(before) == [name]
    assert left_behind(before) == []


def test_processes_that_were_left_are_ended() -> None:
    before = surroundings()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        end_children(before)
        assert process.wait() == -signal.SIGKILL
