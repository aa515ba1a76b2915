"""The prover: boxes for every length and configuration that hold whatever any word leads to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.algebra.intervals import decision_margin
from abacist.analysis.horizon.configurations import Configurations
from abacist.analysis.horizon.layers import Layer, ways_on
from abacist.analysis.horizon.merging import merge_boxes
from abacist.specs import Networks
from abacist.targets import target_for

Array = NDArray[Any]

#: The cells of a grid are this wide to begin with, and then as wide as they must be.
_FIRST_WIDTH = 1e-4


def prove(
    networks: Networks,
    run: int,
    known: Configurations,
    *,
    limit: int,
    budget: int,
    steps: str = "all",
    going: Callable[[int, int, int], bool] = lambda length, limit, boxes: True,
) -> int:
    """The least length, `limit` at most, of which some word is not proved right with so many boxes.

    All shorter words are proved: every prediction at every step that counts is right. `budget` is
    how many boxes a configuration may have. `going` is told the length that was reached, the limit and
    how many boxes there are; where it says no, only words up to that length are proved.
    """
    stepper = target_for(networks.layout).stepping(networks, run, True)
    lower, upper = bound_rows(networks)
    margin = decision_margin(str(networks.parameters.dtype))
    symbols = len(known.successors)
    widths: Array = np.zeros(0)
    table, keys = np.empty(4 * budget + 1, np.int64), np.empty(4 * budget + 1, np.uint64)
    boxes, after = stepper.rows(1, stepper.width), stepper.rows(1, symbols * stepper.results)
    layer, length = Layer(np.array([0]), np.array([0, 1])), 0
    while True:
        ways = ways_on(known, layer, length, limit)
        if len(ways.configurations) == 0:
            return limit
        if not going(length, limit, layer.count):
            return min(limit, length + 1)
        if after.shape[1] < layer.count:
            after = stepper.rows(2 * layer.count, symbols * stepper.results)
        made = after.reshape(symbols, stepper.results, -1)
        for symbol in np.unique(ways.symbols):
            stepper(int(symbol), boxes, made[symbol], layer.count)
        sizes = np.diff(layer.starts)[ways.sources]
        most = int(np.minimum(np.add.reduceat(sizes, ways.starts[:-1]), budget).sum())
        if boxes.shape[1] < most:
            boxes = stepper.rows(2 * most, stepper.width)
        if len(widths) < len(known):
            widths = np.concatenate([widths, np.full(2 * len(known) - len(widths), _FIRST_WIDTH)])
        own, starts = widths[ways.configurations], np.zeros(len(ways.configurations) + 1, np.int64)
        unsure = np.zeros(len(ways.configurations), np.bool_)
        counted = known.accepting if steps == "last" else np.ones_like(known.accepting)
        merge_boxes(
            made, layer.starts, ways.starts, ways.symbols, ways.sources,
            known.targets[ways.configurations], counted[ways.configurations], lower, upper, margin,
            budget, own, boxes, starts, unsure, table, keys,
        )  # fmt: skip
        widths[ways.configurations] = own
        length += 1
        if unsure.any():
            limit = min(limit, length + int(known.endings[ways.configurations[unsure]].min()))
        layer = Layer(ways.configurations, starts)


def bound_rows(networks: Networks) -> tuple[Array, Array]:
    """The rows of all lower and of all upper bounds: of the states, then of the sums."""
    lower: list[int] = []
    upper: list[int] = []
    for size in (*networks.layout.state_sizes, networks.layout.outputs):
        start = len(lower) + len(upper)
        lower += range(start, start + size)
        upper += range(start + size, start + 2 * size)
    return np.array(lower), np.array(upper)
