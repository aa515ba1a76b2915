"""Gradients as sums over the tape, a tile of an outer product at a time, as registers allow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from abacist.compiler import Band, TrainingPlan
from abacist.targets.llvm.machine import Program
from abacist.targets.llvm.vectors import integer
from abacist.targets.tiles import Segment, passes, row_groups, segments

#: The largest number of sums of a tile in registers.
_TILE = 24

#: The largest number of passes over a band that are written out one by one: more of them compile slowly.
_MOST_PASSES = 16


def emit_gradients(program: Program, plan: TrainingPlan, steps: Any) -> None:
    """Add the sums over all steps to the gradients."""
    for band in plan.bands:
        for rows in row_groups(band, band.size if band.size <= 6 else 4):
            _Tiles(program, plan, band, rows, steps).emit()


class _Tiles:
    """The sums for some rows of a band, in as many passes over the tape as registers require."""

    def __init__(self, program: Program, plan: TrainingPlan, band: Band, rows: range, steps: Any) -> None:
        self._program, self._plan, self._rows, self._steps = program, plan, rows, steps
        self._whole, self._first_row = segments(plan, band), plan.tape.offsets[band.rows[0]]

    def emit(self) -> None:
        width, whole = _TILE // self._rows.step, self._whole
        if len(passes(whole, width)) > _MOST_PASSES:
            whole = [rest for segment in whole for rest in self._loop(segment, width)]
        for group in passes(whole, width):
            self._group(group)

    def _loop(self, segment: Segment, width: int) -> list[Segment]:
        """The sums for most columns of a segment, in a loop over these; the rest of it."""
        looped = segment.count - segment.count % width
        if looped <= width:
            return [segment]
        with self._program.v.loop(integer(0), integer(looped), width, "k") as (k, _):
            self._group([replace(segment.part(0, width), moving=k)])
        left = segment.count - looped
        return [segment.part(looped, left)] if left else []

    def _group(self, group: list[Segment]) -> None:
        """The sums for some columns, as many as registers hold."""
        if not group:
            return
        v, rows, build = self._program.v, self._rows, self._program.build
        gradient, tape = self._program.arguments["gradient"], self._program.arguments["tape"]
        with v.loop(integer(rows.start), integer(rows.stop), rows.step, "q") as (q, _):
            tiles = [self._tile(own, q) for own in group]
            with v.loop(integer(0), self._steps, 1, "t") as (t, _):
                now = v.times(self._plan.tape.width, t)
                z = [v.load(tape, v.sum_of(now, q, self._first_row + n)) for n in range(rows.step)]
                for own, tile in zip(group, tiles, strict=True):
                    pairs = [(a, b) for a in z for b in self._columns(own, now)]
                    for (a, b), total in zip(pairs, tile, strict=True):
                        build.store(v.fma(a, b, build.load(total)), total)
            for own, tile in zip(group, tiles, strict=True):
                sums = [build.load(total) for total in tile]
                for copy in range(len(own.places)):
                    for n, total in enumerate(sums):
                        v.store(gradient, self._place(own, copy, n, q), total)

    def _tile(self, own: Segment, q: Any) -> list[Any]:
        """The sums so far, in variables."""
        v, gradient = self._program.v, self._program.arguments["gradient"]
        places = (self._place(own, 0, n, q) for n in range(self._rows.step * own.count))
        return [v.variable(v.load(gradient, place)) for place in places]

    def _columns(self, own: Segment, now: Any) -> list[Any]:
        """The columns of a step."""
        v, tape = self._program.v, self._program.arguments["tape"]
        if own.tape is None:
            return [v.constant(1.0)]
        return [v.load(tape, v.sum_of(now, own.moving, own.tape + n)) for n in range(own.count)]

    def _place(self, own: Segment, copy: int, number: int, q: Any) -> Any:
        """The index of a number of the tile in the gradient; biases have two copies."""
        row, column = divmod(number, own.count)
        v = self._program.v
        return v.sum_of(v.times(own.stride, q), own.places[copy] + row * own.stride + column, own.moving)
