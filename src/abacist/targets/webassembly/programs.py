"""The programs: single steps of up to four words of one network, and training of four runs at once.

A step keeps every value that has a name, and the sums whose signs decide.

In training, a word's steps go forwards, keeping on a tape what the way back needs; then backwards, adding the
adjoints of all affine maps to the tape; then every gradient is a sum over the tape; then an update. Weights,
moments, gradients and tapes are vectors of four numbers, a run in each lane. A step of a word has a byte a
lane for each of these: the symbol, whether the step counts, and every target.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import abacist.targets.webassembly.assembler as wasm
from abacist.cells import Layout
from abacist.compiler import (
    Band,
    ForwardPlan,
    TrainingPlan,
    backward_statements,
    forward_statements,
    only_forward_statements,
    plan_tracing,
    plan_training,
    update_statements,
)
from abacist.compiler.places import Tape
from abacist.compiler.statements import Place
from abacist.errors import BadInput
from abacist.optimisers import MOMENTS, Rule
from abacist.targets.tiles import Segment, passes, row_groups, segments
from abacist.targets.webassembly.assembler import F32, I32, VECTOR, Code, integer, module_bytes
from abacist.targets.webassembly.emitter import LaneEmitter, one_hot, refusal

#: Loops over at most this many units are unrolled on the way forwards, which is a quarter faster: it mostly
#: waits for exponentials. On the way back, that makes programs longer and no faster.
_UNROLLED = 4

#: Bytes of the lanes, and where the parts of a step begin.
_BYTES = 4
_SYMBOL, _COUNTED, _TARGETS = 0, _BYTES, 2 * _BYTES

#: Rows and columns of a tile: its sums and what they are made of fit into sixteen registers.
_ROWS, _COLUMNS = 4, 2


def steps_bytes(layouts: Mapping[str, Layout]) -> bytes:
    """The bytes of a WebAssembly module with a function for each of some layouts, by name.

    It imports a memory, `abacist.memory`. A function takes addresses of weights (parameter,), of the room
    (vector, lane) and of symbols, a byte a lane, and t, the number of symbols before. The states before the
    step lie at the beginning of the room, those after it behind its end.
    """
    return module_bytes({name: step_program(layout)[1] for name, layout in layouts.items()})


@lru_cache(maxsize=512)
def step_program(layout: Layout) -> tuple[ForwardPlan, Code]:
    """The plan of tracing, with the sums, and its program.

    Equal layouts may have formulas with other names, so both are kept together.
    """
    if reason := refusal(layout):
        raise BadInput(reason)
    plan = plan_tracing(layout)
    plan = replace(plan, room=Tape.of((*plan.room.offsets, plan.graph.sums)))
    code = Code(dict.fromkeys(("weights", "room", "symbols", "t"), I32))
    bases = {"weights": ("weights", 0), "now": ("room", 0), "after": ("room", VECTOR * plan.room.width)}
    emitter = LaneEmitter(code, bases, unrolled=1, shared=True)
    code.emit(code.set("symbol", wasm.load_symbols(code.get("symbols"))))
    emitter.vectors["x"] = one_hot(code, layout.inputs)
    emitter.emit(only_forward_statements(plan, "room"))
    return plan, code


@lru_cache(maxsize=512)
def training_bytes(layout: Layout) -> bytes:
    """The bytes of a WebAssembly module that trains networks of a layout, four at a time, in float32.

    It imports a memory, `abacist.memory`, and exports `forward`, `backward` and `update`.
    """
    if reason := refusal(layout):
        raise BadInput(reason)
    plan = plan_training(layout)
    return module_bytes(
        {"forward": _forward(plan), "backward": _backward(plan), "update": _update(layout, Rule())}
    )


def _forward(plan: TrainingPlan) -> Code:
    """The way forwards.

    `weights`; `now`, where the tape begins; `at` and `end`, the word's bytes; `scales`, 1 / (counted steps ×
    outputs) of every lane; `losses`, where those of the word are written.
    """
    layout, width = plan.layout, VECTOR * plan.tape.width
    code = Code(dict.fromkeys(("weights", "now", "at", "end", "scales", "losses"), I32))
    bases = {"weights": ("weights", 0), "now": ("now", 0), "after": ("now", width)}
    emitter = _word_emitter(code, bases, _UNROLLED)
    emitter.taken["loss"] = lambda value: code.emit(code.set("loss", wasm.add(code.get("loss"), value)))
    code.emit(code.set("loss", code.number(0.0)))
    _clear(code, "now", sum(layout.state_sizes))
    code.emit(code.set("tape", code.get("now"), I32))
    with code.until_equal("at", "end", perhaps_never=True):
        _begin_step(code, plan)
        emitter.vectors["x"] = one_hot(code, layout.inputs)
        emitter.emit(forward_statements(plan))
        code.emit(code.move("now", width), code.move("at", _bytes_of_step(layout)))
    code.emit(wasm.store(code.get("losses"), code.get("loss")))
    return code


def _backward(plan: TrainingPlan) -> Code:
    """The way back, and the gradient added to what is there.

    `tape` and `now`, where the tape begins and ends; `adjoint`, working memory; `at`, where the word's bytes
    end; `weights`, `gradient` and `scales`.
    """
    layout, width, states = plan.layout, VECTOR * plan.tape.width, sum(plan.layout.state_sizes)
    code = Code(dict.fromkeys(("weights", "gradient", "tape", "now", "adjoint", "at", "scales"), I32))
    bases = {name: (name, 0) for name in ("weights", "now", "adjoint", "old", "new")}
    emitter = _word_emitter(code, bases, 1)
    _clear(code, "adjoint", 2 * states)
    for name, source in (("end", "now"), ("old", "adjoint"), ("new", "adjoint")):
        code.emit(code.set(name, code.get(source), I32))
    code.emit(code.move("new", VECTOR * states))
    with code.until_equal("now", "tape", perhaps_never=True):
        code.emit(code.move("now", -width), code.move("at", -_bytes_of_step(layout)))
        _begin_step(code, plan)
        emitter.emit(backward_statements(plan))
        code.emit(code.get("old"), code.set("old", code.get("new")), code.set("new", b""))
    with code.unless_equal("tape", "end"):
        _emit_gradients(code, plan)
    return code


def _update(layout: Layout, rule: Rule) -> Code:
    """An update of all weights with the rule's numbers; the gradient is zero afterwards."""
    arrays = ("weights", *MOMENTS, "gradient")
    code = Code(dict.fromkeys(arrays, I32) | dict.fromkeys(rule.names, F32))
    emitter = LaneEmitter(code, {name: (name, 0) for name in arrays})
    for name in rule.names:
        everywhere = f"{name} everywhere"
        code.emit(code.set(everywhere, wasm.splat(code.get(name))))
        emitter.given[name] = lambda name=everywhere: code.get(name)  # type: ignore[misc]
    emitter.emit(update_statements(rule, layout.size))
    return code


def _word_emitter(code: Code, bases: dict[str, tuple[str, int]], unrolled: int) -> LaneEmitter:
    """An emitter of the steps of a word, whose bytes are at `at`."""
    emitter = LaneEmitter(code, bases | {"at": ("at", _TARGETS)}, unrolled=unrolled)
    code.emit(code.set("scale", wasm.load(code.get("scales"))))
    emitter.given["scale"] = lambda: code.get("scale")
    emitter.given["counted"] = lambda: code.get("counted")
    emitter.given["target"] = lambda: wasm.load_bytes(*emitter.where(Place("at", per_unit=1), size=_BYTES))
    return emitter


def _begin_step(code: Code, plan: TrainingPlan) -> None:
    """The symbols of this step, its number; which lanes' words have not ended, and where the step counts."""
    inputs, behind = integer(plan.layout.inputs), wasm.i32_sub(code.get("now"), code.get("tape"))
    code.emit(
        code.set("symbol", wasm.load_symbols(code.get("at"), _SYMBOL)),
        code.set("alive", wasm.below_integers(code.get("symbol"), wasm.splat_integer(inputs))),
        code.set("counted", wasm.load_bytes(code.get("at"), _COUNTED)),
        code.set("t", wasm.i32_div(behind, integer(VECTOR * plan.tape.width)), I32),
    )


def _bytes_of_step(layout: Layout) -> int:
    """How many bytes of its word a step has."""
    return _TARGETS + _BYTES * layout.outputs


def _clear(code: Code, base: str, count: int) -> None:
    """Zeros into memory."""
    code.emit(code.set("cleared", code.get(base), I32), code.set("end of zeros", code.get(base), I32))
    code.emit(code.move("end of zeros", VECTOR * count))
    with code.until_equal("cleared", "end of zeros"):
        code.emit(wasm.store(code.get("cleared"), code.number(0.0)), code.move("cleared", VECTOR))


def _emit_gradients(code: Code, plan: TrainingPlan) -> None:
    """Add the sums over the tape, from `tape` to `end`, to the gradients, tile by tile."""
    for band in plan.bands:
        for rows in row_groups(band, _ROWS):
            for group in passes(segments(plan, band), _COLUMNS):
                columns = [segment.part(n, 1) for segment in group for n in range(segment.count)]
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
