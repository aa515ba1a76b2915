"""The program of a layout: a word forwards, back, and Adam, for four runs at once, each with its own word.

A word's steps go forwards, keeping on a tape what the way back needs; then backwards, adding the
adjoints of all affine maps to the tape; then every gradient is a sum over the tape; then Adam.
"""

from __future__ import annotations

from functools import lru_cache

from abacist.cells import Layout
from abacist.compiler import TrainingPlan, backward_statements, forward_statements, plan_training
from abacist.errors import BadInput
from abacist.fields import expect
from abacist.targets.webassembly.adam import adam
from abacist.targets.webassembly.assembler import I32, Code, module_bytes
from abacist.targets.webassembly.gradients import print_gradients
from abacist.targets.webassembly.memory import COUNTED, SYMBOL, TARGETS, VECTOR, bytes_of_step
from abacist.targets.webassembly.operations import refusal
from abacist.targets.webassembly.printer import Printer

#: Loops over at most this many units are unrolled on the way forwards, which is a quarter faster: it mostly
#: waits for exponentials. On the way back, that makes programs longer and no faster.
_UNROLLED = 4


def program_bytes(layout: Layout) -> bytes:
    """The bytes of a WebAssembly module that trains networks of a layout, four at a time, in float32.

    It imports a memory, `abacist.memory`, and exports `forward`, `backward` and `adam`.
    """
    expect("program_bytes: the layout", layout, Layout)
    return _program_bytes(layout)


@lru_cache(maxsize=512)
def _program_bytes(layout: Layout) -> bytes:
    if reason := refusal(layout):
        raise BadInput(reason)
    plan = plan_training(layout)
    return module_bytes({"forward": _forward(plan), "backward": _backward(plan), "adam": adam(layout)})


def _forward(plan: TrainingPlan) -> Code:
    """The way forwards.

    `weights`; `now`, where the tape begins; `at` and `end`, the word's bytes; `scales`, 1 / (counted steps ×
    outputs) of every lane; `losses`, where those of the word are written.
    """
    layout, width = plan.layout, VECTOR * plan.tape.width
    code = Code(dict.fromkeys(("weights", "now", "at", "end", "scales", "losses"), I32))
    printer = Printer(
        code,
        {"weights": ("weights", 0), "now": ("now", 0), "after": ("now", width), "at": ("at", TARGETS)},
        _UNROLLED,
    )
    code.load("scales")
    code.set("scale")
    code.number(0.0)
    code.set("loss")
    _clear(code, "now", sum(layout.state_sizes))
    code.get("now")
    code.set("tape", I32)
    with code.unless_equal("at", "end"), code.until_equal("at", "end"):
        _begin_step(code, plan)
        for k, part in printer.parts("x", layout.inputs):
            code.get("symbol")
            code.integer(k)
            code("i32x4.splat", "i32x4.eq")
            code.number(1.0)
            code("v128.and")
            code.set(part)
            code.get("now", part)
            code.store(VECTOR * (plan.tape.offsets[plan.graph.x] + k))
        printer.print(forward_statements(plan))
        code.move("now", width)
        code.move("at", bytes_of_step(layout))
    code.get("losses", "loss")
    code.store()
    return code


def _backward(plan: TrainingPlan) -> Code:
    """The way back, and the gradient added to what is there.

    `tape` and `now`, where the tape begins and ends; `adjoint`, room to work in; `at`, where the word's bytes
    end; `weights`, `gradient` and `scales`.
    """
    layout, width, states = plan.layout, VECTOR * plan.tape.width, sum(plan.layout.state_sizes)
    code = Code(dict.fromkeys(("weights", "gradient", "tape", "now", "adjoint", "at", "scales"), I32))
    arrays = {name: (name, 0) for name in ("weights", "now", "adjoint", "old", "new")}
    printer = Printer(code, arrays | {"at": ("at", TARGETS)}, 1)
    code.load("scales")
    code.set("scale")
    _clear(code, "adjoint", 2 * states)
    for name, source in (("end", "now"), ("old", "adjoint"), ("new", "adjoint")):
        code.get(source)
        code.set(name, I32)
    code.move("new", VECTOR * states)
    with code.unless_equal("now", "tape"):
        with code.until_equal("now", "tape"):
            code.move("now", -width)
            code.move("at", -bytes_of_step(layout))
            _begin_step(code, plan)
            printer.print(backward_statements(plan))
            code.get("old", "new")
            code.set("old")
            code.set("new")
        print_gradients(code, plan)
    return code


def _begin_step(code: Code, plan: TrainingPlan) -> None:
    """The symbols of this step, its number; which lanes' words have not ended, and where the step counts."""
    code.load_bytes("at", SYMBOL)
    code.set("symbol")
    code.get("symbol")
    code.integer(plan.layout.inputs)
    code("i32x4.splat", "i32x4.lt_s")
    code.set("alive")
    code.load_bytes("at", COUNTED)
    code("f32x4.convert_i32x4_s")
    code.set("counted")
    code.get("now", "tape")
    code("i32.sub")
    code.integer(VECTOR * plan.tape.width)
    code("i32.div_u")
    code.set("t", I32)


def _clear(code: Code, base: str, count: int) -> None:
    """Zeros into memory."""
    code.get(base)
    code.set("cleared", I32)
    code.get(base)
    code.set("end of zeros", I32)
    code.move("end of zeros", VECTOR * count)
    with code.until_equal("cleared", "end of zeros"):
        code.get("cleared")
        code.number(0.0)
        code.store()
        code.move("cleared", VECTOR)
