"""Sigmoid and tanh of a program, bounded by what `ROUNDING` promises."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from abacist.algebra import ROUNDING, SIGMOID_TIMES_TANH, Operation, sigmoid
from abacist.analysis.certificates.floats import Array, Grid


@dataclass(frozen=True, eq=False)
class Argument:
    """What an activation is computed of: values between `lower` and `upper`."""

    operation: Operation
    lower: Array
    upper: Array

    def exact(self) -> tuple[Array, Array]:
        """The values of the exact function at the ends, as NumPy has them."""
        return self.operation(self.lower), self.operation(self.upper)


def activated(argument: Argument, grid: Grid) -> tuple[Array, Array]:
    """The bounds of a program's sigmoid or tanh."""
    promise, own, name = ROUNDING[grid.precision], ROUNDING["float64"], argument.operation.name
    low, high = argument.lower, argument.upper
    below, above = argument.exact()
    error = promise.activation[name] + own.activation[name]  # the ends are themselves computed in float64
    lower, upper = below - error, above + error
    if argument.operation is sigmoid:
        relative = (1 + promise.sigmoid_relative) * (1 + own.sigmoid_relative) - 1 + 1e-15
        small = sigmoid(np.maximum(high, -promise.sigmoid_clamp)) * (1 + relative)
        upper = np.where(high <= 0, np.minimum(upper, small), upper)
        near = (low <= 0) & (low >= -promise.sigmoid_clamp)
        lower = np.where(near, np.maximum(lower, below * (1 - relative)), lower)
        lower = np.where(low >= promise.sigmoid_one, 1, lower)
        return grid.below(np.clip(lower, 0, 1)), grid.above(np.clip(upper, 0, 1))
    lower = np.where(low >= 0, np.maximum(lower, 0), lower)
    upper = np.where(high <= 0, np.minimum(upper, 0), upper)
    lower = np.where(low >= promise.tanh_one, 1, lower)
    upper = np.where(high <= -promise.tanh_one, -1, upper)
    return grid.below(np.clip(lower, -1, 1)), grid.above(np.clip(upper, -1, 1))


def one_division(a: Argument | None, b: Argument | None, precision: str) -> tuple[Array, Array] | None:
    """The bounds of sigmoid·tanh computed with one division; None where the factors are not these."""
    if a is None or b is None or (a.operation is sigmoid) == (b.operation is sigmoid):
        return None
    gate, candidate = (a, b) if a.operation is sigmoid else (b, a)
    promise, own = ROUNDING[precision], ROUNDING["float64"]
    error = promise.activation[SIGMOID_TIMES_TANH] + 2 * own.activation[SIGMOID_TIMES_TANH]
    (low, high), (least, greatest) = gate.exact(), candidate.exact()
    lower = np.where(least < 0, high * least, low * least) - error
    upper = np.where(greatest > 0, high * greatest, low * greatest) + error
    most = activated(gate, Grid(precision))[1] * (1 + 4 * promise.unit)
    most = np.minimum(np.where(gate.upper < 0, most, 1), 1)
    lower, upper = np.maximum(lower, -most), np.minimum(upper, most)
    lower = np.where(candidate.lower >= 0, np.maximum(lower, 0), lower)
    upper = np.where(candidate.upper <= 0, np.minimum(upper, 0), upper)
    open_ = gate.lower >= promise.sigmoid_one
    lower = np.where(open_ & (candidate.lower >= promise.tanh_one), 1, lower)
    upper = np.where(open_ & (candidate.upper <= -promise.tanh_one), -1, upper)
    return lower, upper
