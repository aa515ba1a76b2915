"""The program that trains: a lane is a run, each with its own words and weights.

A word's steps go forwards, keeping on a tape what the way back needs; then backwards, adding the
adjoints of all affine maps to the tape; then every gradient is a sum over the tape; then an update.
"""

from __future__ import annotations

from abacist.cells import Layout
from abacist.compiler import TrainingPlan, backward_statements, forward_statements, plan_training
from abacist.optimisers import Rule
from abacist.targets.numba.header import whole_program
from abacist.targets.numba.printer import Printer, print_zeros
from abacist.targets.numba.tiles import print_gradients
from abacist.targets.numba.update_text import print_update
from abacist.targets.text import Text, sum_of

#: What every program is called with, by name; the settings of its rule follow.
_ARGUMENTS = (
    "order", "starts", "lengths", "codes", "counted_steps", "targets", "scales", "weights", "first",
    "second", "gradient", "tape", "adjoint", "losses", "begin", "end", "batch", "updates",
)  # fmt: skip

_MEANING = """Train on the words order[begin:end]; return the number of updates so far.

    order, starts, lengths (word,); codes, counted_steps (step, lane); targets (step, output, lane);
    scales (word, lane): 1 / (counted steps x outputs). weights, first and second moments and gradient
    (parameter, lane); tape, adjoint: room to work in; losses (lane,).
    """


def arguments_of(rule: Rule) -> tuple[str, ...]:
    """What the program of a rule is called with."""
    return (*_ARGUMENTS, *rule.settings)


def training_program(
    layout: Layout, precision: str, rule: Rule | None = None, objective: str = "squared"
) -> str:
    """Print the program for a shape of network, a rule of updates (plain Adam if none) and an objective."""
    rule = rule or Rule()
    plan, text = plan_training(layout, objective), Text(1)
    printer = Printer(
        text,
        given={
            "target": f"load_bytes(targets, (start + t) * {layout.outputs} + {{u}}, zero)",
            "scale": "scale",
            "counted": "counted",
        },
        taken={"loss": "loss = loss + {}"},
    )
    text("in_batch = 0")
    with text.block("for position in range(begin, end):"):
        text("word = order[position]")
        text("steps, start = lengths[word], starts[word]")
        with text.block("if in_batch == 0:"):
            text("size = min(batch, end - position)")
        text("scale = load(scales, word) * splat(number(1.0 / size))")
        _forward(text, plan, printer)
        _backward(text, plan, printer)
        print_gradients(text, plan)
        text("in_batch += 1")
        with text.block("if in_batch == size:"):
            text("in_batch = 0")
            text("updates += 1")
            print_update(text, layout, rule)
    text("return updates")
    return whole_program(layout, precision, "train", arguments_of(rule), _MEANING, text, printer)


def _forward(text: Text, plan: TrainingPlan, printer: Printer) -> None:
    layout, width = plan.layout, plan.tape.width
    text("# The way forwards.")
    print_zeros(text, "tape", sum(layout.state_sizes))
    text("loss = zero")
    with text.block("for t in range(steps):"):
        text(f"now = t * {width}")
        text(f"after = now + {width}")
        text("code = load_bytes(codes, start + t, zero)")
        text(f"alive = less(code, splat(number({layout.inputs})))")
        text("counted = load_bytes(counted_steps, start + t, zero)")
        text(f"x = one_hot(code, {layout.inputs})")
        text(f"store_all(tape, {sum_of('now', plan.tape.offsets[plan.graph.x])}, x)")
        printer.print(forward_statements(plan))
    text("store(losses, 0, fma(loss, splat(number(size)), load(losses, 0)))")


def _backward(text: Text, plan: TrainingPlan, printer: Printer) -> None:
    layout, states = plan.layout, sum(plan.layout.state_sizes)
    text("# The way back.")
    print_zeros(text, "adjoint", 2 * states)
    with text.block("for t in range(steps - 1, -1, -1):"):
        text(f"now = t * {plan.tape.width}")
        text(f"old = (t & 1) * {states}")
        text(f"new = {states} - old")
        text(f"alive = less(load_bytes(codes, start + t, zero), splat(number({layout.inputs})))")
        text("counted = load_bytes(counted_steps, start + t, zero)")
        printer.print(backward_statements(plan))
