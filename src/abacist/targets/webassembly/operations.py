"""Each operation as code for four lanes, and which layouts therefore have no program."""

from __future__ import annotations

import abacist.targets.webassembly.assembler as wasm
import abacist.targets.webassembly.functions as functions
from abacist.cells import Layout
from abacist.compiler import plan_training
from abacist.targets.webassembly.assembler import Instruction

#: By name: a value by the code of a function and operands. A further operation is a further line.
OPERATIONS: dict[str, Instruction] = {
    "add": lambda c, a, b: wasm.add(a, b),
    "subtract": lambda c, a, b: wasm.sub(a, b),
    "multiply": lambda c, a, b: wasm.mul(a, b),
    "divide": lambda c, a, b: wasm.div(a, b),
    "sigmoid": functions.sigmoid,
    "tanh": functions.tanh,
    "sigmoid_times_tanh": functions.sigmoid_times_tanh,
    "relu": functions.relu,
    "exponential": functions.exponential,
    "logarithm": functions.logarithm,
    "softplus": functions.softplus,
    "minimum": lambda c, a, b: wasm.minimum(a, b),
    "maximum": lambda c, a, b: wasm.maximum(a, b),
    "root": lambda c, x: wasm.sqrt(x),
    "absolute": lambda c, x: wasm.absolute(x),
    "where_positive": functions.where_positive,
}

#: What programs do with whole vectors; parts and repeated units are only looked at.
_OF_VECTORS = {"linear", "transposed", "part", "spread", "total"}


def refusal(layout: Layout) -> str | None:
    """Why a layout has no program, None if it has one."""
    if layout.threshold is not None:
        return "the WebAssembly target decides every output by itself, and these are probabilities"
    unknown = plan_training(layout).operations - OPERATIONS.keys() - _OF_VECTORS
    if not unknown:
        return None
    return f"{layout.cell.name}: the WebAssembly target cannot compute {', '.join(sorted(unknown))}"
