"""The prover: boxes for every length and configuration that hold whatever any word leads to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.exploration import Exploration, Going, always
from abacist.compiler.magnitudes import largest_states
from abacist.on_demand import on_demand
from abacist.specs import Networks

Array = NDArray[Any]
Rows = NDArray[np.int64]

_merging = on_demand("abacist.analysis.horizons.merging")


def prove(
    networks: Networks,
    run: int,
    known: Configurations,
    *,
    limit: int,
    budget: int,
    steps: str = "all",
    most_in_all: int | None = None,
    matter: Array | None = None,
    going: Going = always,
) -> int:
    """The least length, `limit` at most, of which some word is not proved right with so many boxes.

    All shorter words are proved: every prediction at every step that counts is right. `most_in_all` is how
    many boxes there may be of one length, whatever the budget. Where `going`
    says no, only words up to the length that was reached are proved.
    """
    here = Exploration(
        networks, run, known, boxes=True, budget=budget, steps=steps, most=most_in_all, matter=matter
    )
    if not (largest := largest_states(networks.layout, networks.parameters[run])):
        return min(limit, 1)
    lower, upper = bound_rows(networks)
    while (ways := here.ways(limit)) is not None:
        if not going(here.length, limit, here.layer.count):
            return min(limit, here.length + 1)
        here.step(ways)
        count, widths = len(ways.configurations), here.widths(ways)
        starts, unsure = np.zeros(count + 1, np.int64), np.zeros(count, np.bool_)
        _merging.merge_boxes(
            here.after, here.layer.starts, ways.starts, ways.symbols, ways.sources, *here.targets(ways),
            lower[here.rows], upper[here.rows], here.influences, here.margin, largest, here.allowed(ways),
            widths, here.states, starts, unsure, here.table, here.keys,
        )  # fmt: skip
        here.finish(ways, starts, widths)
        if unsure.any():  # where only last symbols count, a word that ends here is judged already
            endings = np.maximum(known.endings[ways.configurations[unsure]], int(steps == "last"))
            limit = min(limit, here.length + int(endings.min()))
    return limit


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
