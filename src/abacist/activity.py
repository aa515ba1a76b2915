"""What is being done at present, for whoever waits: long work says its name while it goes on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from abacist.wording import duration


@dataclass(frozen=True, eq=False)
class Activity:
    """A piece of work, and when it began, on the monotonic clock."""

    title: str
    begun: float

    def after(self, now: float) -> str:
        """What is being done, and for how long by now."""
        return f"{self.title} … {duration(now - self.begun)}"


_activities: list[Activity] = []


@contextmanager
def busy(title: str) -> Iterator[None]:
    """Work that may take long. In any thread; without a title nothing is to be shown meanwhile."""
    activity = Activity(title, time.monotonic())
    _activities.append(activity)
    try:
        yield
    finally:
        _activities.remove(activity)


def activity() -> Activity | None:
    """The work that began last, of all that goes on."""
    return next(iter(_activities[-1:]), None)
