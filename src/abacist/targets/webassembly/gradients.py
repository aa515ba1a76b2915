"""Gradients as sums over the tape, a tile of an outer product at a time, as registers allow."""

from __future__ import annotations

from dataclasses import dataclass

from abacist.compiler import Band, TrainingPlan
from abacist.targets.webassembly.assembler import I32, Code
from abacist.targets.webassembly.memory import VECTOR

#: Rows and columns of a tile: its sums and what they are made of fit into sixteen registers.
_ROWS, _COLUMNS = 4, 2


@dataclass(frozen=True)
class Column:
    """A column of a band: where it lies on the tape (None: ones), and where its gradient lies."""

    tape: int | None
    stride: int
    places: tuple[int, ...]


def print_gradients(code: Code, plan: TrainingPlan) -> None:
    """Print the sums of all gradients over the tape, from `tape` to `end`, added to what is there."""
    for band in plan.bands:
        columns = _columns(plan, band)
        whole = band.size - band.size % _ROWS
        for rows in (range(0, whole, _ROWS), range(whole, band.size, max(band.size - whole, 1))):
            for first in range(0, len(columns), _COLUMNS):
                if rows:
                    _print_tiles(code, plan, band, rows, columns[first : first + _COLUMNS])


def _columns(plan: TrainingPlan, band: Band) -> list[Column]:
    """The columns of a band: vectors on the tape, and a one for the biases, which have several places."""
    starts, found = plan.layout.starts, []
    for part in band.parts:
        if part.columns is not None:
            count = part.columns.size
            place, tape = starts[part.tensor] + part.first_row * count, plan.on_tape(part.columns)
            found += [Column(tape + c, count, (place + c,)) for c in range(count)]
    biases = tuple(starts[part.tensor] + part.first_row for part in band.parts if part.columns is None)
    return [*found, Column(None, 1, biases)] if biases else found


def _print_tiles(code: Code, plan: TrainingPlan, band: Band, rows: range, columns: list[Column]) -> None:
    """The sums of some columns and of all rows, `rows.step` at a time; `q` is the first of these."""
    code.integer(rows.start)
    code.set("q", I32)
    code.integer(rows.stop)
    code.set("rows", I32)
    with code.until_equal("q", "rows"):
        _print_sums(code, plan, band, rows.step, columns)
        for c, column in enumerate(columns):
            _address(code, "gradient", column.stride)
            for row in range(rows.step):
                for place in column.places:
                    offset = VECTOR * (place + row * column.stride)
                    code.get("of row q")
                    code.load("of row q", offset)
                    code.get(f"sum {row} {c}")
                    code("f32x4.add")
                    code.store(offset)
        code.move("q", rows.step)


def _print_sums(code: Code, plan: TrainingPlan, band: Band, height: int, columns: list[Column]) -> None:
    """The sums of a tile, each in a local variable."""
    for c in range(len(columns)):
        for row in range(height):
            code.number(0.0)
            code.set(f"sum {row} {c}")
    code.get("tape")
    code.set("now")
    with code.until_equal("now", "end"):
        for c, column in enumerate(columns):
            if column.tape is not None:
                code.load("now", VECTOR * column.tape)
                code.set(f"column {c}")
        _address(code, "now", 1)
        for row in range(height):
            code.load("of row q", VECTOR * (plan.tape.offsets[band.rows[0]] + row))
            code.set("z")
            for c, column in enumerate(columns):
                code.get(f"sum {row} {c}", "z")
                if column.tape is not None:
                    code.get(f"column {c}")
                    code("f32x4.mul")
                code("f32x4.add")
                code.set(f"sum {row} {c}")
        code.move("now", VECTOR * plan.tape.width)


def _address(code: Code, base: str, stride: int) -> None:
    """The address of row q, counted from a base, into `of row q`."""
    code.get(base, "q")
    code.integer(VECTOR * stride)
    code("i32.mul", "i32.add")
    code.set("of row q", I32)
