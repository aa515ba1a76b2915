"""The same run in two stores: what both say must agree, and what only one of them knows is joined."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from abacist.experiments.known_horizons import KnownHorizon, with_horizon
from abacist.experiments.outcome import Outcome, Run
from abacist.wording import one_of


def differences(own: Run, other: Run) -> list[str]:
    """What is not bit for bit the same in two runs of one key, of all that training and judging decide.

    Timings and versions may differ, and so may what only one of them was judged on.
    """
    ours, theirs = own.outcome, other.outcome
    both = ours.known() & theirs.known()
    same = {
        "weights": own.weights.dtype == other.weights.dtype
        and own.weights.tobytes() == other.weights.tobytes(),
        "moments": own.moments is None
        or other.moments is None
        or own.moments.tobytes() == other.moments.tobytes(),
        "losses": _bits(ours.losses) == _bits(theirs.losses),
        "divergence": ours.diverged == theirs.diverged,
        "lessons": ours.taught == theirs.taught,
        "accuracies": all(ours.share(*one) == theirs.share(*one) for one in both),
    }
    return [name for name, agrees in same.items() if not agrees]


def _bits(losses: Iterable[float]) -> bytes:
    return np.array(list(losses), np.float64).tobytes()


def joined(own: Run, other: Run) -> Run:
    """A run with all that another one of the same weights knows of it; itself where that is nothing more."""
    accuracy = {
        name: {**other.outcome.accuracy.get(name, {}), **own.outcome.accuracy.get(name, {})}
        for name in dict.fromkeys((*own.outcome.accuracy, *other.outcome.accuracy))
    }
    horizons = own.outcome.horizons
    for known in other.outcome.horizons:
        if not _tell(horizons, known):
            horizons = with_horizon(horizons, known)
    more_arrays = other.has_moments and not own.has_moments
    more_known = horizons != own.outcome.horizons or not other.outcome.known() <= own.outcome.known()
    if not more_arrays and not more_known:
        return own
    arrays = other.arrays if more_arrays else own.kept
    return replace(own, kept=arrays, outcome=replace(own.outcome, accuracy=accuracy, horizons=horizons))


def _tell(horizons: Iterable[KnownHorizon], known: KnownHorizon) -> bool:
    """Whether horizons already say all that a further one does."""
    search = replace(known.horizon.search, budget=max(known.horizon.reached, 1))
    alike = [own for own in horizons if own.factor == known.factor]
    as_far = any(own.horizon.joined(known.horizon) == _as(own, known) for own in alike)
    answered = known.horizon.reached == 0 or any(own.horizon.answers(search) for own in alike)
    tried = known.every_word is None or any(own.every_word is not None for own in alike)
    return as_far and answered and tried


def _as(own: KnownHorizon, known: KnownHorizon) -> object:
    """What is known of one, under the search of the other."""
    mine = own.horizon
    return replace(known.horizon, proved=mine.proved, wrong=mine.wrong, looked=mine.looked)


def on_what(outcomes: Iterable[Outcome]) -> str:
    """Where runs that differ were computed, if that may be the reason."""
    processors = list(dict.fromkeys(outcome.processor for outcome in outcomes))
    if len(processors) < 2 or None in processors:
        return ""
    names = [json.dumps(processor[0]) for processor in processors if processor is not None]
    return f"; they were computed on different processors, {one_of(names)}"
