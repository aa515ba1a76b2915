"""The program that trains: a lane is a run, each with its own words and weights.

A word's steps go forwards, keeping on a tape what the way back needs; then backwards, adding the adjoints of
all affine maps to the tape; then every gradient is a sum over the tape; then an update.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from abacist.cells import Layout
from abacist.compiler import (
    Band,
    TrainingPlan,
    backward_statements,
    forward_statements,
    plan_training,
    shrink_statements,
    update_statements,
)
from abacist.optimisers import Rule
from abacist.targets.llvm.emitter import LaneEmitter
from abacist.targets.llvm.machine import BYTES, INTEGERS, NUMBERS, WHOLE, Program
from abacist.targets.llvm.vectors import DOUBLE, integer
from abacist.targets.tiles import Segment, passes, row_groups, segments

#: order, starts, lengths (word,); codes, counted_steps (step, lane); targets (step, output, lane); scales
#: (word, lane): 1 / (counted steps × outputs); weights, first and second moments and gradient (parameter,
#: lane); tape and adjoint: working memory; losses (lane,); numbers (update, number): the rule's. The words
#: are order[begin:end].
ARGUMENTS = {
    "order": INTEGERS, "starts": INTEGERS, "lengths": INTEGERS, "codes": BYTES, "counted_steps": BYTES,
    "targets": BYTES, "scales": NUMBERS, "weights": NUMBERS, "first": NUMBERS, "second": NUMBERS,
    "gradient": NUMBERS, "tape": NUMBERS, "adjoint": NUMBERS, "losses": NUMBERS, "numbers": NUMBERS,
    "begin": WHOLE, "end": WHOLE, "batch": WHOLE,
}  # fmt: skip

#: What a program has beside these where words begin with other states than zero: the states that the words
#: before ended with, (number, lane), and noise for each of the words, (word, number, lane).
INITIAL_STATES = {"carry_states": "carried", "state_noise": "noise"}

#: The largest number of sums of a tile in registers.
_TILE = 24

#: The largest number of passes over a band that are written out one by one: more of them compile slowly.
_MOST_PASSES = 16


def training_program(
    layout: Layout,
    precision: str,
    rule: Rule | None = None,
    objective: str = "squared",
    states_begin: tuple[str, ...] = (),
) -> Program:
    """The program for a shape of network, a rule of updates (plain Adam if none) and an objective; perhaps
    with other initial states than zero (`Spec.states_begin`)."""
    return _Training(layout, precision, rule or Rule(), objective, states_begin).emitted()


class _Training:
    def __init__(
        self, layout: Layout, precision: str, rule: Rule, objective: str, states_begin: tuple[str, ...]
    ) -> None:
        self.layout, self.rule, self.plan = layout, rule, plan_training(layout, objective)
        self.states = sum(layout.state_sizes)
        arguments = ARGUMENTS | {INITIAL_STATES[name]: NUMBERS for name in states_begin}
        self.program = Program("train", precision, arguments, layout=layout)
        self.v, self.build, self.arguments = self.program.v, self.program.build, self.program.arguments
        self.emitter = LaneEmitter(self.v, self.arguments)
        self.emitter.given = {
            "target": self._target, "scale": lambda: self.scale, "counted": lambda: self.counted,
        }  # fmt: skip
        self.emitter.taken["loss"] = self._add_loss

    def emitted(self) -> Program:
        v, build, arguments = self.v, self.build, self.arguments
        updates, in_batch, size = (v.variable(integer(0)) for _ in range(3))
        with v.loop(arguments["begin"], arguments["end"], name="position") as (position, _):
            self.word = self.program.number("order", position)
            self.steps = self.program.number("lengths", self.word)
            self.start = self.program.number("starts", self.word)
            with build.if_then(build.icmp_signed("==", build.load(in_batch), integer(0))):
                build.store(v.smaller(arguments["batch"], build.sub(arguments["end"], position)), size)
            words = build.sitofp(build.load(size), DOUBLE)
            share = v.splat_double(build.fdiv(DOUBLE(1.0), words))
            self.scale = build.fmul(v.load(arguments["scales"], self.word), share)
            self._forward(v.splat_double(words), position)
            self._backward()
            _emit_gradients(self.program, self.plan, self.steps)
            build.store(build.add(build.load(in_batch), integer(1)), in_batch)
            with build.if_then(build.icmp_signed("==", build.load(in_batch), build.load(size))):
                build.store(integer(0), in_batch)
                self._update(build.load(updates))
                build.store(build.add(build.load(updates), integer(1)), updates)
        return self.program.finished(build.load(updates))

    def _target(self) -> Any:
        step = self.v.times(self.layout.outputs, self.v.sum_of(self.start, self.t))
        return self.v.load_bytes(self.arguments["targets"], self.v.sum_of(step, self.emitter.u))

    def _add_loss(self, value: Any) -> None:
        self.build.store(self.build.fadd(self.build.load(self.loss), value), self.loss)

    def _begin_step(self, t: Any) -> Any:
        """Set what a step reads of its word; its symbols."""
        v, at = self.v, self.v.sum_of(self.start, t)
        self.t = self.emitter.names["t"] = t
        code = v.load_bytes(self.arguments["codes"], at)
        self.emitter.alive = v.less(code, v.constant(float(self.layout.inputs)))
        self.counted = v.load_bytes(self.arguments["counted_steps"], at)
        return code

    def _begin_word(self, position: Any) -> None:
        """Set the states before the first step."""
        v, arguments = self.v, self.arguments
        if not {"carried", "noise"} & arguments.keys():
            self.program.store_zeros("tape", self.states)
            return
        row = v.times(self.states, self.build.sub(position, arguments["begin"]))
        with v.loop(integer(0), integer(self.states), name="state") as (state, _):
            value = v.load(arguments["carried"], state) if "carried" in arguments else v.constant(0.0)
            if "noise" in arguments:
                value = self.build.fadd(value, v.load(arguments["noise"], v.sum_of(row, state)))
            v.store(arguments["tape"], state, value)

    def _carry(self) -> None:
        """Keep the states after a word: they stay as they are where it ends before those of other lanes."""
        v, last = self.v, self.v.times(self.plan.tape.width, self.steps)
        with v.loop(integer(0), integer(self.states), name="state") as (state, _):
            after = v.load(self.arguments["tape"], v.sum_of(last, state))
            v.store(self.arguments["carried"], state, after)

    def _forward(self, words: Any, position: Any) -> None:
        v, plan, losses = self.v, self.plan, self.arguments["losses"]
        self._begin_word(position)
        self.loss = v.variable(v.constant(0.0))
        with v.loop(integer(0), self.steps, name="t") as (t, _):
            now = v.times(plan.tape.width, t)
            self.emitter.names |= {"now": now, "after": v.sum_of(now, plan.tape.width)}
            self.emitter.vectors["x"] = self.program.one_hot(self._begin_step(t), self.layout.inputs)
            self.emitter.emit(self.program.noted("A step forwards", forward_statements(plan)))
        if "carried" in self.arguments:
            self._carry()
        total = v.fma(self.build.load(self.loss), words, v.load(losses, integer(0)))
        v.store(losses, integer(0), total)

    def _backward(self) -> None:
        v, build, states = self.v, self.build, self.states
        self.program.store_zeros("adjoint", 2 * states)
        with v.loop(build.sub(self.steps, integer(1)), integer(-1), -1, "t") as (t, _):
            old = v.times(states, build.and_(t, integer(1)))
            self.emitter.names["now"] = v.times(self.plan.tape.width, t)
            self.emitter.names |= {"old": old, "new": build.sub(integer(states), old)}
            self._begin_step(t)
            self.emitter.emit(self.program.noted("A step back", backward_statements(self.plan)))

    def _update(self, number: Any) -> None:
        """An update; gradients begin anew."""
        v, build, arguments, rule = self.v, self.build, self.arguments, self.rule
        row = v.times(len(rule.names), number)
        places = (v.sum_of(row, place) for place in range(len(rule.names)))
        loads = (v.load_shared(arguments["numbers"], place) for place in places)
        numbers = dict(zip(rule.names, loads, strict=True))
        emitter = LaneEmitter(v, arguments)
        emitter.given = {name: partial(numbers.get, name) for name in rule.names}
        if rule.clips_norm:
            squares = v.variable(v.constant(0.0))
            with v.loop(integer(0), integer(self.layout.size)) as (place, _):
                gradient = v.load(arguments["gradient"], place)
                build.store(v.fma(gradient, gradient, build.load(squares)), squares)
            emitter.given["squares"] = lambda: build.load(squares)
            emitter.taken["shrink"] = lambda value: numbers.update(shrink=value)
            emitter.emit(shrink_statements(rule))
            emitter.given["shrink"] = partial(numbers.get, "shrink")
        emitter.emit(self.program.noted("An update", update_statements(rule, self.layout.size)))


def _emit_gradients(program: Program, plan: TrainingPlan, steps: Any) -> None:
    """Add the sums over all steps to the gradients, a tile of an outer product at a time."""
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
            tiles = [self._tile(segment, q) for segment in group]
            with v.loop(integer(0), self._steps, 1, "t") as (t, _):
                now = v.times(self._plan.tape.width, t)
                z = [v.load(tape, v.sum_of(now, q, self._first_row + n)) for n in range(rows.step)]
                for segment, tile in zip(group, tiles, strict=True):
                    pairs = [(a, b) for a in z for b in self._columns(segment, now)]
                    for (a, b), total in zip(pairs, tile, strict=True):
                        build.store(v.fma(a, b, build.load(total)), total)
            for segment, tile in zip(group, tiles, strict=True):
                sums = [build.load(total) for total in tile]
                for copy in range(len(segment.places)):
                    for n, total in enumerate(sums):
                        v.store(gradient, self._place(segment, copy, n, q), total)

    def _tile(self, segment: Segment, q: Any) -> list[Any]:
        """The sums so far, in variables."""
        v, gradient = self._program.v, self._program.arguments["gradient"]
        places = (self._place(segment, 0, n, q) for n in range(self._rows.step * segment.count))
        return [v.variable(v.load(gradient, place)) for place in places]

    def _columns(self, segment: Segment, now: Any) -> list[Any]:
        """The columns of a step."""
        v, tape = self._program.v, self._program.arguments["tape"]
        if segment.tape is None:
            return [v.constant(1.0)]
        return [v.load(tape, v.sum_of(now, segment.moving, segment.tape + n)) for n in range(segment.count)]

    def _place(self, segment: Segment, copy: int, number: int, q: Any) -> Any:
        """The index of a number of the tile in the gradient; biases have two copies."""
        row, column = divmod(number, segment.count)
        v, first = self._program.v, segment.places[copy] + row * segment.stride + column
        return v.sum_of(v.times(segment.stride, q), first, segment.moving)
