"""The proof of a horizon: boxes for every length and configuration hold whatever any word leads to."""

from __future__ import annotations

from typing import Any

import numpy as np

from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.horizons.exploration import Exploration, Integers, next_layers
from abacist.compiler.magnitudes import largest_states
from abacist.specs import Networks


def prove(networks: Networks, run: int, configurations: Configurations, *, limit: int, **effort: Any) -> int:
    """The least length, `limit` at most, of which some word is not proved right with an effort.

    All shorter words are proved: every prediction at every step that counts is right. Where the exploration
    stops, only words up to the length that was reached are. The effort is that of an `Exploration`.
    """
    here = Exploration(networks, run, configurations, boxes=True, **effort)
    if not (largest := largest_states(networks.layout, networks.parameters[run])):
        return min(limit, 1)
    lower, upper = bound_rows(networks)
    while (ways := here.ways(limit)) is not None:
        rows, unsure = here.rows, np.zeros(len(ways.configurations), np.bool_)
        here.advance(ways, next_layers.merge_boxes, lower[rows], upper[rows], largest, unsure)
        if unsure.any():  # where only last symbols count, a word that ends here is judged already
            ending = int(configurations.endings[ways.configurations[unsure]].min())
            limit = min(limit, here.length + max(ending, int(here.steps == "last")))
    return min(limit, here.length + 1) if here.stopped else limit


def is_provable(networks: Networks, run: int) -> bool:
    """Whether anything can be proved of a network: all its weights are numbers and none is too large."""
    return largest_states(networks.layout, networks.parameters[run]) > 0


def bound_rows(networks: Networks) -> tuple[Integers, Integers]:
    """The rows of all lower and of all upper bounds: of the states, then of the sums."""
    sizes = np.array([*networks.layout.state_sizes, networks.layout.outputs])
    lower = np.arange(sizes.sum()) + np.repeat(np.cumsum(sizes) - sizes, sizes)
    return lower, lower + np.repeat(sizes, sizes)
