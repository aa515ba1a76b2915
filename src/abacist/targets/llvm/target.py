"""The LLVM target: programs for this processor. LLVM is imported when a program is first needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import Cost
from abacist.cells import Layout
from abacist.compiler import plan_training
from abacist.corpora import Words
from abacist.on_demand import on_demand
from abacist.specs import Networks, Spec
from abacist.targets.functions import DEGREE
from abacist.targets.llvm.widths import LANES
from abacist.targets.target import Stepper, Training, TrainingState

Array = NDArray[Any]

#: What programs know of whole vectors, besides the operations on units.
_PRODUCTS = ("linear", "transposed", "part", "spread", "total")

_launching = on_demand("abacist.targets.llvm.launching")
_bounds = on_demand("abacist.targets.llvm.bounds")
_listing = on_demand("abacist.targets.llvm.listing")
_peak = on_demand("abacist.targets.llvm.peak")
_machine = on_demand("abacist.targets.llvm.machine")


@dataclass(frozen=True)
class LlvmTarget:
    """Programs compiled by LLVM, several runs or words in the lanes of a register."""

    name: str = "llvm"

    def versions(self) -> dict[str, str]:
        name, features = _machine.processor()
        used = sorted(feature[1:] for feature in features.split(",") if feature.startswith("+"))
        compilers = {package: version(package) for package in ("numba", "llvmlite")}
        return compilers | {"processor": name, "features": " ".join(used)}

    def refusal(self, layout: Layout) -> str | None:
        for operation in sorted(plan_training(layout).operations):
            if operation not in (*_bounds.OPERATIONS, *_PRODUCTS):
                return f"{layout.cell.name}: the target llvm cannot compute {operation!r}"
        return None

    def flops(self, cost: Cost, precision: str, *, boxes: bool = False) -> int:
        """Floating-point operations: an exponential takes two multiply-adds and a subtraction to split
        the exponent (of a bound, perhaps less), and a polynomial."""
        split = _bounds.split_flops(_machine.processor()[1]) if boxes else 5
        return int(cost.flops + cost.exponentials * (split + 2 * DEGREE[precision]))

    def peak_flops(self, precision: str) -> float:
        return float(_peak.peak_flops(precision))

    def block(self, spec: Spec) -> int:
        return LANES[spec.precision]

    def admit_block(self) -> AbstractContextManager[object]:
        return nullcontext()  # a block is a few runs

    def exclusive(self) -> AbstractContextManager[object]:
        return nullcontext()  # a block is a thread

    def training(
        self, spec: Spec, state: TrainingState, words: Sequence[Words], slots: Sequence[NDArray[np.int64]]
    ) -> Training:
        training: Training = _launching.LaneTraining(spec, state, words, slots)
        return training

    def judging(self, networks: Networks, words: Words) -> Callable[[int], Callable[[], NDArray[np.int64]]]:
        ready: Callable[[int], Callable[[], NDArray[np.int64]]] = _launching.judging(networks, words)
        return ready

    def accepted(
        self, networks: Networks, words: Sequence[Words], of: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        counts = np.zeros(len(networks), np.int64)
        for number, own in enumerate(words):
            ready = self.judging(networks, own)
            for run in np.flatnonzero(of == number).tolist():
                counts[run] = (ready(run)() < 0).sum()
        return counts

    def tracing(self, networks: Networks, run: int, words: Sequence[Sequence[int]]) -> list[dict[str, Array]]:
        values: list[dict[str, Array]] = _launching.tracing(networks, run, words)
        return values

    def stepping(self, networks: Networks, run: int, boxes: bool) -> Stepper:
        stepper: Stepper = _launching.LaneStepper(networks, run, boxes)
        return stepper

    def listing(self, spec: Spec, program: str) -> Iterator[str]:
        lines: Iterator[str] = _listing.listing(spec, program)
        return lines


TARGET = LlvmTarget()
