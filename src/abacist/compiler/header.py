"""The beginning of every printed program."""

from __future__ import annotations

from abacist.compiler.layout import Layout

_LANES = ("both", "differs", "either", "every", "fma", "fnma", "less", "select", "splat")
_FUNCTIONS = ("relu", "root", "sigmoid", "sigmoid_sigmoid", "sigmoid_tanh", "tanh", "tanh_tanh")
_MEMORY = (
    "choose",
    "dot",
    "dot_shared",
    "load",
    "load_all",
    "load_bytes",
    "load_shared",
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


def header(precision: str, verb: str, layout: Layout) -> str:
    """The title, the imports and the decorator."""
    cell = layout.cell
    return (
        f'"""Printed by Abacist: {verb} {cell.name}, {layout.inputs} inputs, {layout.hidden} hidden, '
        f'{layout.outputs} outputs, {precision}."""\n\n'
        "import math\n\n"
        "import numpy as np\n"
        "from numba import njit\n\n"
        f"from abacist.engine.lane_functions import {', '.join(_FUNCTIONS)}\n"
        f"from abacist.engine.lane_memory import {', '.join(_MEMORY)}\n"
        f"from abacist.engine.lanes import {', '.join(_LANES)}\n\n"
        f"number = np.{precision}\n\n\n"
        '@njit(cache=True, nogil=True, error_model="numpy")\n'
    )


def constants_text() -> list[str]:
    """The vectors that every program uses."""
    return ["zero = splat(number(0.0))", "ones = (splat(number(1.0)),)"]
