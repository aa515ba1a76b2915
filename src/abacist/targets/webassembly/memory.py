"""Where a program finds things in memory.

Weights, moments, gradients and tapes are vectors of four numbers, a run in each lane. A step of a word has
a byte a lane for each of these: the symbol, whether the step counts, and every target.
"""

from __future__ import annotations

from abacist.cells import Layout

#: The runs that are trained side by side.
LANES = 4

#: Bytes of a vector of numbers, and of one of bytes.
VECTOR, BYTES = 4 * LANES, LANES

#: Where the parts of a step begin.
SYMBOL, COUNTED, TARGETS = 0, BYTES, 2 * BYTES


def bytes_of_step(layout: Layout) -> int:
    """How many bytes of its word a step has."""
    return TARGETS + BYTES * layout.outputs
