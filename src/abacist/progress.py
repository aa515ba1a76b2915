"""How far long work has come: one `Progress` is handed down to it, and ends it if it is cancelled."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import RLock
from typing import Any

from abacist.wording import duration


class Progress:
    """How far some work has come: its share, from 0 to 1, and a text on what is being done.

    The work calls it many times a second, from any thread. `watch` is called each time, with the progress,
    and may raise to end the work; after `cancel` every call raises `KeyboardInterrupt`. `callback` is given
    results that come on the way, such as the losses of an epoch; parts have none.

    >>> work = Progress(lambda progress: print(f"{progress.share:.0%}", progress.text or "..."))
    >>> work.part(0.5)(1.0)
    50% ...
    >>> work(text="judging")
    50% judging
    """

    def __init__(
        self,
        watch: Callable[[Progress], None] | None = None,
        title: str = "",
        callback: Callable[[Any], None] | None = None,
    ) -> None:
        self.title, self.begun = title, time.monotonic()
        self.share, self.text, self.cancelled = 0.0, "", False
        self._watch, self._callback, self._lock = watch, callback, RLock()

    def __call__(self, share: float = 0.0, text: str | None = None) -> None:
        """The work goes on: it has come to a share, and does what a text says, by default the same."""
        with self._lock:  # so that the share never goes back
            self.share = max(self.share, min(share, 1.0))
            self.text = self.text if text is None else text
            if self.cancelled:
                raise KeyboardInterrupt
            if self._watch is not None:
                self._watch(self)

    def report(self, result: Any) -> None:
        """Hand a result that came on the way to the callback, one at a time."""
        if self._callback is not None:
            with self._lock:
                self._callback(result)

    def part(self, weight: float) -> Progress:
        """The progress of a part, which adds its weight once it is done; parts may be done side by side."""
        before = 0.0

        def watch(progress: Progress) -> None:
            nonlocal before
            with self._lock:
                share, before = self.share + weight * (progress.share - before), progress.share
                self(share, progress.text or None)

        return Progress(watch)

    def cancel(self) -> None:
        """Nobody wants the work any more, nor any part of it."""
        self.cancelled = True

    def line(self, now: float) -> str:
        """What is being done, and how far it has come or for how long by now."""
        spent = now - self.begun
        if self.share:
            left = self.text or f"about {duration(spent * (1 - self.share) / self.share)} left"
            return f"{self.title} … {int(100 * self.share)} %, {left}"
        return f"{self.title}{': ' if self.text else ''}{self.text} … {duration(spent)}"


_busy: list[Progress] = []


@contextmanager
def on_show(progress: Progress) -> Iterator[Progress]:
    """Show the progress of work meanwhile to whoever waits."""
    _busy.append(progress)
    try:
        yield progress
    finally:
        _busy.remove(progress)


def busy(title: str, watch: Callable[[Progress], None] | None = None) -> AbstractContextManager[Progress]:
    """Work that may take long, in any thread; without a title nothing is to be shown meanwhile."""
    return on_show(Progress(watch, title))


def all_busy() -> list[Progress]:
    """All work that goes on, what began last at the end."""
    return list(_busy)
