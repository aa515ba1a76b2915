"""The programs that only go forwards, for judging and tracing: a lane is a word, all of one network.

Judging needs no history: the states of one step and the next take turns in a little room.
Its vectors are several registers side by side, since there are always words enough to fill them.
Tracing keeps every named value of every step.
"""

from __future__ import annotations

from abacist.cells import Layout
from abacist.compiler import ForwardPlan, only_forward_statements, plan_judging, plan_tracing
from abacist.corpora.words import EITHER
from abacist.targets.numba.header import whole_program
from abacist.targets.numba.printer import Printer, print_zeros
from abacist.targets.numba.widths import JUDGING_REGISTERS
from abacist.targets.text import Text, sum_of

#: What the programs are called with, by name.
JUDGE_ARGUMENTS = (
    "starts", "lengths", "codes", "counted_steps", "targets", "weights", "tables", "room", "verdicts",
    "begin", "end",
)  # fmt: skip
TRACE_ARGUMENTS = ("steps", "codes", "weights", "history")

_JUDGE = """Judge groups of words; the first wrong step of every word, or -1, goes to verdicts.

    starts, lengths (group,); codes, counted_steps (step, lane); targets (step, output, lane);
    weights (parameter,); tables (row, lane): in lane n what symbol n adds to a sum, with its biases;
    room: for the states; verdicts (group, lane).
    """

_TRACE = """Follow one group of words and keep every value: history (step, vector, lane)."""


def judging_program(layout: Layout, precision: str, tables: bool = False, partial: bool = False) -> str:
    """Print the program that finds the first wrong step of every word.

    With `tables`, the input's part of every sum is looked up by symbol instead of computed; with `partial`,
    a target may say that an output is right whatever it is.
    """
    plan, text = plan_judging(layout, tables), Text(1)
    target = f"load_bytes(targets, (start + t) * {layout.outputs} + {{u}}, zero)"
    wrong = f"differs(less(zero, {{}}), less(zero, {target}))"
    if partial:
        wrong = f"both(less({target}, splat(number({EITHER}.0))), {wrong})"
    sums = f"missed = either(missed, {wrong})"
    printer = Printer(text, taken={"sums": sums}, shared=True)
    with text.block("for group in range(begin, end):"):
        text("steps, start = lengths[group], starts[group]")
        text("wrong, wrong_at = less(zero, zero), splat(number(-1.0))")
        print_zeros(text, "room", 2 * plan.room.width if plan.filling.needed else sum(layout.state_sizes))
        with text.block("for t in range(steps):"):
            text(f"now = (t & 1) * {plan.room.width}")
            text(f"after = {plan.room.width} - now")
            text("code = load_bytes(codes, start + t, zero)")
            text(f"x = one_hot(code, {layout.inputs})")
            text("counted = less(zero, load_bytes(counted_steps, start + t, zero))")
            _keep_input(text, plan, "room")
            text("missed = less(zero, zero)")
            printer.print(only_forward_statements(plan, "room"))
            text("wrong_before, wrong = wrong, either(wrong, both(missed, counted))")
            text("wrong_at = select(differs(wrong, wrong_before), splat(number(t)), wrong_at)")
            with text.block("if every(wrong):"):
                text("break")
        text("store(verdicts, group, wrong_at)")
    return whole_program(
        layout, precision, "judge", JUDGE_ARGUMENTS, _JUDGE, text, printer, registers=JUDGING_REGISTERS
    )


def tracing_program(layout: Layout, precision: str) -> str:
    """Print the program that keeps every named value of every step."""
    plan, text = plan_tracing(layout), Text(1)
    printer = Printer(text, shared=True)
    print_zeros(text, "history", sum(layout.state_sizes))
    with text.block("for t in range(steps):"):
        text(f"now = t * {plan.room.width}")
        text(f"after = now + {plan.room.width}")
        text("code = load_bytes(codes, 0 + t, zero)")
        text(f"x = one_hot(code, {layout.inputs})")
        _keep_input(text, plan, "history")
        printer.print(only_forward_statements(plan, "history"))
    return whole_program(layout, precision, "trace", TRACE_ARGUMENTS, _TRACE, text, printer)


def _keep_input(text: Text, plan: ForwardPlan, array: str) -> None:
    """Keep the input where its units are looked at one by one."""
    if plan.graph.x in plan.room:
        text(f"store_all({array}, {sum_of('now', plan.room.offsets[plan.graph.x])}, x)")
