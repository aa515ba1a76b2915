"""The prover: boxes for every length and configuration that hold whatever any word leads to."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.exploration import Effort, Exploration
from abacist.compiler.magnitudes import largest_states
from abacist.on_demand import on_demand
from abacist.specs import Networks

Array = NDArray[Any]
Rows = NDArray[np.int64]

_next_layers = on_demand("abacist.analysis.horizons.next_layers")


def prove(
    networks: Networks, run: int, known: Configurations, *, limit: int, **effort: Unpack[Effort]
) -> int:
    """The least length, `limit` at most, of which some word is not proved right with such an effort.

    All shorter words are proved: every prediction at every step that counts is right. Where the exploration
    stops, only words up to the length that was reached are.
    """
    here = Exploration(networks, run, known, boxes=True, **effort)
    if not (largest := largest_states(networks.layout, networks.parameters[run])):
        return min(limit, 1)
    lower, upper = bound_rows(networks)
    while (ways := here.ways(limit)) is not None:
        here.step(ways)
        count, widths = len(ways.configurations), here.widths(ways)
        starts, unsure = np.zeros(count + 1, np.int64), np.zeros(count, np.bool_)
        _next_layers.merge_boxes(
            here.after, here.layer.starts, ways.starts, ways.symbols, ways.sources, *here.targets(ways),
            lower[here.rows], upper[here.rows], here.influence, here.margin, largest, here.allowed(ways),
            widths, here.states, starts, unsure, here.table, here.keys,
        )  # fmt: skip
        here.finish(ways, starts, widths)
        if unsure.any():  # where only last symbols count, a word that ends here is judged already
            endings = np.maximum(known.endings[ways.configurations[unsure]], int(here.steps == "last"))
            limit = min(limit, here.length + int(endings.min()))
    return min(limit, here.length + 1) if here.stopped else limit


def is_provable(networks: Networks, run: int) -> bool:
    """Whether anything can be proved of a network: all its weights are numbers and none is too large."""
    return largest_states(networks.layout, networks.parameters[run]) > 0


def bound_rows(networks: Networks) -> tuple[Rows, Rows]:
    """The rows of all lower and of all upper bounds: of the states, then of the sums."""
    lower: list[int] = []
    upper: list[int] = []
    for size in (*networks.layout.state_sizes, networks.layout.outputs):
        start = len(lower) + len(upper)
        lower += range(start, start + size)
        upper += range(start + size, start + 2 * size)
    return np.array(lower), np.array(upper)
