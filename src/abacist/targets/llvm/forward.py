"""The programs that only go forwards: a lane is a word, a state or a box of states, all of one network.

Judging needs no history: the states of one step and the next alternate in a small working memory. Its vectors
are several registers side by side, since there are always words enough to fill them. Tracing keeps every
named value of every step. Single steps take states, or boxes of them, one symbol further.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from abacist.cells import Layout
from abacist.compiler import (
    SteppingPlan,
    only_forward_statements,
    plan_boxes,
    plan_judging,
    plan_stepping,
    plan_tracing,
)
from abacist.compiler.statements import UnitLoop
from abacist.corpora.words import EITHER
from abacist.targets.llvm import JUDGING_REGISTERS, STEPPING_REGISTERS
from abacist.targets.llvm.emitter import LaneEmitter
from abacist.targets.llvm.machine import BYTES, INTEGERS, NUMBERS, WHOLE, Program
from abacist.targets.llvm.vectors import DOUBLE, integer

#: starts, lengths (group,); codes, counted_steps (step, lane); targets (step, output, lane); weights
#: (parameter,); tables (row, lane): in lane n the contribution of symbol n to a sum, with its biases; room:
#: for the states; verdicts (group, lane): the first wrong step of every word, or −1.
JUDGE_ARGUMENTS = {
    "starts": INTEGERS, "lengths": INTEGERS, "codes": BYTES, "counted_steps": BYTES, "targets": BYTES,
    "weights": NUMBERS, "tables": NUMBERS, "room": NUMBERS, "verdicts": NUMBERS, "begin": WHOLE, "end": WHOLE,
}  # fmt: skip

#: One group of words; history (step, vector, lane).
TRACE_ARGUMENTS = {"steps": WHOLE, "codes": BYTES, "weights": NUMBERS, "history": NUMBERS}

#: places: the addresses of before, after (number, state), of weights (parameter,) and of working memory for
#: one vector of states, then the number of vectors in a row of before and of after. Few arguments are a fast
#: call.
STEP_ARGUMENTS = {"symbol": WHOLE, "groups": WHOLE, "places": INTEGERS}


def judging_program(layout: Layout, precision: str, tables: bool = False, partial: bool = False) -> Program:
    """The program that finds the first wrong step of every word.

    With `tables`, the input's part of every sum is looked up by symbol instead of computed; with `partial`,
    a target may say that an output is right whatever it is.
    """
    plan = plan_judging(layout, tables)
    program = Program("judge", precision, JUDGE_ARGUMENTS, JUDGING_REGISTERS, layout=layout)
    v, build, arguments = program.v, program.build, program.arguments
    zero = v.constant(0.0)
    emitter = LaneEmitter(v, arguments, shared=True)
    with v.loop(arguments["begin"], arguments["end"], name="group") as (group, _):
        steps, start = program.number("lengths", group), program.number("starts", group)
        wrong, wrong_at = v.variable(v.less(zero, zero)), v.variable(v.constant(-1.0))
        program.store_zeros("room", 2 * plan.room.width if plan.filling.needed else sum(layout.state_sizes))
        with v.loop(integer(0), steps, name="t") as (t, end):
            now, at = v.times(plan.room.width, build.and_(t, integer(1))), v.sum_of(start, t)
            emitter.names |= {"t": t, "now": now, "after": build.sub(integer(plan.room.width), now)}
            emitter.code = v.load_bytes(arguments["codes"], at)
            emitter.vectors["x"] = program.one_hot(emitter.code, layout.inputs)
            counted = v.less(zero, v.load_bytes(arguments["counted_steps"], at))
            missed = v.variable(v.less(zero, zero))

            def compare(value: Any, at: Any = at, missed: Any = missed) -> None:
                target = v.load_bytes(arguments["targets"], v.sum_of(v.times(layout.outputs, at), emitter.u))
                differs = build.xor(v.less(zero, value), v.less(zero, target))
                if partial:
                    differs = build.and_(v.less(target, v.constant(float(EITHER))), differs)
                build.store(build.or_(build.load(missed), differs), missed)

            emitter.taken["sums"] = compare
            emitter.emit(program.noted("A step", only_forward_statements(plan, "room")))
            before = build.load(wrong)
            after = build.or_(before, build.and_(build.load(missed), counted))
            build.store(after, wrong)
            step = v.splat_double(build.sitofp(t, DOUBLE))
            build.store(build.select(build.xor(after, before), step, build.load(wrong_at)), wrong_at)
            onwards = build.append_basic_block("onwards")
            build.cbranch(v.every(after), end, onwards)
            build.position_at_end(onwards)
        v.store(arguments["verdicts"], group, build.load(wrong_at))
    return program.finished()


def tracing_program(layout: Layout, precision: str) -> Program:
    """The program that keeps every named value of every step."""
    plan = plan_tracing(layout)
    program = Program("trace", precision, TRACE_ARGUMENTS, layout=layout, plan=plan)
    v, arguments = program.v, program.arguments
    emitter = LaneEmitter(v, arguments, shared=True)
    program.store_zeros("history", sum(layout.state_sizes))
    with v.loop(integer(0), arguments["steps"], name="t") as (t, _):
        now = v.times(plan.room.width, t)
        emitter.names |= {"t": t, "now": now, "after": v.sum_of(now, plan.room.width)}
        emitter.vectors["x"] = program.one_hot(v.load_bytes(arguments["codes"], t), layout.inputs)
        emitter.emit(program.noted("A step", only_forward_statements(plan, "history")))
    return program.finished()


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
    pieces = list(emitter.pieces(program.noted("A step", step)))
    short = max(layout.state_sizes) == 1 and not any(isinstance(one, UnitLoop) for one, _ in pieces)
    alternate = boxes and short and not plan.looks_around  # otherwise groups would share their working memory
    with v.loop(integer(0), arguments["groups"], 2 if alternate else 1, "group") as (group, _):
        groups = [group]
        if alternate:
            groups.append(v.smaller(v.sum_of(group, 1), build.sub(arguments["groups"], integer(1))))
        emitters = [_beside(emitter, plan, number) for number in groups]
        for piece in pieces:
            for one in emitters:
                one.put(*piece)
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
