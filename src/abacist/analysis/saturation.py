"""Saturation: a network whose gates decide more sharply.

With the inputs of all gates multiplied by N, σ and tanh come closer to steps, and the network to the
saturated ones of the theory (Merrill, 2019), which are what remains as N grows without end.
"""

from __future__ import annotations

from math import isfinite

import numpy as np

from abacist.cells.sharpening import without_gates
from abacist.errors import BadInput
from abacist.fields import checked
from abacist.specs import Networks


@checked
def saturated(networks: Networks, factor: float) -> Networks:
    """The networks with the weights and biases of all gates multiplied by a factor.

    What else there is, the output layer among it, stays as it is (`cells/sharpening.py`). Powers of two
    change no digit, so that with them every gate's input is multiplied exactly.
    """
    layout, precision = networks.layout, networks.parameters.dtype
    if not layout.gate_spans:
        raise BadInput(f"saturated: {without_gates(layout.cell.name)}")
    if not (isfinite(factor) and factor > 0):
        raise BadInput(f"saturated: the factor must be positive and finite, got {factor}")
    parameters = networks.parameters.astype(np.float64)
    with np.errstate(over="ignore"):
        for begin, end in layout.gate_spans:
            parameters[:, begin:end] *= factor
        result = parameters.astype(precision)
    broken = np.flatnonzero(~np.isfinite(result).all(axis=1)).tolist()
    if broken:
        raise BadInput(
            f"saturated: weights must stay finite in {precision}, but times {factor:g} those of "
            f"network {broken[0]} do not"
        )
    return Networks(layout, result)
