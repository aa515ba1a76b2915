"""The reading of intervals for the smaller and the larger of two values, which remember what they are of.

What is left of a value without the larger of it and another is at most zero, however wide the two are:
a − max(a, b) is min(a − b, 0), in every program, since a choice is exact. So the gates of an sLSTM stay
below 1. The same holds of a − min(a, b), which is how strengths are popped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from abacist.algebra.intervals import Interval, IntervalProduct, IntervalSum, enclosed
from abacist.algebra.operation import Operation
from abacist.algebra.operations import maximum, minimum


@dataclass(frozen=True, eq=False)
class IntervalExtreme(Interval):
    """The smaller or the larger of two values, which are in `given`."""

    operation: Operation = maximum
    given: tuple[Any, ...] = ()

    def taken_from(self, other: Interval | IntervalSum) -> Interval | IntervalSum:
        for one, another in (self.given, self.given[::-1]):
            if getattr(one, "bounds", None) is other.bounds and not other.bounds.product:
                difference = other - another
                clipped = minimum if self.operation is maximum else maximum
                return Interval(
                    clipped(difference.lower, 0.0), clipped(difference.upper, 0.0), self.outward,
                    nonnegative=self.operation is minimum,
                )  # fmt: skip
        return super().taken_from(other)


def extreme(operation: Operation, given: tuple[Any, ...]) -> Interval:
    """Exact, and it grows with each argument."""
    kinds = Interval | IntervalSum | IntervalProduct
    outward = next(own.outward for own in given if isinstance(own, kinds))
    a, b = (enclosed(own, outward).bounds for own in given)
    lower, upper = operation(a.lower, b.lower), operation(a.upper, b.upper)
    return IntervalExtreme(lower, upper, outward, operation=operation, given=given)
