"""Updates on a GPU: an optimiser's formula as a function of one weight, and the numbers that it takes."""

from __future__ import annotations

from functools import partial
from typing import Any

from numpy.typing import NDArray

from abacist.compiler import update_statements
from abacist.compiler.statements import Place
from abacist.errors import BadInput
from abacist.optimisers import Rule
from abacist.specs import Spec
from abacist.targets.cuda.emitter import OPERATIONS, CudaEmitter, Text

#: The arrays of an update as arguments of the function `updated`.
_ARRAYS = {"weights": "weight", "gradient": "g", "first": "own.first", "second": "own.second"}


class _UpdateEmitter(CudaEmitter):
    """Emits an update of one weight, with the device's fast quotients and roots."""

    operations = OPERATIONS | {"divide": "quotient({}, {})", "sqrt": "root({})"}

    def variable(self, place: Place, number: int) -> str:
        return _ARRAYS[place.array]


def _rule(optimiser: str) -> Rule:
    """One program serves runs with and without decay."""
    return Rule(optimiser, decays=True)


def update_text(optimiser: str) -> str:
    """The type of a weight's two moments, that of the numbers of an update, and the function `updated`."""
    rule, text = _rule(optimiser), Text()
    count = len(rule.names)
    text("struct alignas(2 * sizeof(number)) Moments { number first, second; };")
    text(f"struct alignas({count & -count} * sizeof(number)) Rule {{ number {', '.join(rule.names)}; }};")
    arguments = "number weight, number g, Moments &own, const Rule &rule"
    with text.block(f"__device__ __forceinline__ number updated({arguments}) {{"):
        emitter = _UpdateEmitter(text)
        emitter.given = {name: partial("rule.{}".format, name) for name in rule.names}
        emitter.emit(update_statements(rule, 1))
        text("return weight;")
    return str(text)


def numbers_of(spec: Spec, first: int, last: int) -> NDArray[Any]:
    """The numbers of the updates from `first`, counted from 1, to below `last`: (update, number)."""
    return _rule(spec.optimiser).numbers(spec, first, last).astype(spec.precision)


def check_rule(spec: Spec) -> None:
    """Refuse rules that clip gradients, since no thread has all of a run's."""
    for name in ("clip_norm", "clip_value"):
        if limit := getattr(spec, name):
            raise BadInput(f"the target cuda clips no gradients, got {name} {limit:g}; use the CPU")
