"""The LLVM target: programs for this processor. LLVM is imported when a program is first needed."""

from __future__ import annotations

from importlib.metadata import version

from abacist.algebra import Cost
from abacist.cells import Layout
from abacist.compiler import plan_training
from abacist.on_demand import on_demand
from abacist.specs import Spec
from abacist.targets.functions import DEGREE
from abacist.targets.llvm import LANES
from abacist.targets.target import Target

_bounds = on_demand("abacist.targets.llvm.bounds")
_machine = on_demand("abacist.targets.llvm.machine")


class LlvmTarget(Target):
    """Programs compiled by LLVM, several runs or words in the lanes of a register."""

    name = "llvm"

    def versions(self) -> dict[str, str]:
        name, features = _machine.processor()
        used = sorted(feature[1:] for feature in features.split(",") if feature.startswith("+"))
        compilers = {package: version(package) for package in ("numba", "llvmlite")}
        return compilers | {"processor": name, "features": " ".join(used)}

    def refusal(self, layout: Layout) -> str | None:
        unknown = sorted(plan_training(layout).operations - _bounds.OPERATIONS.keys())
        return f"{layout.cell.name}: the target llvm cannot compute {unknown[0]!r}" if unknown else None

    def flops(self, cost: Cost, precision: str, *, boxes: bool = False) -> int:
        """Floating-point operations: an exponential takes two multiply-adds and a subtraction to split
        the exponent (of a bound, perhaps less), and a polynomial."""
        split = _bounds.split_flops(_machine.processor()[1]) if boxes else 5
        return int(cost.flops + cost.exponentials * (split + 2 * DEGREE[precision]))

    def block(self, spec: Spec) -> int:
        return LANES[spec.precision]


TARGET = LlvmTarget()
