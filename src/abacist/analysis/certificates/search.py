"""The search for boxes that map into one another: what a certificate is made of.

Boxes begin at the start and grow until they hold all that they lead to. Where that would take too many
rounds, they are pushed to where they are heading. Nothing here has to be right: what is found counts
only once the checker has agreed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from abacist.analysis.certificates.floats import Array, Truth
from abacist.analysis.certificates.regions import Ways
from abacist.analysis.certificates.steps import Image, Steps

#: Bounds that still move are pushed every so many rounds; after so many the search ends.
_PUSH, _ROUNDS = 7, 140


@dataclass(frozen=True, eq=False)
class Boxes:
    """Bounds on the offsets in every region, (region, number), and their growth per step, (number)."""

    lower: Array
    upper: Array
    fall: Array
    rise: Array


def find_boxes(steps: Steps, ways: Ways, slopes: Array, length: int | None) -> Boxes | None:
    """Boxes for all regions that map into one another, with all predictions right; None if none are found.

    With a length, accumulators may grow a little at every step of words up to that length.
    """
    reach = np.full((2, len(ways.regions), steps.size), -np.inf)  # −lower, upper: both only grow
    reach[:, 0] = 0
    growth = np.zeros((2, steps.size))
    first, begun = reach, (reach, growth)
    moved: list[tuple[Array, Array]] = []
    for turn in range(1, _ROUNDS):
        found = _grown(steps, ways, slopes, length, reach, growth)
        if found is None:
            return None
        if np.array_equal(found[0], reach) and np.array_equal(found[1], growth):
            return Boxes(0.0 - reach[0], reach[1], 0.0 - growth[0], growth[1])
        first = np.where(np.isfinite(first), first, found[0])
        reach, growth = found
        if turn % _PUSH == 0:
            with np.errstate(invalid="ignore"):
                moved.append((reach - begun[0], growth - begun[1]))
            if len(moved) > 2:  # by then all regions are reached, mostly
                reach = _pushed(moved[-2][0], moved[-1][0], reach, first)
                growth = _pushed(moved[-2][1], moved[-1][1], growth, np.zeros_like(growth))
            begun = (reach, growth)
    return None


def _grown(
    steps: Steps, ways: Ways, slopes: Array, length: int | None, reach: Array, growth: Array
) -> tuple[Array, Array] | None:
    """Boxes and growth that also hold what one more step leads to; None where a prediction is not right."""
    own = np.asarray(slopes.any(axis=1))
    seen = np.isfinite(reach[0, ways.sources, 0])
    at, to = ways.sources[seen], ways.reached[seen]
    most = reach[:, at] + float(length or 0) * growth[:, None]
    image = steps.image(
        ways.symbols[seen],
        (ways.lower[seen], ways.upper[seen]),
        ways.updates[seen],
        slopes,
        (0.0 - most[0], most[1]),
    )
    if not image.right(ways.targets[seen], steps.margin)[ways.counted[seen]].all():
        return None
    ranges = np.stack([0.0 - image.lower, image.upper])
    moved = np.stack([0.0 - image.fall, image.rise])
    inside = (ranges <= reach[:, to]).all(axis=0)
    drifting = _drifts(image, own) & ~inside & (length is not None)
    after = reach.copy()
    for side in range(2):
        np.maximum.at(after[side], to, np.where(drifting, reach[side, at], ranges[side]))
    if np.isnan(after).any():
        return None
    return after, np.maximum(growth, np.where(drifting, moved, 0).max(axis=1, initial=0))


def _drifts(image: Image, own: Truth) -> Truth:
    """Where an accumulator's offset is its old one plus little."""
    little = np.maximum(np.abs(image.fall), np.abs(image.rise)) < 0.5
    return np.asarray(little & own)


def _pushed(before: Array, last: Array, now: Array, first: Array) -> Array:
    """Bounds that still move, pushed: to the limit if they slow down, else to four times as far.

    `before` and `last` are how far they moved in as many rounds.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.where(before > 0, last / before, np.inf)
        limit = now + 1.01 * last * ratio / (1 - ratio)
        further = np.where(ratio < 0.98, limit, now + 3 * (now - first))
        return np.where(np.isfinite(further) & (last > 0), further, now)
