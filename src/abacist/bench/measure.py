"""Timing two things side by side."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from abacist.targets import target_named

#: Prefixes of units, each with the rate from which on it is used.
_PREFIXES = {"T": 1e12, "G": 1e9, "M": 1e6, "k": 1e3}


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured, and how many times better than its baseline.

    Without a ratio the verdict says why nothing could be measured.
    """

    what: str
    ours: str
    baseline: str
    ratio: float | None
    at_least: float
    verdict: str

    @classmethod
    def of(cls, what: str, ours: str, baseline: str, ratio: float, at_least: float) -> Row:
        return cls(what, ours, baseline, ratio, at_least, "met" if ratio >= at_least else "MISSED")

    @classmethod
    def missing(cls, what: str, at_least: float, why: str) -> Row:
        return cls(what, "", "", None, at_least, why)

    @property
    def shown_ratio(self) -> str:
        if self.ratio is None:
            return ""
        if self.at_least < 1:
            return f"{100 * self.ratio:.0f} %"
        return f"{self.ratio:,.0f}×" if self.ratio >= 100 else f"{self.ratio:.3g}×"

    @property
    def shown_limit(self) -> str:
        return f"{100 * self.at_least:.0f} %" if self.at_least < 1 else f"{self.at_least:,g}×"


def rate(value: float, unit: str = " symbols/s") -> str:
    """A rate as people read it: `86.4 M symbols/s`, `116 GFLOP/s`."""
    prefix, size = next(((p, size) for p, size in _PREFIXES.items() if value >= size), ("", 1.0))
    return f"{value / size:.3g} {f'{prefix}{unit}'.strip()}"


def compared(what: str, ours: float, baseline: float, at_least: float, unit: str = " symbols/s") -> Row:
    """The row of two rates."""
    return Row.of(what, rate(ours, unit), rate(baseline, unit), ours / baseline, at_least)


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
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
            names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        return f"{names[0]}, {len(names)} cores"
    except (OSError, IndexError):
        return platform.processor() or platform.machine()


class Peak:
    """The best that the core has been seen to do."""

    def __init__(self) -> None:
        self.flops = 0.0

    def measure(self) -> None:
        self.flops = max(self.flops, target_named().peak_flops())

    def row(self, what: str, flops: float) -> Row:
        return compared(f"{what}, share of the core's multiply-add peak", flops, self.flops, 0.4, "FLOP/s")
