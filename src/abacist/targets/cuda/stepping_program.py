"""The program of single steps on a GPU: a thread is a state, or a box of states, all of one network.

The parameters are an argument of the program, where every instruction can read them without a register.
Bounds of boxes need functions that are off by no more than is promised, so here they are the accurate ones.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from abacist.cells import Layout
from abacist.compiler import plan_boxes, plan_stepping
from abacist.targets.cuda.emitter import CudaEmitter
from abacist.targets.cuda.functions import functions
from abacist.targets.text import Text

#: Numbers that an argument of a program has room for.
MOST_PARAMETERS = 900

#: Threads of a block.
BLOCK = 128


@lru_cache(maxsize=64)
def stepping_program(layout: Layout, precision: str, boxes: bool) -> str:
    """Print the program that takes states, or boxes of them, one symbol further.

    before, after (number, state): a row for every number, so many states apart.
    """
    plan = plan_boxes(layout, precision) if boxes else plan_stepping(layout)
    text, count = Text(0, "  ", "}"), len(plan.parameters(np.zeros(layout.size)))
    text(f"struct Parameters {{ number w[{count}]; }};")
    with text.block(
        f'extern "C" __global__ void __launch_bounds__({BLOCK}) step(const Parameters parameters, '
        "const number *__restrict__ before, number *__restrict__ after, int symbol, int states, int apart) {"
    ):
        text("const number *weights = parameters.w;")
        text(f"const int here = blockIdx.x * {BLOCK} + threadIdx.x;")
        text("if (here >= states) return;")
        emitter = CudaEmitter(text)

        def place(array: str, first: int) -> str:
            return f"{array}[size_t({first} + {emitter.u}) * apart + here]"

        def given(first: int) -> Callable[[], str]:
            return lambda: place("before", first)

        def taken(first: int) -> Callable[[str], None]:
            return lambda value: text(f"{place('after', first)} = {value};")

        emitter.given = {f"before {first}": given(first) for first in plan.before.offsets.values()}
        emitter.taken = {f"after {first}": taken(first) for first in plan.after.offsets.values()}
        for statements in plan.statements():
            emitter.emit(statements)
    return functions(precision, accurate=True) + str(text)
