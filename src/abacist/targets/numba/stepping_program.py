"""The program of single steps: a lane is a state, or a box of states, all of one network."""

from __future__ import annotations

from abacist.cells import Layout
from abacist.compiler import plan_boxes, plan_stepping
from abacist.targets.numba.header import whole_program
from abacist.targets.numba.printer import Printer
from abacist.targets.numba.text import Text

#: What the program is called with, by name.
STEP_ARGUMENTS = (
    "symbol",
    "before",
    "stride",
    "after",
    "stride_after",
    "groups",
    "weights",
    "room",
    "results",
)

_STEP = """Take groups of states one symbol further.

    before, after (number, group, lane): a row for every number, so many groups long; weights
    (parameter,); room, results: for one group.
    """


def stepping_program(layout: Layout, precision: str, boxes: bool) -> str:
    """Print the program that takes states, or boxes of them, one symbol further."""
    plan, text = plan_boxes(layout, precision) if boxes else plan_stepping(layout), Text(1)
    printer = Printer(text, shared=True)
    text(f"x = one_hot(splat(number(symbol)), {layout.inputs})")
    with text.block("for group in range(groups):"):
        with text.block(f"for n in range({plan.width}):"):
            text("store(room, 0 + n, load(before, n * stride + group))")
        printer.print(plan.statements())
        with text.block(f"for n in range({plan.results.width}):"):
            text("store(after, n * stride_after + group, load(results, 0 + n))")
    verb = "step_boxes" if boxes else "step"
    return whole_program(layout, precision, verb, STEP_ARGUMENTS, _STEP, text, printer)
