"""How every printed program begins: title, imports, signature, meaning and constants."""

from __future__ import annotations

from collections.abc import Sequence

from abacist.cells import Layout
from abacist.targets.numba.printer import Printer
from abacist.targets.numba.widths import JUDGING_REGISTERS, STEPPING_REGISTERS
from abacist.targets.text import Text

#: What printed programs may call, by the module of this folder that has it.
_IMPORTS: dict[str, tuple[str, ...]] = {
    "bound_functions": ("falling", "twice_falling"),
    "lane_functions": (
        "absolute", "at_least", "at_most", "greatest_product", "least_product", "maximum", "minimum", "relu",
        "root", "sigmoid", "sigmoid_times_tanh", "tanh",
    ),
    "lane_memory": (
        "choose", "dot", "dot_shared", "load_bytes", "load_tile", "lookup", "one_hot", "outer", "spread",
        "store", "store_all", "store_tile", "zeros",
    ),
    "lanes": ("both", "differs", "either", "every", "fma", "fnma", "less", "select"),
}  # fmt: skip

#: What only those programs import that call it.
_FURTHER: dict[str, tuple[str, ...]] = {
    "exponentials": ("exponential", "logarithm", "softplus"),
    "lane_sums": ("long_dot", "total"),
}

#: What makes vectors: of one register, or of several side by side.
_MAKERS: dict[int, dict[str, tuple[str, ...]]] = {
    1: {"lane_memory": ("load", "load_all", "load_shared"), "lanes": ("splat",)},
    STEPPING_REGISTERS: {"stepping_vectors": ("load", "load_all", "load_shared", "splat")},
    JUDGING_REGISTERS: {"judging_vectors": ("load", "load_all", "load_shared", "splat")},
}


def whole_program(
    layout: Layout,
    precision: str,
    verb: str,
    arguments: Sequence[str],
    meaning: str,
    body: Text,
    printer: Printer,
    *,
    registers: int = 1,
) -> str:
    """The text of a program: its beginning, and a body that was printed with indentation."""
    title = (
        f'"""Printed by Abacist: {verb} {layout.cell.name}, {layout.inputs} inputs, {layout.hidden} hidden, '
        f'{layout.outputs} outputs, {precision}."""'
    )
    imports = [
        f"from abacist.targets.numba.{module} import {', '.join(names)}"
        for group in (_IMPORTS, _MAKERS[registers], _called(body))
        for module, names in group.items()
    ]
    lines = [
        title, "", "import math", "", "import numpy as np", "from numba import njit", "", *imports, "",
        f"number = np.{precision}", "", "",
        '@njit(nogil=True, error_model="numpy")',
        f"def {verb}({', '.join(arguments)}):",
        f'    """{meaning}"""',
        *(f"    {line}" for line in printer.constant_lines()),
        *body.lines,
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _called(body: Text) -> dict[str, tuple[str, ...]]:
    """The further functions that a body calls."""
    text = str(body)
    found = {
        module: tuple(name for name in names if f"{name}(" in text) for module, names in _FURTHER.items()
    }
    return {module: names for module, names in found.items() if names}
