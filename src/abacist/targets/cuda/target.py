"""The CUDA target as others see it. No driver is looked for until something is to run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from threading import BoundedSemaphore, Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import Cost, in_order
from abacist.cells import Layout
from abacist.compiler import plan_recomputing
from abacist.corpora import Words
from abacist.errors import BadInput
from abacist.on_demand import on_demand
from abacist.specs import Networks, Spec
from abacist.targets.cuda.emitter import OPERATIONS
from abacist.targets.cuda.network import parameters_of
from abacist.targets.cuda.training_program import MOST_OUTPUTS
from abacist.targets.target import Stepper, Training, TrainingState, target_named

Array = NDArray[Any]

#: Units beyond which the weights of a network fit no registers.
MOST_UNITS = 64

#: Products that printed programs know, besides the operations on units.
_PRODUCTS = ("linear", "transposed")

#: Floating-point operations of an exponential: a product; the rest is one instruction of another unit.
_EXPONENTIAL = 2

#: Of two waves that have words, one has the device, and those of the other are drawn meanwhile.
_WAVES, _TURN = BoundedSemaphore(2), Lock()

_launching = on_demand("abacist.targets.cuda.launching")
_shapes = on_demand("abacist.targets.cuda.shapes")
_judging = on_demand("abacist.targets.cuda.judging")
_peak = on_demand("abacist.targets.cuda.peak")
_driver = on_demand("abacist.targets.cuda.driver")
_nvrtc = on_demand("abacist.targets.cuda.nvrtc")


@dataclass(frozen=True)
class CudaTarget:
    """Programs printed in CUDA C, compiled by NVRTC."""

    name: str = "cuda"

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

    def peak_flops(self, precision: str) -> float:
        return float(_peak.peak_flops(precision))

    def block(self, spec: Spec) -> int:
        _check_rule(spec)
        runs: int = _shapes.wave(spec)
        return runs

    def admit_block(self) -> AbstractContextManager[object]:
        return _WAVES

    def exclusive(self) -> AbstractContextManager[object]:
        return _TURN

    def training(
        self, spec: Spec, state: TrainingState, words: Sequence[Words], slots: Sequence[NDArray[np.int64]]
    ) -> Training:
        _check_rule(spec)
        training: Training = _launching.CudaTraining(spec, state, words, slots)
        return training

    def judging(self, networks: Networks, words: Words) -> Callable[[int], Callable[[], NDArray[np.int64]]]:
        ready: Callable[[int], Callable[[], NDArray[np.int64]]] = _judging.judging(networks, words)
        return ready

    def accepted(
        self, networks: Networks, words: Sequence[Words], of: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        counts: NDArray[np.int64] = _judging.accepted(networks, words, of)
        return counts

    def tracing(self, networks: Networks, run: int, words: Sequence[Sequence[int]]) -> list[dict[str, Array]]:
        return target_named("llvm").tracing(networks, run, words)  # a word at a time is nothing for a device

    def stepping(self, networks: Networks, run: int, boxes: bool) -> Stepper:
        return target_named("llvm").stepping(networks, run, boxes)  # to copy states takes longer than to step

    def listing(self, spec: Spec, program: str) -> Iterator[str]:
        return target_named("llvm").listing(spec, program)  # the same statements, in the processor's code


def _check_rule(spec: Spec) -> None:
    """Refuse rules that clip gradients, since no thread has all of a run's."""
    for name in ("clip_norm", "clip_value"):
        if limit := getattr(spec, name):
            raise BadInput(f"the target cuda clips no gradients, got {name} {limit:g}; use the CPU")


TARGET = CudaTarget()
