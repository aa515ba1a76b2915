"""A second target in a hundred lines: statements carried out one by one on plain numbers.

It shares nothing with the LLVM target but the statements, and so holds them to what they say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import abacist.compiler.statements as st
from abacist.algebra import OPERATIONS
from abacist.compiler import (
    TrainingPlan,
    backward_statements,
    forward_statements,
    only_forward_statements,
    plan_boxes,
    plan_judging,
    plan_stepping,
    plan_tracing,
    plan_training,
)
from abacist.specs import Networks

Array = NDArray[Any]


@dataclass
class Machine:
    """Arrays by name, the named bases of places, whole vectors, and what the step around gives."""

    arrays: dict[str, Array]
    bases: dict[str, int] = field(default_factory=dict)
    vectors: dict[str, Array] = field(default_factory=dict)
    given: dict[str, Array] = field(default_factory=dict)
    taken: dict[str, list[float]] = field(default_factory=dict)
    locals: dict[tuple[str, int], float] = field(default_factory=dict)

    def do(self, statements: Iterable[st.Statement], unit: int = 0) -> None:
        for statement in statements:
            match statement:
                case st.UnitLoop(size, body, spreads, first, filled):
                    for u in range(first, self.count(size, filled)):
                        self.do((own for _, own in body), u)
                        self.do(spreads, u)
                case st.Clear(place, size, filled, looked_at):
                    for u in range(self.count(size, filled), self.count(size, looked_at)):
                        self.arrays[place.array][self.at(place, u)] = 0.0
                case st.Let(name, value):
                    self.locals[name, unit] = self.value(value, unit)
                case st.Store(place, value, _):  # words never end here before their last step
                    self.arrays[place.array][self.at(place, unit)] = self.value(value, unit)
                case st.HandOver(name, value):
                    self.taken.setdefault(name, []).append(self.value(value, unit))
                case st.Gather(vector, place, count):
                    self.vectors[vector] = self.arrays[place.array][self.at(place, 0) :][:count].copy()
                case st.Zero(vector, count):
                    self.vectors[vector] = np.zeros(count)
                case st.Spread(vector, row, value):
                    weights = self.row(row, unit, len(self.vectors[vector]))
                    self.vectors[vector] = self.vectors[vector] + weights * self.value(value, unit)
                case st.StoreAll(place, vector, count, _):
                    self.arrays[place.array][self.at(place, 0) :][:count] = self.vectors[vector]

    def at(self, place: st.Place, unit: int) -> int:
        unit = unit // place.inner
        unit = unit % place.period if place.period else unit
        return (self.bases[place.base] if place.base else 0) + place.offset + place.per_unit * unit

    def count(self, size: int, filled: st.Filled | None) -> int:
        """How many units there are, or may be filled in this step."""
        return size if filled is None else min(size, filled.start + filled.growth * self.bases["t"])

    def row(self, place: st.Place, unit: int, count: int) -> Array:
        return self.arrays[place.array][self.at(place, unit) :][:count]

    def value(self, value: st.Expression, unit: int) -> float:
        match value:
            case st.Constant(number):
                return number
            case st.Local(name, shared):
                return self.locals[name, 0 if shared else unit]
            case st.Given(name):
                return float(self.given[name][unit])
            case st.Load(place) | st.Lookup(place):
                return float(self.arrays[place.array][self.at(place, unit)])
            case st.Apply("sigmoid_times_tanh", (a, b)):
                left, right = np.float64(self.value(a, unit)), np.float64(self.value(b, unit))
                return float(OPERATIONS["sigmoid"].arrays(left) * OPERATIONS["tanh"].arrays(right))
            case st.Apply(operation, arguments):
                numbers = [np.float64(self.value(argument, unit)) for argument in arguments]
                return float(OPERATIONS[operation].arrays(*numbers))
            case st.MultiplyAdd(a, b, c, negative):
                product = self.value(a, unit) * self.value(b, unit)
                return self.value(c, unit) + (-product if negative else product)
            case st.Dot(row, vector, start):
                whole = self.vectors[vector]
                return self.value(start, unit) + float(self.row(row, unit, len(whole)) @ whole)
            case st.Total(place, count, step, filled):
                terms = self.arrays[place.array][self.at(place, unit) :: step]
                return float(terms[: self.count(count, filled)].sum())
        raise AssertionError(f"no expression: {value!r}")


def gradient(networks: Networks, word: Sequence[int], targets: Array, counted: Array) -> Array:
    """The gradient of a word's loss, (parameter,), by the statements of training."""
    layout = networks.layout
    plan = plan_training(layout)
    width, states = plan.tape.width, sum(layout.state_sizes)
    machine = Machine(
        {
            "weights": networks.parameters[0].astype(np.float64),
            "tape": np.zeros(width * (len(word) + 1)),
            "adjoint": np.zeros(plan.scratch.width),
        }
    )
    machine.given["scale"] = np.full(layout.outputs, 1 / (max(int(counted.sum()), 1) * layout.outputs))
    steps = list(enumerate(word))
    for way, statements in ((steps, forward_statements(plan)), (steps[::-1], backward_statements(plan))):
        for t, symbol in way:
            machine.bases = {"now": t * width, "after": (t + 1) * width, "t": t}
            machine.bases |= {"old": (t & 1) * states, "new": states - (t & 1) * states}
            machine.given |= {"target": targets[t], "counted": np.full(layout.outputs, float(counted[t]))}
            machine.vectors["x"] = np.eye(layout.inputs)[symbol]
            machine.do(statements)
    return _sums(plan, machine.arrays["tape"].reshape(-1, width))


def _sums(plan: TrainingPlan, tape: Array) -> Array:
    """The gradient as sums over the tape; a column that is a new state lies in the next step's place."""
    found = {name: np.zeros(shape) for name, shape in plan.layout.shapes.items()}
    flat, width = tape.ravel(), plan.tape.width
    for part in plan.adjoint.gradients:
        rows = slice(part.first_row, part.first_row + part.rows.size)
        for t in range(len(tape) - 1):
            left = flat[t * width + plan.tape.offsets[part.rows] :][: part.rows.size]
            if part.columns is None:
                found[part.tensor][rows] += left
            else:
                right = flat[t * width + plan.on_tape(part.columns) :][: part.columns.size]
                found[part.tensor][rows] += np.outer(left, right)
    return np.concatenate([value.ravel() for value in found.values()])


def scores(networks: Networks, word: Sequence[int], *, sums: bool) -> Array:
    """The outputs of a network on a word, (time, output), by the statements of judging or of tracing."""
    layout = networks.layout
    plan = plan_judging(layout) if sums else plan_tracing(layout)
    width = plan.room.width
    weights = networks.parameters[0].astype(np.float64)
    machine = Machine({"weights": weights, "room": np.zeros(width * (len(word) + 1))})
    rows = []
    for t, symbol in enumerate(word):
        machine.bases = {"now": t * width, "after": (t + 1) * width, "t": t}
        machine.vectors["x"] = np.eye(layout.inputs)[symbol]
        machine.taken["sums"] = []
        machine.do(only_forward_statements(plan, "room"))
        place = 0 if sums else t * width + plan.room.offsets[plan.graph.y]
        rows.append(
            machine.taken["sums"] if sums else machine.arrays["room"][place : place + layout.outputs].copy()
        )
    return np.array(rows)


def stepped(networks: Networks, symbol: int, rows: Array, *, boxes: bool) -> Array:
    """A state, or a box, one symbol further, and the sums, by the statements of single steps."""
    layout = networks.layout
    plan = plan_boxes(layout, str(networks.parameters.dtype)) if boxes else plan_stepping(layout)
    weights = plan.parameters(networks.parameters[0]).astype(np.float64)
    machine = Machine({"weights": weights, "room": np.zeros(plan.room.width)})
    machine.vectors["x"] = np.eye(layout.inputs)[symbol]
    for vector, first in plan.before.offsets.items():
        machine.given[f"before {first}"] = rows[first : first + vector.size]
    for statements in plan.statements():
        machine.do(statements)
    return np.concatenate([machine.taken[f"after {first}"] for first in plan.after.offsets.values()])


def first_wrong(found: Array, targets: Array) -> int:
    """The first step, from 0, at which scores decide wrongly, or −1."""
    wrong = ((found > 0.5) != (targets > 0.5)).any(axis=1)
    return int(np.argmax(wrong)) if wrong.any() else -1
