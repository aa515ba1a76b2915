"""The plan of tiles: which columns of a band are summed in one pass over the tape."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from abacist.compiler import Band, TrainingPlan


@dataclass(frozen=True)
class Segment:
    """Some columns of a band: their place on the tape (None: ones), and the places of their gradient.

    In a loop over columns, `moving` is its number, which is added to both.
    """

    tape: int | None
    count: int
    stride: int
    places: tuple[int, ...]
    moving: Any = 0

    def part(self, begin: int, count: int) -> Segment:
        tape = None if self.tape is None else self.tape + begin
        return Segment(tape, count, self.stride, tuple(place + begin for place in self.places))


def segments(plan: TrainingPlan, band: Band) -> list[Segment]:
    """The columns of a band: parts of vectors on the tape, and a one for the biases."""
    starts, parts = plan.layout.starts, []
    for part in band.parts:
        if part.columns is not None:
            count = part.columns.size
            place = starts[part.tensor] + part.first_row * count
            parts.append(Segment(plan.on_tape(part.columns), count, count, (place,)))
    biases = tuple(starts[g.tensor] + g.first_row for g in band.parts if g.columns is None)
    return [*parts, Segment(None, 1, 1, biases)] if biases else parts


def row_groups(band: Band, height: int) -> list[range]:
    """The rows of a band, so many at a time, then those that are left: the first row of each tile."""
    whole = band.size - band.size % height
    groups = range(0, whole, height), range(whole, band.size, max(band.size - whole, 1))
    return [rows for rows in groups if rows]


def passes(whole: Iterable[Segment], width: int) -> list[list[Segment]]:
    """Divide columns into passes of at most `width`, cutting segments where needed."""
    groups: list[list[Segment]] = [[]]
    for segment in whole:
        begin = 0
        while begin < segment.count:
            free = width - sum(one.count for one in groups[-1])
            if free <= 0:
                groups.append([])
                continue
            taken = min(free, segment.count - begin)
            groups[-1].append(segment.part(begin, taken))
            begin += taken
    return groups
