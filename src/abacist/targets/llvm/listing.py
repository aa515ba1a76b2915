"""The programs of a network as text, for people: the statements of a step, and the LLVM IR."""

from __future__ import annotations

from collections.abc import Iterator

from abacist.compiler.statement_text import statement_lines
from abacist.errors import BadInput
from abacist.specs import Spec
from abacist.targets.llvm.forward import judging_program, tracing_program
from abacist.targets.llvm.stepping import stepping_program
from abacist.targets.llvm.training import training_program


def listing(spec: Spec, program: str) -> Iterator[str]:
    """The lines of a program: its statements as comments, then its IR."""
    own = spec.layout, spec.precision
    programs = {
        "train": lambda: training_program(*own, spec.rule, spec.objective),
        "judge": lambda: judging_program(*own),
        "trace": lambda: tracing_program(*own),
        "step": lambda: stepping_program(*own, False),
        "boxes": lambda: stepping_program(*own, True),
    }
    if program not in programs:
        raise BadInput(f"a program is one of {', '.join(programs)}, got {program!r}")
    source = programs[program]()
    for title, statements in source.statements.items():
        yield f"; {title}"
        yield from (f";   {line}" for line in statement_lines(statements))
        yield ";"
    yield from source.ir.splitlines()
