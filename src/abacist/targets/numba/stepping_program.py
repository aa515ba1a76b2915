"""The program of single steps: a lane is a state, or a box of states, all of one network."""

from __future__ import annotations

from abacist.cells import Layout
from abacist.compiler import plan_boxes, plan_stepping
from abacist.targets.numba.header import whole_program
from abacist.targets.numba.printer import Printer
from abacist.targets.numba.widths import LANES, STEPPING_REGISTERS
from abacist.targets.text import Text

#: What the program is called with, by name.
STEP_ARGUMENTS = ("symbol", "before", "after", "count", "weights", "room")

_STEP = """Take so many states one symbol further, and say whether they lie where vectors are read at all.

    before, after (number, state): a row for every number; weights (parameter,); room: for as many states
    as a vector has lanes.
    """


def stepping_program(layout: Layout, precision: str, boxes: bool) -> str:
    """Print the program that takes states, or boxes of them, one symbol further."""
    plan, text = plan_boxes(layout, precision) if boxes else plan_stepping(layout), Text(1)
    lanes = STEPPING_REGISTERS * LANES[precision]
    given = {
        f"before {first}": f"load(before, ({first} + {{u}}) * stride + group)"
        for first in plan.before.offsets.values()
    }
    taken = {
        f"after {first}": f"store(after, ({first} + {{u}}) * stride_after + group, {{}})"
        for first in plan.after.offsets.values()
    }
    scratch = "" if plan.looks_around else "room"
    printer = Printer(text, given=given, taken=taken, shared=True, scratch=scratch)
    rows = text.block("for rows in (before, after):")
    with rows, text.block(f"if rows.ctypes.data % 64 or rows.shape[1] % {lanes}:"):
        text("return False")
    text(f"stride, stride_after = before.shape[1] // {lanes}, after.shape[1] // {lanes}")
    text(f"x = one_hot(splat(number(symbol)), {layout.inputs})")
    once, step = plan.statements()
    printer.print(once)
    with text.block(f"for group in range(-(-count // {lanes})):"):
        printer.print(step)
    text("return True")
    verb, activations = ("step_boxes", "bound_functions") if boxes else ("step", "lane_functions")
    return whole_program(
        layout, precision, verb, STEP_ARGUMENTS, _STEP, text, printer,
        registers=STEPPING_REGISTERS, activations=activations,
    )  # fmt: skip
