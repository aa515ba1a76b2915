"""Steps of states, and of boxes of them, on the device: a thread each."""

from __future__ import annotations

from ctypes import Structure, c_double, c_float, c_int
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.compiler import plan_boxes, plan_stepping
from abacist.errors import BadInput
from abacist.specs import Networks
from abacist.targets.cuda.driver import Buffer, device, kernel
from abacist.targets.cuda.stepping_program import BLOCK, MOST_PARAMETERS, stepping_program

Array = NDArray[Any]


class CudaStepper:
    """Takes many states of one network, or boxes of them, one symbol further; see `Stepper`.

    `step` leaves them on the device; a call copies them there and back, which takes longer than the step.
    """

    def __init__(self, networks: Networks, run: int, boxes: bool) -> None:
        device()
        layout, self._precision = networks.layout, str(networks.parameters.dtype)
        plan = plan_boxes(layout, self._precision) if boxes else plan_stepping(layout)
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
        given = (self._parameters, before, after, c_int(symbol), c_int(count), c_int(apart))
        self._kernel(-(-count // BLOCK), BLOCK, given)

    def __call__(self, symbol: int, before: Array, after: Array, count: int) -> None:
        device()
        if before.shape[1] != after.shape[1] or not after.flags.c_contiguous:
            raise BadInput("Stepper: states must lie in room made by its rows()")
        there, back = Buffer.of(before), Buffer(after.nbytes)
        self.step(symbol, there, back, count, before.shape[1])
        after[:] = back.read(after.shape, self._precision)
