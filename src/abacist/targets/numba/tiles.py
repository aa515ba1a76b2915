"""Gradients as sums over the tape, a tile of an outer product at a time, as registers allow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from abacist.compiler import Band, TrainingPlan
from abacist.targets.text import Text, sum_of

#: How many sums a tile of a gradient may hold in registers.
_TILE = 24

#: How many passes over a band are printed one by one: Numba takes long to read more, or gives up.
_MOST_PASSES = 16


@dataclass(frozen=True)
class Segment:
    """Some columns of a band: where they lie on the tape (None: ones), and where their gradient lies.

    In a loop over columns, its variable, `moving`, is added to both.
    """

    tape: int | None
    count: int
    stride: int
    places: tuple[int, ...]
    moving: str = ""

    @property
    def columns(self) -> str:
        """The tuple of columns at step t."""
        if self.tape is None:
            return "ones"
        return f"load_all(tape, {sum_of('now', self.tape, self.moving)}, {self.count})"

    def row(self, copy: int) -> str:
        """The index of row q of the gradient; biases have two copies."""
        return sum_of("q" if self.stride == 1 else f"{self.stride} * q", self.places[copy], self.moving)

    def part(self, begin: int, count: int) -> Segment:
        tape = None if self.tape is None else self.tape + begin
        return Segment(tape, count, self.stride, tuple(place + begin for place in self.places))


def segments(plan: TrainingPlan, band: Band) -> list[Segment]:
    """The columns of a band: parts of vectors on the tape, and a one for the biases."""
    starts, found = plan.layout.starts, []
    for part in band.parts:
        if part.columns is not None:
            count = part.columns.size
            place = starts[part.tensor] + part.first_row * count
            found.append(Segment(plan.on_tape(part.columns), count, count, (place,)))
    biases = tuple(starts[g.tensor] + g.first_row for g in band.parts if g.columns is None)
    return [*found, Segment(None, 1, 1, biases)] if biases else found


def passes(whole: Iterable[Segment], width: int) -> list[list[Segment]]:
    """Divide columns into passes of at most `width`, cutting segments where needed."""
    groups: list[list[Segment]] = [[]]
    for segment in whole:
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


def print_gradients(text: Text, plan: TrainingPlan) -> None:
    """Print the sums of all gradients."""
    text("# Gradients: sums over the tape, a tile at a time.")
    for band in plan.bands:
        height = band.size if band.size <= 6 else 4
        whole = band.size - band.size % height
        _print_tiles(text, plan, band, range(0, whole, height))
        if band.size > whole:
            _print_tiles(text, plan, band, range(whole, band.size, band.size - whole))


def _print_tiles(text: Text, plan: TrainingPlan, band: Band, rows: range) -> None:
    """The sums for some rows of a band, in as many passes over the tape as registers ask for."""
    width, whole = _TILE // rows.step, segments(plan, band)
    if len(passes(whole, width)) > _MOST_PASSES:
        whole = [rest for segment in whole for rest in _print_loop(text, plan, band, rows, segment)]
    for group in passes(whole, width):
        _print_group(text, plan, band, rows, group)


def _print_loop(text: Text, plan: TrainingPlan, band: Band, rows: range, segment: Segment) -> list[Segment]:
    """The sums for most columns of a segment, in a loop over these; what is left of it."""
    width = _TILE // rows.step
    looped = segment.count - segment.count % width
    if looped <= width:
        return [segment]
    with text.block(f"for k in range(0, {looped}, {width}):"):
        _print_group(text, plan, band, rows, [replace(segment.part(0, width), moving="k")])
    left = segment.count - looped
    return [segment.part(looped, left)] if left else []


def _print_group(text: Text, plan: TrainingPlan, band: Band, rows: range, group: list[Segment]) -> None:
    """The sums for some columns, as many as registers hold."""
    height = rows.step
    if group:
        with text.block(f"for q in range({rows.start}, {rows.stop}, {height}):"):
            for n, s in enumerate(group):
                text(f"g{n} = load_tile(gradient, {s.row(0)}, {s.stride}, {height}, {s.count}, zero)")
            with text.block("for t in range(steps):"):
                text(f"now = t * {plan.tape.width}")
                text(f"z = load_all(tape, {sum_of('now', plan.tape.offsets[band.rows[0]], 'q')}, {height})")
                for n, s in enumerate(group):
                    text(f"g{n} = outer(z, {s.columns}, g{n})")
            for n, s in enumerate(group):
                for copy in range(len(s.places)):
                    text(f"store_tile(gradient, {s.row(copy)}, {s.stride}, {s.count}, g{n})")
