"""Steps of states, and of boxes of them, on the device: a thread each, all of one network.

The parameters are an argument of the program, where every instruction can read them without a register.
Bounds of boxes need functions that are off by no more than is promised, so here they are the accurate ones.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import Structure, c_double, c_float, c_int
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.cells import Layout
from abacist.compiler import SteppingPlan, plan_boxes, plan_stepping
from abacist.compiler.statements import Place
from abacist.errors import BadInput
from abacist.specs import Networks
from abacist.targets.cuda.driver import Buffer, device, kernel
from abacist.targets.cuda.emitter import CudaEmitter, Text, functions

Array = NDArray[Any]

#: Numbers that an argument of a program has room for.
MOST_PARAMETERS = 900

#: Threads of a block.
BLOCK = 128


class _StepEmitter(CudaEmitter):
    """Parameters are read where they are used."""

    def parameter(self, place: Place, column: int = 0) -> str:
        return f"{place.array}[{place.offset + place.per_unit * self.round + column}]"

    def lookup(self, place: Place) -> str:
        return f"{place.array}[{place.offset + place.per_unit * self.round} + symbol]"


def _plan(layout: Layout, precision: str, boxes: bool) -> SteppingPlan:
    return plan_boxes(layout, precision) if boxes else plan_stepping(layout)


@lru_cache(maxsize=64)
def stepping_program(layout: Layout, precision: str, boxes: bool) -> str:
    """Print the program that takes states, or boxes of them, one symbol further.

    before, after (number, state): a row for every number, so many states apart.
    """
    plan, text = _plan(layout, precision, boxes), Text()
    text(f"struct Parameters {{ number w[{len(plan.parameters(np.zeros(layout.size)))}]; }};")
    with text.block(
        f'extern "C" __global__ void __launch_bounds__({BLOCK}) step(const Parameters parameters, '
        "const number *__restrict__ before, number *__restrict__ after, int symbol, int states, int apart) {"
    ):
        text("const number *weights = parameters.w;")
        text(f"const int here = blockIdx.x * {BLOCK} + threadIdx.x;")
        text("if (here >= states) return;")
        emitter = _StepEmitter(text)

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


class CudaStepper:
    """Takes many states of one network, or boxes of them, one symbol further; see `Stepper`.

    `step` leaves them on the device; a call copies them there and back, which takes longer than the step.
    """

    def __init__(self, networks: Networks, run: int, boxes: bool) -> None:
        device()
        layout, self._precision = networks.layout, str(networks.parameters.dtype)
        plan = _plan(layout, self._precision, boxes)
        self.width, self.results = plan.before.width, plan.after.width
        row = plan.parameters(networks.parameters[run])
        if len(row) > MOST_PARAMETERS:
            raise BadInput(
                f"CUDA: steps are for networks of at most {MOST_PARAMETERS} numbers, got {len(row):,}"
            )
        number = c_float if self._precision == "float32" else c_double
        kind = type("Parameters", (Structure,), {"_fields_": [("w", number * len(row))]})
        self._parameters = kind((number * len(row))(*row.tolist()))
        self._kernel = kernel(stepping_program(layout, self._precision, boxes), "step")

    def rows(self, count: int, numbers: int) -> Array:
        return np.zeros((numbers, max(count, 1)), self._precision)

    def step(self, symbol: int, before: Buffer, after: Buffer, count: int, apart: int) -> None:
        """The first `count` states of rows so far apart, from one buffer to another."""
        arguments = (self._parameters, before, after, c_int(symbol), c_int(count), c_int(apart))
        self._kernel(-(-count // BLOCK), BLOCK, arguments)

    def __call__(self, symbol: int, before: Array, after: Array, count: int) -> None:
        device()
        if before.shape[1] != after.shape[1] or not after.flags.c_contiguous:
            raise BadInput("Stepper: states must lie in arrays made by its rows()")
        there, back = Buffer.of(before), Buffer(after.nbytes)
        self.step(symbol, there, back, count, before.shape[1])
        after[:] = back.read(after.shape, self._precision)
