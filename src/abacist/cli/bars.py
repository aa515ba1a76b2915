"""Bars on a terminal: for experiments, overall with the time left; for horizons, as brackets close in."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn
from rich.text import Text

from abacist.activity import activity
from abacist.analysis import Horizon
from abacist.cli.saying import Log
from abacist.experiments import State
from abacist.wording import duration, several, visible


def time_left(state: State) -> str:
    """How long the rest of the work takes, as far as its beginning tells."""
    known = None if state.left is None else f"about {duration(state.left)}"
    searches = f"the horizons of {several(state.unforeseen, 'run')}" if state.unforeseen else None
    return " and ".join(text for text in (known, searches) if text) or "an unknown time"


class _Bars(Progress):
    """Bars, and below them what is being done meanwhile that takes long, such as compiling."""

    def get_renderables(self) -> Iterable[RenderableType]:
        yield from super().get_renderables()
        current, now = activity(), time.monotonic()
        if current is not None and now - current.begun >= 1:
            yield Text(visible(current.after(now)), style="dim", no_wrap=True, overflow="ellipsis")


@contextmanager
def experiment_bars() -> Iterator[tuple[Callable[[State], None], Callable[[str], None]]]:
    """Yield a function to be told how far the work has come, and one that writes lines above the bars."""
    text, console = TextColumn("{task.description:<14}"), Console(stderr=True)
    left = TextColumn("{task.fields[left]}")
    with _Bars(text, BarColumn(), MofNCompleteColumn(), left, console=console, transient=True) as bar:
        overall = bar.add_task("all work, %", total=100, left="")
        parts: dict[str, TaskID] = {}

        def tell(state: State) -> None:
            bar.update(overall, completed=int(100 * state.share), left=f"{time_left(state)} left")
            for name, (done, total) in state.experiments.items():
                if name not in parts:
                    parts[name] = bar.add_task(name, total=total, left="")
                bar.update(parts[name], completed=done)

        yield tell, lambda line: console.print(Text(visible(line)))


@dataclass
class _Pass:
    """A pass over all lengths, from the shortest to the longest: its number, and when it began."""

    number: int = 0
    begun: float = 0.0
    length: int = 0

    def reach(self, length: int, now: float) -> None:
        """Note a length; a shorter one than before is of another pass."""
        if not self.number or length < self.length:
            self.number, self.begun = self.number + 1, now
        self.length = length

    def left(self, last: int, now: float) -> str:
        """About how long this pass still takes, as the end of a sentence.

        There is the more to do at a length, the farther it is from both ends: deep words must close again.
        """
        share = min(self.length / max(last, 1), 1.0)
        done = 2 * share**2 if share < 0.5 else 1 - 2 * (1 - share) ** 2
        elapsed = now - self.begun
        return f", about {duration(elapsed * (1 - done) / done)} left of it" if done and elapsed > 1 else ""


class Brackets:
    """A line for every network that is being looked at, with its bracket; without a terminal, a line of a
    log every few seconds."""

    def __init__(self, bar: Progress | None, total: int) -> None:
        self._bar, self._lock, self._total = bar, Lock(), total
        self._log, self._finished = Log(), 0
        self._tasks: dict[int, TaskID] = {}
        self._passes: dict[int, _Pass] = {}
        self._overall = None if bar is None else bar.add_task("networks", total=total)

    def show(self, number: int, name: str, best: Horizon, length: int) -> None:
        """Told from any thread what is known of a network, and the length that is being looked at."""
        known = str(best) if best.proved or best.wrong is not None else "nothing known yet"
        now, last = time.monotonic(), best.search.to if best.wrong is None else len(best.wrong)
        with self._lock:
            own = self._passes.setdefault(number, _Pass())
            own.reach(length, now)
            most = 2 * len(best.search.budgets())
            text = f"{name}: {known}, pass {own.number:,} of at most {most:,}{own.left(last, now)}"
            if self._bar is None:
                where = f"looking at words of {length:,} of {several(last, 'symbol')}"
                self._log(f"{self._finished:,} of {several(self._total, 'network')}; {text}; {where}")
                return
            if number not in self._tasks:
                self._tasks[number] = self._bar.add_task(text, total=last)
            self._bar.update(self._tasks[number], description=text, completed=length, total=last)

    def finish(self, number: int) -> None:
        """A network is done."""
        self._finished += 1
        if self._bar is not None and self._overall is not None:
            with self._lock:
                if number in self._tasks:
                    self._bar.remove_task(self._tasks.pop(number))
                self._bar.advance(self._overall)


@contextmanager
def brackets(total: int) -> Iterator[Brackets]:
    """Lines that show brackets closing in."""
    if not sys.stderr.isatty():
        yield Brackets(None, total)
        return
    with _Bars(
        TextColumn("{task.description}"), MofNCompleteColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        yield Brackets(bar, total)
