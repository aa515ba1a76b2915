"""Saturation: a network whose gates decide more sharply.

With the inputs of all gates multiplied by N, σ and tanh come closer to steps, and the network to the
saturated ones of the theory (Merrill, 2019), which are what remains as N grows without end.
"""

from __future__ import annotations

from math import isfinite, prod

import numpy as np

from abacist.errors import BadInput
from abacist.fields import checked
from abacist.specs import Networks


@checked
def saturated(networks: Networks, factor: float) -> Networks:
    """The networks with the weights and biases of all gates multiplied by a factor.

    The output layer stays as it is. Powers of two change no digit, so that with them every gate's
    input is multiplied exactly.
    """
    layout = networks.layout
    cell, precision = layout.cell, networks.parameters.dtype
    if not cell.gated:
        raise BadInput(f"saturated: only cells with gates can be saturated, got {cell.name}")
    if not (isfinite(factor) and factor > 0):
        raise BadInput(f"saturated: the factor must be positive and finite, got {factor}")
    shapes = cell.parameters.shapes(layout.inputs, layout.hidden)
    own = sum(prod(shape) for shape in shapes.values())  # the cell's tensors come first, see Layout.shapes
    parameters = networks.parameters.astype(np.float64)
    with np.errstate(over="ignore"):
        parameters[:, :own] *= factor
        result = parameters.astype(precision)
    broken = np.flatnonzero(~np.isfinite(result).all(axis=1)).tolist()
    if broken:
        raise BadInput(
            f"saturated: weights must stay finite in {precision}, but times {factor:g} those of "
            f"network {broken[0]} do not"
        )
    return Networks(layout, result)
