"""How the weights of a network begin, as plain values: what becomes of every number that was drawn."""

from __future__ import annotations

from itertools import groupby

import numpy as np

from abacist.cells import Layout


def beginning_of(layout: Layout) -> list[tuple[int, float, float]] | None:
    """How many weights, in order, begin as a factor times what was drawn, plus an offset.

    Empty where all begin as they were drawn; None where a weight depends on others, or in another way.
    It is found out by trying.
    """
    if layout.cell.initial is None:
        return []
    drawn = np.random.default_rng(0).uniform(-layout.initial_bound, layout.initial_bound, layout.size)
    offsets = layout.initial_parameters(np.zeros(layout.size))
    factors = layout.initial_parameters(np.ones(layout.size)) - offsets
    if not np.allclose(layout.initial_parameters(drawn), factors * drawn + offsets, rtol=1e-12, atol=1e-15):
        return None
    pairs = zip(factors.tolist(), offsets.tolist(), strict=True)
    return [(len(list(same)), factor, offset) for (factor, offset), same in groupby(pairs)]
