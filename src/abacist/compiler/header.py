"""The beginning of every printed program."""

from __future__ import annotations

from abacist.cells.layout import Layout

_LANES = ("both", "differs", "either", "every", "fma", "fnma", "less", "select")
_FUNCTIONS = ("relu", "root", "sigmoid", "sigmoid_times_tanh", "tanh")
_MEMORY = (
    "choose",
    "dot",
    "dot_shared",
    "load_bytes",
    "load_tile",
    "lookup",
    "one_hot",
    "outer",
    "spread",
    "store",
    "store_all",
    "store_tile",
    "zeros",
)

#: What makes vectors: of one register, or of several abreast.
_MAKERS = {
    False: (
        "from abacist.targets.numba.lane_memory import load, load_all, load_shared\n"
        "from abacist.targets.numba.lanes import splat\n"
    ),
    True: "from abacist.targets.numba.abreast import load, load_all, load_shared, splat\n",
}


def header(precision: str, verb: str, layout: Layout, *, abreast: bool = False) -> str:
    """The title, the imports and the decorator."""
    cell = layout.cell
    return (
        f'"""Printed by Abacist: {verb} {cell.name}, {layout.inputs} inputs, {layout.hidden} hidden, '
        f'{layout.outputs} outputs, {precision}."""\n\n'
        "import math\n\n"
        "import numpy as np\n"
        "from numba import njit\n\n"
        f"from abacist.targets.numba.lane_functions import {', '.join(_FUNCTIONS)}\n"
        f"from abacist.targets.numba.lane_memory import {', '.join(_MEMORY)}\n"
        f"from abacist.targets.numba.lanes import {', '.join(_LANES)}\n"
        f"{_MAKERS[abreast]}\n"
        f"number = np.{precision}\n\n\n"
        '@njit(cache=True, nogil=True, error_model="numpy")\n'
    )


def constants_text() -> list[str]:
    """The vectors that every program uses."""
    return ["zero = splat(number(0.0))", "ones = (splat(number(1.0)),)"]
