"""The program that trains: a lane is a run, each with its own words and weights.

A word's steps go forwards, keeping on a tape what the way back needs; then backwards, adding the adjoints of
all affine maps to the tape; then every gradient is a sum over the tape; then an update.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from abacist.cells import Layout
from abacist.compiler import (
    backward_statements,
    forward_statements,
    plan_training,
    shrink_statements,
    update_statements,
)
from abacist.optimisers import Rule
from abacist.targets.llvm.emitter import LaneEmitter
from abacist.targets.llvm.machine import BYTES, INTEGERS, NUMBERS, WHOLE, Program
from abacist.targets.llvm.tiles import emit_gradients
from abacist.targets.llvm.vectors import DOUBLE, integer

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


def training_program(
    layout: Layout, precision: str, rule: Rule | None = None, objective: str = "squared"
) -> Program:
    """The program for a shape of network, a rule of updates (plain Adam if none) and an objective."""
    return _Training(layout, precision, rule or Rule(), objective).emitted()


class _Training:
    def __init__(self, layout: Layout, precision: str, rule: Rule, objective: str) -> None:
        self.layout, self.rule, self.plan = layout, rule, plan_training(layout, objective)
        self.program = Program("train", precision, ARGUMENTS, layout=layout)
        self.v, self.build, self.arguments = self.program.v, self.program.build, self.program.arguments
        self.emitter = LaneEmitter(
            self.v,
            self.arguments,
            given={"target": self._target, "scale": lambda: self.scale, "counted": lambda: self.counted},
            taken={"loss": self._add_loss},
        )

    def emitted(self) -> Program:
        v, build, own = self.v, self.build, self.arguments
        updates, in_batch, size = (v.variable(integer(0)) for _ in range(3))
        with v.loop(own["begin"], own["end"], name="position") as (position, _):
            self.word = self.program.number("order", position)
            self.steps = self.program.number("lengths", self.word)
            self.start = self.program.number("starts", self.word)
            with build.if_then(build.icmp_signed("==", build.load(in_batch), integer(0))):
                build.store(v.smaller(own["batch"], build.sub(own["end"], position)), size)
            words = build.sitofp(build.load(size), DOUBLE)
            share = v.splat_double(build.fdiv(DOUBLE(1.0), words))
            self.scale = build.fmul(v.load(own["scales"], self.word), share)
            self._forward(v.splat_double(words))
            self._backward()
            emit_gradients(self.program, self.plan, self.steps)
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

    def _forward(self, words: Any) -> None:
        v, plan, losses = self.v, self.plan, self.arguments["losses"]
        self.program.store_zeros("tape", sum(self.layout.state_sizes))
        self.loss = v.variable(v.constant(0.0))
        with v.loop(integer(0), self.steps, name="t") as (t, _):
            now = v.times(plan.tape.width, t)
            self.emitter.names |= {"now": now, "after": v.sum_of(now, plan.tape.width)}
            self.emitter.vectors["x"] = self.program.one_hot(self._begin_step(t), self.layout.inputs)
            self.emitter.emit(self.program.noted("A step forwards", forward_statements(plan)))
        total = v.fma(self.build.load(self.loss), words, v.load(losses, integer(0)))
        v.store(losses, integer(0), total)

    def _backward(self) -> None:
        v, build, states = self.v, self.build, sum(self.layout.state_sizes)
        self.program.store_zeros("adjoint", 2 * states)
        with v.loop(build.sub(self.steps, integer(1)), integer(-1), -1, "t") as (t, _):
            old = v.times(states, build.and_(t, integer(1)))
            self.emitter.names["now"] = v.times(self.plan.tape.width, t)
            self.emitter.names |= {"old": old, "new": build.sub(integer(states), old)}
            self._begin_step(t)
            self.emitter.emit(self.program.noted("A step back", backward_statements(self.plan)))

    def _update(self, number: Any) -> None:
        """An update; gradients begin anew."""
        v, build, own, rule = self.v, self.build, self.arguments, self.rule
        row = v.times(len(rule.names), number)
        numbers = {
            name: v.load_shared(own["numbers"], v.sum_of(row, place)) for place, name in enumerate(rule.names)
        }
        emitter = LaneEmitter(v, own, given={name: partial(numbers.get, name) for name in rule.names})
        if rule.clips_norm:
            squares = v.variable(v.constant(0.0))
            with v.loop(integer(0), integer(self.layout.size)) as (place, _):
                gradient = v.load(own["gradient"], place)
                build.store(v.fma(gradient, gradient, build.load(squares)), squares)
            emitter.given["squares"] = lambda: build.load(squares)
            emitter.taken["shrink"] = lambda value: numbers.update(shrink=value)
            emitter.emit(shrink_statements(rule))
            emitter.given["shrink"] = partial(numbers.get, "shrink")
        emitter.emit(self.program.noted("An update", update_statements(rule, self.layout.size)))
