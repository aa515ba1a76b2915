"""The CUDA target as others see it. No driver is looked for until something is to run."""

from __future__ import annotations

from contextlib import AbstractContextManager
from threading import BoundedSemaphore, Lock

from abacist.algebra import Cost, in_order
from abacist.cells import Layout
from abacist.compiler import plan_recomputing
from abacist.on_demand import on_demand
from abacist.specs import Spec
from abacist.targets.cuda.emitter import OPERATIONS
from abacist.targets.cuda.parameters import parameters_of
from abacist.targets.cuda.training_program import MOST_OUTPUTS
from abacist.targets.cuda.updating import check_rule
from abacist.targets.target import Target

#: Units beyond which the weights of a network fit no registers.
MOST_UNITS = 64

#: Products that printed programs know, besides the operations on units.
_PRODUCTS = ("linear", "transposed")

#: Floating-point operations of an exponential: a product; the rest is one instruction of another unit.
_EXPONENTIAL = 2

#: Of two waves that have words, one has the device, and those of the other are drawn meanwhile.
_WAVES, _TURN = BoundedSemaphore(2), Lock()

_shapes = on_demand("abacist.targets.cuda.shapes")
_driver = on_demand("abacist.targets.cuda.driver")
_nvrtc = on_demand("abacist.targets.cuda.nvrtc")


class CudaTarget(Target):
    """Programs printed in CUDA C, compiled by NVRTC."""

    name = "cuda"

    def versions(self) -> dict[str, str]:
        device = _driver.device()
        compiler = {"nvrtc": _nvrtc.compiler_version(), "cuda driver": device.driver}
        return compiler | {"processor": device.name, "features": device.architecture}

    def refusal(self, layout: Layout) -> str | None:
        if layout.threshold is not None:
            return "the target cuda decides every output by itself, and these are probabilities; use the CPU"
        plan = plan_recomputing(layout)
        for symbol in in_order((*plan.graph.after, *plan.roots)):
            if symbol.arguments and symbol.operation not in (*OPERATIONS, *_PRODUCTS):
                return f"{layout.cell.name}: the target cuda cannot compute {symbol.operation!r}"
        if layout.outputs > MOST_OUTPUTS:
            return f"the target cuda has room for {MOST_OUTPUTS} outputs, got {layout.outputs}"
        if layout.hidden > MOST_UNITS:
            return f"the target cuda has room for {MOST_UNITS} units, got {layout.hidden}; use the CPU"
        if not parameters_of(layout, 1).fits:
            return f"{layout.cell.name}: the target cuda cannot divide parameters with several uses"
        return None

    def flops(self, cost: Cost, precision: str, *, boxes: bool = False) -> int:
        return int(cost.flops + cost.exponentials * _EXPONENTIAL)

    def block(self, spec: Spec) -> int:
        check_rule(spec)
        runs: int = _shapes.wave(spec)
        return runs

    def admit_block(self) -> AbstractContextManager[object]:
        return _WAVES

    def exclusive(self) -> AbstractContextManager[object]:
        return _TURN


TARGET = CudaTarget()
