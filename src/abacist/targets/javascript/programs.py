"""The programs of one layout: a step, the first wrong step of a word, and the gradient of a word's loss."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from abacist.cells import Layout
from abacist.compiler import (
    backward_statements,
    forward_statements,
    only_forward_statements,
    plan_judging,
    plan_tracing,
    plan_training,
)
from abacist.compiler.scheduling import looked_at
from abacist.corpora.words import EITHER
from abacist.errors import BadInput
from abacist.targets.javascript.beginning import beginning_of
from abacist.targets.javascript.gradients import print_gradients
from abacist.targets.javascript.printer import Printer, refusal
from abacist.targets.text import Text, sum_of


def program_name(layout: Layout) -> str:
    """What a layout is called in JavaScript: `lstm 2 3 2` has 2 inputs, 3 units and 2 outputs."""
    return f"{layout.cell.name} {layout.inputs} {layout.hidden} {layout.outputs}"


#: What the functions are called with, by name; a step also with its number, where a memory fills bit by bit.
ARGUMENTS = {
    "step": "weights, room, symbol",
    "judge": "weights, room, symbols, targets, counted, start, steps",
    "gradient": "weights, gradient, tape, adjoint, symbols, targets, counted, start, steps, scale",
}


@lru_cache(maxsize=512)
def program_text(layout: Layout) -> str:
    """The program of a layout: an object with its sizes and three functions."""
    if reason := refusal(layout):
        raise BadInput(reason)
    text = Text(indent="  ", end="}")
    with text.block("{"):
        for name, value in _sizes(layout).items():
            text(f"{name}: {json.dumps(value)},")
        for verb, body in (("step", _step), ("judge", _judge), ("gradient", _gradient)):
            filled = verb == "step" and plan_tracing(layout).filling.needed
            with text.block(f"{verb}({ARGUMENTS[verb]}{', t' if filled else ''}) {{", "},"):
                body(text, layout)
    return str(text).rstrip()


def _sizes(layout: Layout) -> dict[str, Any]:
    """All that the runtime has to know of a layout."""
    training, tracing, cell = plan_training(layout), plan_tracing(layout), layout.cell
    after = tracing.room.width
    spans = zip(layout.state_starts, layout.state_sizes, strict=True)
    states = dict(zip(cell.state_names, spans, strict=True))
    values = {name: (after + start, size) for name, (start, size) in states.items()}
    for symbol, offset in tracing.room.offsets.items():
        if symbol.arguments and (name := tracing.graph.names.get(symbol, "")):
            values.setdefault(name, (offset, symbol.size))
    return {
        "name": program_name(layout),
        "cell": cell.name,
        "inputs": layout.inputs,
        "hidden": layout.hidden,
        "outputs": layout.outputs,
        "parameters": layout.size,
        "tensors": {name: [layout.starts[name], *shape] for name, shape in layout.shapes.items()},
        "gates": layout.gate_spans,
        "bound": layout.initial_bound,
        "begins": beginning_of(layout),
        "states": states,
        "stateSize": sum(layout.state_sizes),
        "values": values,
        "stepRoom": after,
        "judgeRoom": plan_judging(layout).room.width,
        "tape": training.tape.width,
        "adjoint": training.scratch.width,
    }


def _step(text: Text, layout: Layout) -> None:
    """One symbol further: the states before lie at the beginning of the room, those after behind it."""
    plan = plan_tracing(layout)
    text(f"const now = 0, after = {plan.room.width};")
    if plan.graph.x in plan.room:
        _keep_input(text, layout, "room", plan.room.offsets[plan.graph.x])
    Printer(text).print(only_forward_statements(plan, "room"))


def _judge(text: Text, layout: Layout) -> None:
    """The first step of a word that is wrong, or −1; a target may say that an output is right anyway."""
    plan = plan_judging(layout)
    target = "targets[at + {u}]"
    taken = {"sums": f"if ({target} !== {EITHER} && ({{}} > 0) !== ({target} > 0)) wrong = true;"}
    used = 2 * plan.room.width if plan.filling.needed else sum(layout.state_sizes)
    text(f"room.fill(0, 0, {used});")
    with text.block("for (let t = 0; t < steps; t++) {"):
        text(f"const now = (t & 1) * {plan.room.width}, after = {plan.room.width} - now;")
        text(f"const symbol = symbols[start + t], at = (start + t) * {layout.outputs};")
        text("let wrong = false;")
        if plan.graph.x in plan.room:
            _keep_input(text, layout, "room", plan.room.offsets[plan.graph.x])
        Printer(text, taken=taken).print(only_forward_statements(plan, "room"))
        text("if (wrong && counted[start + t] > 0) return t;")
    text("return -1;")


def _gradient(text: Text, layout: Layout) -> None:
    """The loss of a word, its gradient added to what is there.

    Of a tape that began as zeros, what no step can have filled is never written, whatever the word.
    """
    plan, states = plan_training(layout), sum(layout.state_sizes)
    width = plan.tape.width
    given = {
        "target": f"targets[(start + t) * {layout.outputs} + {{u}}]",
        "scale": "scale",
        "counted": "counted[start + t]",
    }
    printer = Printer(text, given=given, taken={"loss": "loss += {};"})
    text("let loss = 0;")
    text(f"tape.fill(0, 0, {states});")
    with text.block(f"for (let t = 0, now = 0; t < steps; t++, now += {width}) {{"):
        text(f"const after = now + {width}, symbol = symbols[start + t];")
        if looked_at(plan.forward, plan.graph.x) or looked_at(plan.backward, plan.graph.x):
            _keep_input(text, layout, "tape", plan.tape.offsets[plan.graph.x])
        printer.print(forward_statements(plan))
    text("// The way back.")
    text(f"adjoint.fill(0, 0, {2 * states});")
    with text.block(f"for (let t = steps - 1, now = t * {width}; t >= 0; t--, now -= {width}) {{"):
        text(f"const old = (t & 1) * {states}, new$ = {states} - old;")
        printer.print(backward_statements(plan))
    print_gradients(text, plan)
    text("return loss;")


def _keep_input(text: Text, layout: Layout, array: str, offset: int) -> None:
    """Keep the input where its units are looked at one by one."""
    first = sum_of("now", offset)
    text(f"{array}.fill(0, {first}, {sum_of('now', offset + layout.inputs)});")
    text(f"{array}[{first} + symbol] = 1;")
