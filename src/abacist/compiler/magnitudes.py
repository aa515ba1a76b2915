"""How large the numbers of a step can become, so that none of a program's overflows."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra import Symbol, in_order
from abacist.algebra.rounding import LARGEST
from abacist.cells import Layout
from abacist.compiler.stepping import plan_stepping

#: Where that is too large for a formula, smaller ones are tried.
_SIZES = (LARGEST, 1e9, 1e6, 1e3)

#: Bounds are a little larger than what they hold, and exponents of gates are three times as large.
_SPARE = 64


def largest_states(layout: Layout, weights: NDArray[Any]) -> float:
    """Up to which size of its states no program of a network overflows within a step; 0 if there is none.

    weights (parameter,): those of the network, in its precision. A cell with three products, one after the
    other, of what has no bound can overflow where one with a single product does not.
    """
    weight, most = float(np.abs(weights).max()), float(np.finfo(weights.dtype).max) / _SPARE
    sizes = _SIZES if weight < LARGEST else ()  # NaN is not
    return next((size for size in sizes if _largest_number(layout, weight, size) < most), 0.0)


def _largest_number(layout: Layout, weight: float, size: float) -> float:
    """What no number of a step exceeds, if no state before or after it exceeds a size."""
    plan = plan_stepping(layout)
    roots = tuple(plan.after.offsets)
    states = dict.fromkeys(plan.before.offsets, size)
    for _ in range(2):  # what comes out of a first step, such as a tanh, goes into the next
        numbers: dict[Symbol, float] = {}
        largest = 0.0
        for symbol in in_order(roots):
            number = states[symbol] if symbol in states else _largest(symbol, numbers, weight)
            numbers[symbol] = min(number, size) if symbol in roots else number
            largest = max(largest, number)
        states = {state: numbers[root] for state, root in zip(states, roots, strict=False)}
    return largest


def _largest(symbol: Symbol, numbers: Mapping[Symbol, float], weight: float) -> float:
    """What a symbol does not exceed, given that of its arguments."""
    arguments = [numbers[argument] for argument in symbol.arguments]
    match symbol.operation:
        case "constant":
            return abs(float(symbol.detail))
        case "parameter":
            return weight
        case "input" | "sigmoid" | "tanh":
            return 1.0
        case "linear":
            return float(symbol.detail.columns) * weight * arguments[0]
        case "add" | "subtract":
            return sum(arguments)
        case "multiply":
            return prod(arguments)
        case "relu" | "absolute" | "minimum" | "maximum" | "part" | "repeat":
            return max(arguments)
        case "segment_sum":
            return arguments[0] * symbol.arguments[0].size / symbol.size
        case "softplus" | "sqrt":
            return 1 + arguments[0]
        case "log":  # of the smallest number that there is, and of the largest
            return 1e3
        case "exp" | "divide":  # where one could be larger, its bounds are no numbers
            return LARGEST
    return inf  # such formulas have no boxes
