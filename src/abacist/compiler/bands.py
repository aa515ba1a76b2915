"""Gradients as sums over time: rows that belong together, and columns that fit into registers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from abacist.algebra import Symbol
from abacist.compiler.adjoint import Gradient
from abacist.compiler.text import at


@dataclass(frozen=True)
class Band:
    """Adjoints of affine maps whose gradients are neighbouring rows of the same tensors.

    `rows` lie one after the other on the tape; `parts` are the gradients of the first of them.
    """

    rows: tuple[Symbol, ...]
    parts: tuple[Gradient, ...]

    @property
    def size(self) -> int:
        return sum(rows.size for rows in self.rows)


def bands(gradients: Iterable[Gradient]) -> list[Band]:
    """Group gradients into bands, such as the four gates of an LSTM into one."""
    by_rows: dict[Symbol, list[Gradient]] = {}
    for gradient in sorted(gradients, key=lambda g: (g.tensor, g.first_row)):
        by_rows.setdefault(gradient.rows, []).append(gradient)
    found: list[Band] = []
    for rows, parts in by_rows.items():
        if found and _follows(found[-1], parts):
            found[-1] = Band((*found[-1].rows, rows), found[-1].parts)
        else:
            found.append(Band((rows,), tuple(parts)))
    return found


def _follows(band: Band, parts: list[Gradient]) -> bool:
    """Whether gradients continue all tensors of a band where it ends."""
    return [(g.tensor, g.first_row, g.columns) for g in parts] == [
        (g.tensor, g.first_row + band.size, g.columns) for g in band.parts
    ]


@dataclass(frozen=True)
class Segment:
    """Some columns of a band: where they lie on the tape (None: ones), and where their gradient lies."""

    tape: int | None
    count: int
    stride: int
    places: tuple[int, ...]

    @property
    def columns(self) -> str:
        """The tuple of columns at step t."""
        return "ones" if self.tape is None else f"load_all(tape, {at('now', self.tape)}, {self.count})"

    def row(self, copy: int) -> str:
        """The index of row q of the gradient; biases have two copies."""
        return at("q" if self.stride == 1 else f"{self.stride} * q", self.places[copy])

    def part(self, begin: int, count: int) -> Segment:
        tape = None if self.tape is None else self.tape + begin
        return Segment(tape, count, self.stride, tuple(place + begin for place in self.places))


def passes(segments: Iterable[Segment], width: int) -> list[list[Segment]]:
    """Divide columns into passes of at most `width`, cutting segments where needed."""
    groups: list[list[Segment]] = [[]]
    for segment in segments:
        begin = 0
        while begin < segment.count:
            free = width - sum(s.count for s in groups[-1])
            if free <= 0:
                groups.append([])
                continue
            taken = min(free, segment.count - begin)
            groups[-1].append(segment.part(begin, taken))
            begin += taken
    return groups
