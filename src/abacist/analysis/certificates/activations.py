"""Sigmoid and tanh of a program, bounded by what `ROUNDING` promises."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from abacist.algebra import ROUNDING, SIGMOID_TIMES_TANH, Operation, sigmoid
from abacist.analysis.certificates.floats import Bounds, Grid


@dataclass(frozen=True, eq=False)
class Argument:
    """What an activation is computed of: values within bounds."""

    operation: Operation
    bounds: Bounds

    def exact(self) -> Bounds:
        """The values of the exact function at the ends, as NumPy has them."""
        return self.bounds.each(self.operation)


def activated(argument: Argument, grid: Grid) -> Bounds:
    """The bounds of a program's sigmoid or tanh."""
    promise, ours, name = ROUNDING[grid.precision], ROUNDING["float64"], argument.operation.name
    (low, high), exact = argument.bounds, argument.exact()
    error = promise.activation[name] + ours.activation[name]  # the ends are themselves computed in float64
    lower, upper = exact.lower - error, exact.upper + error
    if argument.operation is sigmoid:
        least, relative = 0, (1 + promise.sigmoid_relative) * (1 + ours.sigmoid_relative) - 1 + 1e-15
        small = sigmoid(np.maximum(high, -promise.sigmoid_clamp)) * (1 + relative)
        upper = np.where(high <= 0, np.minimum(upper, small), upper)
        near = (low <= 0) & (low >= -promise.sigmoid_clamp)
        lower = np.where(near, np.maximum(lower, exact.lower * (1 - relative)), lower)
        lower = np.where(low >= promise.sigmoid_one, 1, lower)
    else:
        least = -1
        lower = np.where(low >= 0, np.maximum(lower, 0), lower)
        upper = np.where(high <= 0, np.minimum(upper, 0), upper)
        lower = np.where(low >= promise.tanh_one, 1, lower)
        upper = np.where(high <= -promise.tanh_one, -1, upper)
    return grid.outside(Bounds(np.clip(lower, least, 1), np.clip(upper, least, 1)))


def one_division(a: Argument | None, b: Argument | None, grid: Grid) -> Bounds | None:
    """The bounds of sigmoid·tanh computed with one division; None where the factors are not these."""
    if a is None or b is None or (a.operation is sigmoid) == (b.operation is sigmoid):
        return None
    gate, candidate = (a, b) if a.operation is sigmoid else (b, a)
    promise, ours = ROUNDING[grid.precision], ROUNDING["float64"]
    error = promise.activation[SIGMOID_TIMES_TANH] + 2 * ours.activation[SIGMOID_TIMES_TANH]
    (low, high), (least, greatest) = gate.exact(), candidate.exact()
    lower = np.where(least < 0, high * least, low * least) - error
    upper = np.where(greatest > 0, high * greatest, low * greatest) + error
    most = activated(gate, grid).upper * (1 + 4 * promise.unit)
    most = np.minimum(np.where(gate.bounds.upper < 0, most, 1), 1)
    lower, upper = np.maximum(lower, -most), np.minimum(upper, most)
    lower = np.where(candidate.bounds.lower >= 0, np.maximum(lower, 0), lower)
    upper = np.where(candidate.bounds.upper <= 0, np.minimum(upper, 0), upper)
    open_ = gate.bounds.lower >= promise.sigmoid_one
    lower = np.where(open_ & (candidate.bounds.lower >= promise.tanh_one), 1, lower)
    upper = np.where(open_ & (candidate.bounds.upper <= -promise.tanh_one), -1, upper)
    return grid.outside(Bounds(lower, upper))
