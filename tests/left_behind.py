"""What a test can leave behind for the next one: settings of the process, children, files that stay open."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import tracemalloc
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import numpy as np

#: Seconds for threads to end before garbage is looked for further away.
_MOMENT = 0.02

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGUSR1", "SIGCHLD", "SIGXFSZ", "SIGWINCH")


def surroundings() -> dict[str, Any]:
    """Everything that tests share in one process, by name."""
    return {
        "garbage collection": gc.isenabled(),
        "the working directory": os.getcwd(),
        "the environment": _environment(),
        "the umask": _umask(),
        "signal handlers": [signal.getsignal(getattr(signal, name)) for name in _SIGNALS],
        "sys.path": list(sys.path),
        "the recursion limit": sys.getrecursionlimit(),
        "tracing of memory": tracemalloc.is_tracing(),
        "NumPy's treatment of floating-point errors": np.geterr(),
        "Matplotlib's settings": _matplotlib(),
        "child processes": _children(),
        "threads": _threads(),
    }


def left_behind(before: dict[str, Any]) -> list[str]:
    """What differs from before; ended children and threads, and modules that are new, are no difference."""
    after = surroundings()
    return [name for name in before if before[name] is not None and _differs(before[name], after[name])]


def _differs(before: Any, after: Any) -> bool:
    return bool(after - before) if isinstance(before, set) else after != before


def await_threads(before: dict[str, Any]) -> None:
    """Wait for threads to end that were begun since: whoever is interrupted does not wait for its own."""
    begun = _threads() - before["threads"]
    for generation in range(3):  # an executor in garbage ends its threads; old garbage takes long to find
        if begun:
            gc.collect(generation)
        for thread in begun:
            thread.join(_MOMENT if generation < 2 else None)
        begun = {thread for thread in begun if thread.is_alive()}


def _threads() -> set[threading.Thread]:
    """Those that Python waits for at its end, but for those of the loop that drives a browser."""
    names = {each: each.name for each in threading.enumerate() if not each.daemon}
    return {each for each, name in names.items() if not name.startswith("asyncio")}


def end_children(before: dict[str, Any]) -> None:
    """End the processes that were started since."""
    for process in _children() - before["child processes"]:
        os.kill(process, signal.SIGKILL)


def _environment() -> dict[str, str]:
    """Its variables but those of pytest, and those that PyTorch sets when parts of it are first loaded."""
    theirs = ("PYTEST_", "TORCH")
    return {name: value for name, value in os.environ.items() if not name.startswith(theirs)}


def _umask() -> int:
    current = os.umask(0o077)
    os.umask(current)
    return current


def _matplotlib() -> list[tuple[str, Any]] | None:
    """Its settings but the backend, which it chooses when it first draws; None if it is not loaded."""
    if "matplotlib" not in sys.modules:
        return None
    settings = sys.modules["matplotlib"].rcParams
    return [(name, value) for name, value in dict.items(settings) if name != "backend"]


def _children() -> set[int]:
    """The processes that this one started, where the system lists them; not Python's own helper."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return set()
    lists = Path("/proc/self/task").glob("*/children")
    started = {int(number) for each in lists for number in _text(each).split()}
    return started - {resource_tracker._resource_tracker._pid}  # type: ignore[attr-defined]


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:  # the thread has ended
        return ""
