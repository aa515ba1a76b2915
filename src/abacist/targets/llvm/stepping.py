"""The program of single steps: a lane is a state, or a box of states, all of one network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from abacist.cells import Layout
from abacist.compiler import SteppingPlan, plan_boxes, plan_stepping
from abacist.compiler.statements import UnitLoop
from abacist.targets.llvm import STEPPING_REGISTERS
from abacist.targets.llvm.emitter import LaneEmitter
from abacist.targets.llvm.machine import INTEGERS, WHOLE, Program
from abacist.targets.llvm.vectors import DOUBLE, integer

#: places: the addresses of before, after (number, state), of weights (parameter,) and of working memory for
#: one vector of states, then the number of vectors in a row of before and of after. Few arguments are a fast
#: call.
STEP_ARGUMENTS = {"symbol": WHOLE, "groups": WHOLE, "places": INTEGERS}


def stepping_program(layout: Layout, precision: str, boxes: bool) -> Program:
    """The program that takes states, or boxes of them, one symbol further.

    A box of a single unit keeps the processor waiting for one operation after the other: two groups of them
    alternate.
    """
    plan = plan_boxes(layout, precision) if boxes else plan_stepping(layout)
    name = "step_boxes" if boxes else "step"
    program = Program(name, precision, STEP_ARGUMENTS, STEPPING_REGISTERS, layout=layout)
    v, build, arguments = program.v, program.build, program.arguments
    places = [program.number("places", integer(n)) for n in range(6)]
    pointers = (build.inttoptr(place, v.number.as_pointer()) for place in places[:4])
    arrays = dict(zip(("before", "after", "weights", "room"), pointers, strict=True))
    arrays |= dict(zip(("stride", "stride after"), places[4:], strict=True))
    emitter = LaneEmitter(v, arrays, shared=True, scratch="" if plan.looks_around else "room")
    symbol = v.splat_double(build.sitofp(arguments["symbol"], DOUBLE))
    emitter.vectors["x"] = program.one_hot(symbol, layout.inputs)
    once, step = plan.statements()
    emitter.emit(program.noted("Once", once))
    parts = list(emitter.pieces(program.noted("A step", step)))
    short = max(layout.state_sizes) == 1 and not any(isinstance(part.statement, UnitLoop) for part in parts)
    alternate = boxes and short and not plan.looks_around  # otherwise groups would share their working memory
    with v.loop(integer(0), arguments["groups"], 2 if alternate else 1, "group") as (group, _):
        groups = [group]
        if alternate:
            groups.append(v.smaller(v.sum_of(group, 1), build.sub(arguments["groups"], integer(1))))
        emitters = [_beside(emitter, plan, number) for number in groups]
        for part in parts:
            for own in emitters:
                own.put(part)
    return program.finished()


def _beside(emitter: LaneEmitter, plan: SteppingPlan, group: Any) -> LaneEmitter:
    """An emitter for the step of a group of states."""
    v, arrays = emitter.v, emitter.arrays
    result = emitter.beside()

    def place(first: int, stride: str) -> Any:
        return v.sum_of(v.builder.mul(v.sum_of(first, result.u), arrays[stride]), group)

    def given(first: int) -> Callable[[], Any]:
        return lambda: v.load(arrays["before"], place(first, "stride"))

    def taken(first: int) -> Callable[[Any], None]:
        return lambda value: v.store(arrays["after"], place(first, "stride after"), value)

    result.given = {f"before {first}": given(first) for first in plan.before.offsets.values()}
    result.taken = {f"after {first}": taken(first) for first in plan.after.offsets.values()}
    return result
