"""The program of single steps: a lane is a state, or a box of states, all of one network."""

from __future__ import annotations

from collections.abc import Sequence

from abacist.cells import Layout
from abacist.compiler import SteppingPlan, plan_boxes, plan_stepping
from abacist.compiler.statements import UnitLoop
from abacist.targets.numba.header import whole_program
from abacist.targets.numba.printer import Piece, Printer, pieces
from abacist.targets.numba.widths import LANES, STEPPING_REGISTERS
from abacist.targets.text import Text

#: What the program is called with, by name.
STEP_ARGUMENTS = ("symbol", "before", "after", "count", "weights", "room")

_STEP = """Take so many states one symbol further, and say whether they lie where vectors are read at all.

    before, after (number, state): a row for every number; weights (parameter,); room: for as many states
    as a vector has lanes.
    """


def stepping_program(layout: Layout, precision: str, boxes: bool) -> str:
    """Print the program that takes states, or boxes of them, one symbol further.

    A box of a single unit keeps the processor waiting for one operation after the other: two groups of
    them take turns.
    """
    plan, text = plan_boxes(layout, precision) if boxes else plan_stepping(layout), Text(1)
    lanes = STEPPING_REGISTERS * LANES[precision]
    printer = Printer(text, shared=True, scratch="" if plan.looks_around else "room")
    rows = text.block("for rows in (before, after):")
    with rows, text.block(f"if rows.ctypes.data % 64 or rows.shape[1] % {lanes}:"):
        text("return False")
    text(f"stride, stride_after = before.shape[1] // {lanes}, after.shape[1] // {lanes}")
    text(f"x = one_hot(splat(number(symbol)), {layout.inputs})")
    once, step = plan.statements()
    printer.print(once)
    parts = list(pieces(step))
    short = max(layout.state_sizes) == 1 and not any(isinstance(part.statement, UnitLoop) for part in parts)
    text(f"groups = -(-count // {lanes})")
    if boxes and short and not plan.looks_around:  # else groups would share their room in memory
        with text.block("for group in range(0, groups, 2):"):
            text("other = min(group + 1, groups - 1)")
            _by_turns([_beside(printer, plan, own) for own in ("group", "other")], parts)
    else:
        with text.block("for group in range(groups):"):
            _by_turns([_beside(printer, plan, "group")], parts)
    text("return True")
    verb = "step_boxes" if boxes else "step"
    return whole_program(
        layout, precision, verb, STEP_ARGUMENTS, _STEP, text, printer, registers=STEPPING_REGISTERS
    )


def _beside(printer: Printer, plan: SteppingPlan, group: str) -> Printer:
    """What prints the step of a group of states, each group with names of its own."""
    given = {
        f"before {first}": f"load(before, ({first} + {{u}}) * stride + {group})"
        for first in plan.before.offsets.values()
    }
    taken = {
        f"after {first}": f"store(after, ({first} + {{u}}) * stride_after + {group}, {{}})"
        for first in plan.after.offsets.values()
    }
    return printer.beside("" if group == "group" else f"_{group}", given, taken)


def _by_turns(printers: Sequence[Printer], parts: Sequence[Piece]) -> None:
    """Print a step for several groups.

    Up to its first activations, a group has enough to do by itself; behind them the groups take turns.
    """
    first = next((number for number, part in enumerate(parts) if part.level > 0), len(parts))
    for printer in printers:
        for part in parts[:first]:
            printer.put(part)
    for part in parts[first:]:
        for printer in printers:
            printer.put(part)
