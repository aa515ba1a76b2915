"""The programs of a network as text, for people: the statements of a step, and the LLVM IR."""

from __future__ import annotations

from collections.abc import Iterator

from abacist.compiler import (
    backward_statements,
    forward_statements,
    only_forward_statements,
    plan_boxes,
    plan_judging,
    plan_stepping,
    plan_tracing,
    plan_training,
    update_statements,
)
from abacist.compiler.statement_text import statement_lines
from abacist.errors import BadInput
from abacist.specs import Spec
from abacist.targets.llvm.forward import judging_program, tracing_program
from abacist.targets.llvm.program import Source
from abacist.targets.llvm.stepping import stepping_program
from abacist.targets.llvm.training import training_program

#: The programs of a network.
PROGRAMS = ("train", "judge", "trace", "step", "boxes")


def listing(spec: Spec, program: str) -> Iterator[str]:
    """The lines of a program: its statements as comments, then its IR."""
    if program not in PROGRAMS:
        raise BadInput(f"a program is one of {', '.join(PROGRAMS)}, got {program!r}")
    for title, lines in _statements(spec, program):
        yield f"; {title}"
        yield from (f";   {line}" for line in lines)
        yield ";"
    yield from _source(spec, program).ir.splitlines()


def _statements(spec: Spec, program: str) -> Iterator[tuple[str, Iterator[str]]]:
    layout = spec.layout
    match program:
        case "train":
            plan = plan_training(layout, spec.objective)
            yield "A step forwards", statement_lines(forward_statements(plan))
            yield "A step back", statement_lines(backward_statements(plan))
            yield "An update", statement_lines(update_statements(spec.rule, layout.size))
        case "judge":
            yield "A step", statement_lines(only_forward_statements(plan_judging(layout), "room"))
        case "trace":
            yield "A step", statement_lines(only_forward_statements(plan_tracing(layout), "history"))
        case _:
            steps = plan_boxes(layout, spec.precision) if program == "boxes" else plan_stepping(layout)
            once, step = steps.statements()
            yield "Once", statement_lines(once)
            yield "A step", statement_lines(step)


def _source(spec: Spec, program: str) -> Source:
    layout, precision = spec.layout, spec.precision
    match program:
        case "train":
            return training_program(layout, precision, spec.rule, spec.objective)
        case "judge":
            return judging_program(layout, precision)
        case "trace":
            return tracing_program(layout, precision)
    return stepping_program(layout, precision, program == "boxes")
