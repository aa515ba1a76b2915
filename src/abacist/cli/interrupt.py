"""Ctrl-C: it ends the command within two seconds, whatever the command is doing.

Python looks for Ctrl-C in the main thread, between its own instructions: not while other code, such as a
compiled program, is at work there. And an exception that is raised while an object is being disposed of goes
nowhere. So a Ctrl-C is noted as well as raised, long work asks from time to time, and a thread hears of
every Ctrl-C at once. It ends the process where the main thread does not notice or goes on, and at a second
Ctrl-C. What is stored is as safe as from a kill.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from types import FrameType
from typing import Any, NoReturn

#: Not every system has terminals of this kind.
HAS_TERMINALS = find_spec("termios") is not None
if HAS_TERMINALS:
    import termios

#: Seconds that the main thread has to notice a Ctrl-C; seconds of computing, and of waiting, that the command
#: then has to end. On a busy machine it computes less in the same time.
_GRACE, _COMPUTING, _WAITING = 1.0, 1.5, 10.0

#: Seconds between two looks.
_LOOK = 0.2

_seen = False


@contextmanager
def watch() -> Iterator[None]:
    """Note every Ctrl-C meanwhile, unless it is to be ignored, as in a job in the background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield
        return
    ear, mouth = socket.socketpair()
    mouth.setblocking(False)
    with ear, mouth:
        handler = signal.signal(signal.SIGINT, _note)
        number = signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
        try:
            threading.Thread(target=_listen, args=(ear, _terminal()), daemon=True).start()
            yield
        finally:
            signal.set_wakeup_fd(number)
            signal.signal(signal.SIGINT, handler)


def check() -> None:
    """Raise what was swallowed."""
    if _seen:
        raise KeyboardInterrupt


def _note(_signal: int, _frame: FrameType | None) -> None:
    global _seen
    if not _seen:  # the second one ends the process anyway, without a traceback
        _seen = True
        raise KeyboardInterrupt


def _listen(ear: socket.socket, terminal: Any) -> None:
    """End the process if it goes on after the first Ctrl-C, or at the second."""
    with suppress(OSError, ValueError):  # nobody listens any more
        if _heard(ear):
            computed, begun = time.process_time(), time.monotonic()
            while not select.select([ear], [], [], _LOOK)[0]:
                spent, waited = time.process_time() - computed, time.monotonic() - begun
                if spent > _COMPUTING or waited > (_WAITING if _seen else _GRACE):
                    _leave(terminal)  # also where other code swallowed what Ctrl-C raised
            if _heard(ear):
                _leave(terminal)


def _heard(ear: socket.socket) -> bool:
    """Wait for a Ctrl-C; whether one came."""
    while data := ear.recv(64):
        if signal.SIGINT in data:
            return True
    return False


def _terminal() -> Any:
    """How the terminal is set, None without one."""
    return termios.tcgetattr(0) if HAS_TERMINALS and os.isatty(0) else None


def _leave(terminal: Any) -> NoReturn:
    """End the process and those it has begun, and leave the terminal as it was found."""
    if "multiprocessing.process" in sys.modules:
        for process in sys.modules["multiprocessing.process"].active_children():
            process.terminate()
    if terminal != _terminal():
        termios.tcsetattr(0, termios.TCSANOW, terminal)
    clear = b"\r\x1b[K\x1b[?25h" if os.isatty(2) else b""  # also shows the cursor that bars hide
    with suppress(OSError):
        os.write(2, clear + b"abacist: interrupted\n")
    os._exit(130)
