"""Scales: where the values of a number stand along an axis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullLocator

#: Where the widest gap between neighbours is so many times the narrowest, a scale does not suit values.
_UNEVEN = 6

#: Values that are written at an axis, and those that can stand evenly, whatever they are.
_MOST_TICKS, _MOST_EVEN = 8, 12


@dataclass(frozen=True)
class Scale:
    """Values from the smallest to the largest, and how they stand: by size, by logarithm or evenly."""

    values: tuple[float, ...]
    kind: str

    @classmethod
    def of(cls, values: Iterable[float]) -> Scale:
        """By logarithm where values span decades or grow by factors; evenly where no scale suits them."""
        known = tuple(sorted(set(values)))
        if len(known) < 2:
            return cls(known, "linear")
        linear = _unevenness(known)
        by_log = _unevenness([log(value) for value in known]) if known[0] > 0 else float("inf")
        if len(known) == 2:
            return cls(known, "log" if known[0] > 0 and known[1] / known[0] >= 10 else "linear")
        if min(linear, by_log) > _UNEVEN and len(known) <= _MOST_EVEN:
            return cls(known, "even")
        return cls(known, "log" if by_log < linear else "linear")

    def place(self, value: float) -> float:
        """Where a value stands."""
        return float(self.values.index(value)) if self.kind == "even" else float(value)

    def set_on(self, axes: Axes, label: str) -> None:
        """Give an axis of places this scale, with the values themselves as ticks where they are few."""
        if self.kind == "log":
            axes.set_xscale("log")
        if len(self.values) <= _MOST_EVEN:
            ticks = self.values[:: 1 + (len(self.values) - 1) // _MOST_TICKS]
            axes.set_xticks([self.place(value) for value in ticks], [f"{value:g}" for value in ticks])
        else:
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xlabel(label)


def _unevenness(places: Sequence[float]) -> float:
    gaps = [after - before for before, after in pairwise(places)]
    return max(gaps) / min(gaps)
