"""The operations that programs know, and which layouts therefore have none."""

from __future__ import annotations

from collections.abc import Callable

from abacist.cells import Layout
from abacist.compiler import plan_training
from abacist.targets.webassembly.activations import sigmoid, tanh
from abacist.targets.webassembly.assembler import Code
from abacist.targets.webassembly.exponentials import exponential, logarithm, softplus


def _relu(code: Code) -> None:
    code.number(0.0)
    code("f32x4.pmax")  # the first one if it is NaN


def _where_positive(code: Code) -> None:
    code.set("chosen")
    code.number(0.0)
    code("f32x4.gt")
    code.get("chosen")
    code("v128.and")


#: What each operation on units does with its operands on the stack. A further operation is a further line.
FUNCTIONS: dict[str, Callable[[Code], None]] = {
    "add": lambda code: code("f32x4.add"),
    "subtract": lambda code: code("f32x4.sub"),
    "multiply": lambda code: code("f32x4.mul"),
    "divide": lambda code: code("f32x4.div"),
    "sigmoid": sigmoid,
    "tanh": tanh,
    "relu": _relu,
    "exponential": exponential,
    "logarithm": logarithm,
    "softplus": softplus,
    "minimum": lambda code: code("f32x4.min"),
    "maximum": lambda code: code("f32x4.max"),
    "root": lambda code: code("f32x4.sqrt"),
    "absolute": lambda code: code("f32x4.abs"),
    "where_positive": _where_positive,
}

#: What programs do with whole vectors; parts and repeated units are only looked at.
_OF_VECTORS = {"linear", "transposed", "part", "spread", "total"}


def refusal(layout: Layout) -> str | None:
    """Why a layout has no program, None if it has one."""
    if layout.threshold is not None:
        return "the WebAssembly target decides every output by itself, and these are probabilities"
    unknown = plan_training(layout).operations - FUNCTIONS.keys() - _OF_VECTORS
    if not unknown:
        return None
    return f"{layout.cell.name}: the WebAssembly target cannot compute {', '.join(sorted(unknown))}"
