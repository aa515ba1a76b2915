"""The program that trains: a lane is a run, each with its own words and weights.

A word's steps go forwards, keeping on a tape what the way back needs; then backwards, adding the
adjoints of all affine maps to the tape; then every gradient is a sum over the tape; then Adam.
"""

from __future__ import annotations

from abacist.cells import Layout
from abacist.compiler import TrainingPlan, backward_statements, forward_statements, plan_training
from abacist.targets.numba.header import whole_program
from abacist.targets.numba.printer import Printer, print_zeros
from abacist.targets.numba.tiles import print_gradients
from abacist.targets.text import Text, sum_of

#: What the program is called with, by name.
ARGUMENTS = (
    "order", "starts", "lengths", "codes", "counted_steps", "targets", "scales", "weights", "first",
    "second", "gradient", "tape", "adjoint", "losses", "begin", "end", "batch", "updates", "rate", "beta1",
    "beta2", "epsilon",
)  # fmt: skip

#: The same for a program that also lets weights decay.
DECAY_ARGUMENTS = (*ARGUMENTS, "decay")

_MEANING = """Train on the words order[begin:end]; return the number of updates so far.

    order, starts, lengths (word,); codes, counted_steps (step, lane); targets (step, output, lane);
    scales (word, lane): 1 / (counted steps x outputs). weights, first and second moments and gradient
    (parameter, lane); tape, adjoint: room to work in; losses (lane,).
    """


def training_program(layout: Layout, precision: str, decays: bool = False) -> str:
    """Print the program for one shape of network; only one whose weights decay has that in it."""
    plan, text = plan_training(layout), Text(1)
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
            _adam(text, layout, decays)
    text("return updates")
    arguments = DECAY_ARGUMENTS if decays else ARGUMENTS
    return whole_program(layout, precision, "train", arguments, _MEANING, text, printer)


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


def _adam(text: Text, layout: Layout, decays: bool) -> None:
    text("# Adam, as PyTorch computes it.")
    text("step = splat(number(-rate / (1.0 - beta1**updates)))")
    text("correction = splat(number(1.0 / math.sqrt(1.0 - beta2**updates)))")
    text("b1, b2 = splat(number(beta1)), splat(number(beta2))")
    text("r1, r2 = splat(number(1.0 - beta1)), splat(number(1.0 - beta2))")
    text("e = splat(number(epsilon))")
    if decays:
        text("left = splat(number(1.0 - rate * decay))")
    weight = "left * load(weights, p)" if decays else "load(weights, p)"
    with text.block(f"for p in range({layout.size}):"):
        text("g = load(gradient, p)")
        text("m = fma(b1, load(first, p), r1 * g)")
        text("v = fma(b2, load(second, p), r2 * g * g)")
        text("store(first, p, m)")
        text("store(second, p, v)")
        text(f"store(weights, p, {weight} + step * m / fma(root(v), correction, e))")
        text("store(gradient, p, zero)")
