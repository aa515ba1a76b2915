"""Ctrl-C: the command ends, also where the main thread does not notice, and where threads go on."""

from __future__ import annotations

import itertools
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from abacist.cli import interrupt


class Left(Exception):
    """The process would have ended here."""


@pytest.fixture
def pair(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[socket.socket, socket.socket]]:
    """What the listener hears from, and what signals are written to; nobody waits."""

    def leave(_terminal: Any) -> None:
        raise Left

    monkeypatch.setattr(interrupt, "_leave", leave)
    monkeypatch.setattr(interrupt, "_GRACE", 0)
    monkeypatch.setattr(interrupt, "_LOOK", 0)
    monkeypatch.setattr(interrupt, "_seen", False)
    ear, mouth = socket.socketpair()
    with ear, mouth:
        yield ear, mouth


def test_an_unnoticed_ctrl_c_ends_the_process(pair: tuple[socket.socket, socket.socket]) -> None:
    pair[1].send(bytes([signal.SIGINT]))
    with pytest.raises(Left):
        interrupt._listen(pair[0], None)


def test_a_noticed_one_is_left_to_the_main_thread(
    pair: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interrupt, "_seen", True)
    pair[1].send(bytes([signal.SIGINT]))
    pair[1].close()
    interrupt._listen(pair[0], None)


def test_other_signals_do_not_end_the_process(pair: tuple[socket.socket, socket.socket]) -> None:
    pair[1].send(bytes([signal.SIGTERM, signal.SIGALRM]))
    pair[1].close()
    interrupt._listen(pair[0], None)


def test_the_second_ends_it_at_once(
    pair: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interrupt, "_seen", True)

    def wait(readable: list[Any], *_rest: Any) -> Any:
        pair[1].send(bytes([signal.SIGINT]))
        return (readable, [], [])

    monkeypatch.setattr(select, "select", wait)
    pair[1].send(bytes([signal.SIGINT]))
    with pytest.raises(Left):
        interrupt._listen(pair[0], None)


@pytest.mark.parametrize("clock", ["process_time", "monotonic"])
def test_whoever_goes_on_all_the_same_is_ended(
    clock: str, pair: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interrupt, "_seen", True)
    monkeypatch.setattr(time, clock, itertools.count(0, 11).__next__)
    pair[1].send(bytes([signal.SIGINT]))
    with pytest.raises(Left):
        interrupt._listen(pair[0], None)


def test_a_ctrl_c_that_other_code_swallows_ends_the_command(tmp_path: Path) -> None:
    """As LLVM does where it calls back into Python."""
    script = """
import ctypes, os, signal
from abacist.cli import app
callback = ctypes.CFUNCTYPE(None)(lambda: os.kill(os.getpid(), signal.SIGINT))
def swallowing():
    callback()
    while True:
        pass
app.run = swallowing
app.main()
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 130
    assert done.stderr.endswith("abacist: interrupted\n")


def test_all_is_as_before_when_nobody_watches_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupt, "_seen", False)
    handler, threads = signal.getsignal(signal.SIGINT), set(threading.enumerate())
    with interrupt.watch():
        (listener,) = set(threading.enumerate()) - threads
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    listener.join()
    assert signal.getsignal(signal.SIGINT) is handler
    assert signal.set_wakeup_fd(-1) == -1


def test_a_thread_that_goes_on_is_not_waited_for(tmp_path: Path) -> None:
    """Such as one that compiles."""
    script = """
import threading
import time
from abacist.cli import app
def interrupted():
    threading.Thread(target=threading.Event().wait).start()
    print("what there is")
    return 130
app.run = interrupted
app.main()
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "what there is\n", "abacist: interrupted\n")
