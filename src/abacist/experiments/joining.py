"""The same run in two stores: what both say must agree, and what only one of them knows is joined."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from abacist.analysis import Horizon
from abacist.experiments.known_horizons import KnownHorizon, with_horizon
from abacist.experiments.outcome import Outcome, Run
from abacist.wording import one_of


def differences(run: Run, other: Run) -> list[str]:
    """What is not bit for bit the same in two runs of one key, of all that training and judging decide.

    Timings and versions may differ, and so may what only one of them was judged on.
    """
    ours, theirs = run.outcome, other.outcome
    both = ours.known() & theirs.known()
    same = {
        "weights": run.weights.dtype == other.weights.dtype
        and run.weights.tobytes() == other.weights.tobytes(),
        "moments": run.moments is None
        or other.moments is None
        or run.moments.tobytes() == other.moments.tobytes(),
        "losses": _bits(ours.losses) == _bits(theirs.losses),
        "divergence": ours.diverged == theirs.diverged,
        "lessons": ours.taught == theirs.taught,
        "accuracies": all(ours.share(*one) == theirs.share(*one) for one in both),
    }
    return [name for name, agrees in same.items() if not agrees]


def _bits(losses: Iterable[float]) -> bytes:
    return np.array(list(losses), np.float64).tobytes()


def joined(run: Run, other: Run) -> Run:
    """A run with all that another one of the same weights knows of it; itself where that is nothing more."""
    horizons = run.outcome.horizons
    for known in other.outcome.horizons:
        if not _tell(horizons, known):
            horizons = with_horizon(horizons, known)
    more_arrays = other.has_moments and not run.has_moments
    more_known = horizons != run.outcome.horizons or not other.outcome.known() <= run.outcome.known()
    return _combined(run, other, horizons) if more_arrays or more_known else run


def merge_known(run: Run, stored: Run | None) -> Run:
    """A run that was worked on, with all that a store has got to know about it meanwhile."""
    if stored is None or not np.array_equal(stored.weights, run.weights, equal_nan=True):
        return run
    horizons = stored.outcome.horizons
    for known in run.outcome.horizons:
        if known not in horizons:
            horizons = with_horizon(horizons, known)
    return _combined(run, stored, horizons)


def _combined(run: Run, other: Run, horizons: tuple[KnownHorizon, ...]) -> Run:
    """A run with these horizons, and the accuracies and moments of another one that it lacks itself."""
    accuracy = {
        name: {**other.outcome.accuracy.get(name, {}), **run.outcome.accuracy.get(name, {})}
        for name in dict.fromkeys((*run.outcome.accuracy, *other.outcome.accuracy))
    }
    arrays = other.arrays if other.has_moments and not run.has_moments else run.kept
    return replace(run, kept=arrays, outcome=replace(run.outcome, accuracy=accuracy, horizons=horizons))


def _tell(horizons: Iterable[KnownHorizon], known: KnownHorizon) -> bool:
    """Whether horizons already say all that a further one does."""
    search = replace(known.horizon.search, budget=max(known.horizon.reached, 1))
    alike = [one for one in horizons if one.factor == known.factor]
    as_far = any(_facts(one.horizon.joined(known.horizon)) == _facts(one.horizon) for one in alike)
    answered = known.horizon.reached == 0 or any(one.horizon.answers(search) for one in alike)
    tried = known.every_word is None or any(one.every_word is not None for one in alike)
    return as_far and answered and tried


def _facts(horizon: Horizon) -> tuple[object, ...]:
    """What is known of a horizon, whatever search found it out."""
    return horizon.proved, horizon.wrong, horizon.looked


def on_what(outcomes: Iterable[Outcome]) -> str:
    """Where runs that differ were computed, if that may be the reason."""
    processors = list(dict.fromkeys(outcome.processor for outcome in outcomes))
    if len(processors) < 2 or None in processors:
        return ""
    names = [json.dumps(processor[0]) for processor in processors if processor is not None]
    return f"; they were computed on different processors, {one_of(names)}"
