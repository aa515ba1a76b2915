"""Bars for experiments on a terminal: overall with the time left, and one for each experiment."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from abacist.experiments import State


@contextmanager
def experiment_bars() -> Iterator[Callable[[State], None] | None]:
    """Yield a function to be told how far the work has come; None where there is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    text, console = TextColumn("{task.description:<14}"), Console(stderr=True)
    with Progress(
        text, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console, transient=True
    ) as bar:
        overall = bar.add_task("all work, %", total=100)
        parts: dict[str, TaskID] = {}

        def tell(state: State) -> None:
            bar.update(overall, completed=int(100 * state.share))
            for name, (done, total) in state.experiments.items():
                if name not in parts:
                    parts[name] = bar.add_task(name, total=total)
                bar.update(parts[name], completed=done)

        yield tell
