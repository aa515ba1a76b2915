"""Timing two things side by side."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured, and how many times better than its baseline."""

    what: str
    ours: str
    baseline: str
    ratio: float
    at_least: float

    @property
    def met(self) -> bool:
        return self.ratio >= self.at_least

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"met": self.met}


def side_by_side(repeats: int, *jobs: Callable[[], object]) -> list[float]:
    """The median seconds of every job, the jobs taking turns so that all see the same machine."""
    times: list[list[float]] = [[] for _ in jobs]
    for _ in range(repeats):
        for job, seconds in zip(jobs, times, strict=True):
            begun = time.perf_counter()
            job()
            seconds.append(time.perf_counter() - begun)
    return [median(seconds) for seconds in times]


def machine() -> str:
    """The processor's name, as far as it is known."""
    try:
        with open("/proc/cpuinfo") as lines:
            names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        return f"{names[0]}, {len(names)} cores"
    except (OSError, IndexError):
        return platform.processor() or platform.machine()
