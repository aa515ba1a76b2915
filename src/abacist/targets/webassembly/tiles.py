"""Gradients as sums over the tape, a tile of an outer product at a time, as registers allow."""

from __future__ import annotations

import abacist.targets.webassembly.assembler as wasm
from abacist.compiler import Band, TrainingPlan
from abacist.targets.tiles import Segment, passes, row_groups, segments
from abacist.targets.webassembly.assembler import I32, VECTOR, Code, integer

#: Rows and columns of a tile: its sums and what they are made of fit into sixteen registers.
_ROWS, _COLUMNS = 4, 2


def emit_gradients(code: Code, plan: TrainingPlan) -> None:
    """Add the sums over the tape, from `tape` to `end`, to the gradients."""
    for band in plan.bands:
        for rows in row_groups(band, _ROWS):
            for group in passes(segments(plan, band), _COLUMNS):
                columns = [own.part(n, 1) for own in group for n in range(own.count)]
                _emit_tiles(code, plan, band, rows, columns)


def _emit_tiles(code: Code, plan: TrainingPlan, band: Band, rows: range, columns: list[Segment]) -> None:
    """The sums of some columns and of all rows, `rows.step` at a time; `q` is the first of these."""
    code.emit(code.set("q", integer(rows.start), I32), code.set("rows", integer(rows.stop), I32))
    with code.until_equal("q", "rows"):
        _emit_sums(code, plan, band, rows.step, columns)
        for c, column in enumerate(columns):
            address = _row(code, "gradient", column.stride)
            for row in range(rows.step):
                for place in column.places:
                    offset = VECTOR * (place + row * column.stride)
                    after = wasm.add(wasm.load(address, offset), code.get(f"sum {row} {c}"))
                    code.emit(wasm.store(address, after, offset))
        code.emit(code.move("q", rows.step))


def _emit_sums(code: Code, plan: TrainingPlan, band: Band, height: int, columns: list[Segment]) -> None:
    """The sums of a tile, each in a local variable."""
    tile = [(row, c) for c in range(len(columns)) for row in range(height)]
    code.emit(*(code.set(f"sum {row} {c}", code.number(0.0)) for row, c in tile))
    code.emit(code.set("now", code.get("tape")))
    with code.until_equal("now", "end"):
        for c, column in enumerate(columns):
            if column.tape is not None:
                code.emit(code.set(f"column {c}", wasm.load(code.get("now"), VECTOR * column.tape)))
        address = _row(code, "now", 1)
        for row in range(height):
            code.emit(code.set("z", wasm.load(address, VECTOR * (plan.tape.offsets[band.rows[0]] + row))))
            for c, column in enumerate(columns):
                z, name = code.get("z"), f"sum {row} {c}"
                term = z if column.tape is None else wasm.mul(z, code.get(f"column {c}"))
                code.emit(code.set(name, wasm.add(code.get(name), term)))
        code.emit(code.move("now", VECTOR * plan.tape.width))


def _row(code: Code, base: str, stride: int) -> bytes:
    """The address of row q, counted from a base."""
    distance = wasm.i32_mul(code.get("q"), integer(VECTOR * stride))
    code.emit(code.set("row q", wasm.i32_add(code.get(base), distance), I32))
    return code.get("row q")
