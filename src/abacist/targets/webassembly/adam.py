"""Adam, as PyTorch computes it, for four runs at once."""

from __future__ import annotations

from abacist.cells import Layout
from abacist.targets.webassembly.assembler import F32, I32, Code
from abacist.targets.webassembly.memory import VECTOR

#: What is the same for all weights: −rate / (1 − β₁ⁿ) and 1 / √(1 − β₂ⁿ) at update n, β, 1 − β, and ε.
_NUMBERS = ("step", "correction", "beta1", "beta2", "rest1", "rest2", "epsilon")


def adam(layout: Layout) -> Code:
    """An update of all weights; the gradient is zero afterwards."""
    arrays = ("weights", "first", "second", "gradient")
    code = Code(dict.fromkeys(arrays, I32) | dict.fromkeys(_NUMBERS, F32))
    for name in _NUMBERS:
        code.get(name)
        code("f32x4.splat")
        code.set(f"{name} everywhere")
    code.get("weights")
    code.set("end", I32)
    code.move("end", VECTOR * layout.size)
    with code.until_equal("weights", "end"):
        code.load("gradient")
        code.set("g")
        _print_moment(code, "first", "beta1", "rest1", 1)
        _print_moment(code, "second", "beta2", "rest2", 2)
        code.get("weights")
        code.load("weights")
        code.get("step everywhere", "first moment")
        code("f32x4.mul")
        code.get("second moment")
        code("f32x4.sqrt")
        code.get("correction everywhere")
        code("f32x4.mul")
        code.get("epsilon everywhere")
        code("f32x4.add", "f32x4.div", "f32x4.add")
        code.store()
        code.get("gradient")
        code.number(0.0)
        code.store()
        for name in arrays:
            code.move(name, VECTOR)
    return code


def _print_moment(code: Code, array: str, beta: str, rest: str, power: int) -> None:
    """A moment: β times what it was, and 1 − β times a power of the gradient."""
    code.get(array)
    code.load(array)
    code.get(f"{beta} everywhere")
    code("f32x4.mul")
    code.get(f"{rest} everywhere")
    for _ in range(power):
        code.get("g")
        code("f32x4.mul")
    code("f32x4.add")
    code.set(f"{array} moment")
    code.get(f"{array} moment")
    code.store()
