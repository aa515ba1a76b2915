"""The search for boxes that map into one another: what a certificate is made of.

Nothing here has to be right: what is found counts only once the checker has agreed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from abacist.analysis.certificates.floats import Array
from abacist.analysis.certificates.regions import Ways
from abacist.analysis.certificates.steps import Image, Steps

#: After so many rounds bounds that still move are pushed further, and after so many the search ends.
_PATIENCE, _ROUNDS = 12, 80


@dataclass(frozen=True, eq=False)
class Boxes:
    """For every region bounds on the offsets, (region, number), and how far these may grow a step, (number)."""

    lower: Array
    upper: Array
    fall: Array
    rise: Array


def find_boxes(steps: Steps, ways: Ways, slopes: Array, length: int | None) -> Boxes | None:
    """Boxes for all regions that map into one another, with all predictions right; None if none are found.

    With a length, accumulators may grow a little at every step of words up to that length.
    """
    regions, own = len(ways.regions), slopes.any(axis=1)
    lower, upper = np.full((regions, steps.size), np.inf), np.full((regions, steps.size), -np.inf)
    lower[0] = upper[0] = 0
    fall, rise = np.zeros(steps.size), np.zeros(steps.size)
    first_lower, first_upper = lower.copy(), upper.copy()
    for turn in range(_ROUNDS):
        seen = np.isfinite(lower[ways.sources, 0])
        at = ways.sources[seen]
        spare = (length or 0) * np.where(own, 1, 0)
        image = steps.image(
            ways.symbols[seen],
            (ways.lower[seen], ways.upper[seen]),
            ways.updates[seen],
            slopes,
            (lower[at] + spare * fall, upper[at] + spare * rise),
        )
        if not image.right(ways.targets[seen], steps.margin)[ways.counted[seen]].all():
            return None
        drifting = _drifts(image, own) & (length is not None)
        new_fall = np.minimum(fall, np.where(drifting, image.fall, 0).min(axis=0, initial=0))
        new_rise = np.maximum(rise, np.where(drifting, image.rise, 0).max(axis=0, initial=0))
        new_lower, new_upper = lower.copy(), upper.copy()
        np.minimum.at(new_lower, ways.reached[seen], np.where(drifting, lower[at], image.lower))
        np.maximum.at(new_upper, ways.reached[seen], np.where(drifting, upper[at], image.upper))
        if not (np.isfinite(new_lower) == np.isfinite(new_upper)).all():
            return None
        same = np.array_equal(new_lower, lower) and np.array_equal(new_upper, upper)
        if same and np.array_equal(fall, new_fall) and np.array_equal(rise, new_rise):
            return Boxes(lower, upper, fall, rise)
        begun = np.isfinite(new_lower) & ~np.isfinite(first_lower)
        first_lower[begun], first_upper[begun] = new_lower[begun], new_upper[begun]
        if turn >= _PATIENCE:
            with np.errstate(invalid="ignore"):
                new_lower = np.where(new_lower < lower, new_lower - 3 * (first_lower - new_lower), new_lower)
                new_upper = np.where(new_upper > upper, new_upper + 3 * (new_upper - first_upper), new_upper)
            new_fall, new_rise = np.where(new_fall < fall, 1.5 * new_fall, new_fall), np.where(
                new_rise > rise, 1.5 * new_rise, new_rise
            )
        lower, upper, fall, rise = new_lower, new_upper, new_fall, new_rise
    return None


def _drifts(image: Image, own: Array) -> Array:
    """Where an accumulator's offset is its old one plus little."""
    little = np.maximum(np.abs(image.fall), np.abs(image.rise)) < 0.5
    return np.asarray(little & own)
