"""Threads: Ctrl-C interrupts whoever waits for them, and nobody waits for what goes on."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from abacist.cells import CELLS
from abacist.experiments import Task, running
from abacist.experiments.running import Dispatcher
from abacist.progress import all_busy
from abacist.targets.llvm import machine
from abacist.targets.llvm.forward import tracing_program
from abacist.threads import ThreadPool, interruptibly
from tests.engine.cases import layout_of
from tests.experiments.cases import ran, small


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_an_interrupted_call_is_left_to_its_thread() -> None:
    done, finished = threading.Event(), threading.Event()

    def endless() -> None:
        interrupt()
        done.wait()
        finished.set()

    with pytest.raises(KeyboardInterrupt):
        interruptibly(endless)
    assert not finished.is_set()
    done.set()
    assert finished.wait()


def test_a_call_gives_what_it_returns_and_raises_what_it_raises() -> None:
    assert interruptibly(divmod, 7, 3) == (2, 1)
    with pytest.raises(ZeroDivisionError):
        interruptibly(divmod, 7, 0)


def test_threads_of_something_that_fails_are_not_waited_for() -> None:
    done, pool = threading.Event(), ThreadPool(1)
    first, second = pool.submit(done.wait), pool.submit(done.wait)
    with pytest.raises(KeyboardInterrupt), pool:
        raise KeyboardInterrupt
    assert not first.done()
    assert second.cancelled()
    done.set()
    assert first.result()


def test_an_interrupted_compilation_is_finished_and_used_by_the_next_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the compiler runs, Python cannot interrupt its thread: here it goes on until Ctrl-C came."""
    monkeypatch.setenv("ABACIST_CACHE", str(tmp_path))
    handled, titles, compile_now = threading.Event(), list[str](), machine.object_code
    source = tracing_program(layout_of(CELLS["rnn"], 1), "float64")

    def function() -> machine.Function:
        return machine.Function(source)

    def interrupted(ir: str) -> bytes:
        titles.extend(own.title for own in all_busy())
        interrupt()
        handled.wait()
        return compile_now(ir)

    monkeypatch.setattr(machine, "object_code", interrupted)
    with pytest.raises(KeyboardInterrupt):
        function()
    handled.set()
    function()
    assert titles == [f"compiling {source.title}"]


def test_an_interrupted_experiment_does_not_wait_for_the_block_that_is_being_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, done = threading.Event(), threading.Event()

    def compute(_job: Any, check: Any) -> list[Any]:
        begun.set()
        done.wait()
        return []

    def finished(_self: Dispatcher) -> list[Any]:
        begun.wait()
        interrupt()
        return []

    monkeypatch.setattr(running, "compute", compute)
    monkeypatch.setattr(Dispatcher, "_finished", finished)
    with pytest.raises(KeyboardInterrupt):
        ran([Task("tiny", small(), (0, 1))], tmp_path)
    done.set()
