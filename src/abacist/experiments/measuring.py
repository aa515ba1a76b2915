"""Measuring: horizons of finished runs, one job each, so that none waits for its neighbours."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from abacist.analysis.certificates import certify_every_word
from abacist.analysis.construction import saturated
from abacist.analysis.horizons import Configurations, Horizon, horizon
from abacist.experiments.known_horizons import HorizonAim, KnownHorizon, with_horizon
from abacist.experiments.outcome import Run
from abacist.fields import check_fields, checked
from abacist.progress import Progress
from abacist.specs import Networks, Spec

#: The kind of work whose size says little about its time: it is not foretold before some of it is measured.
SEARCHING = "searching"


@dataclass(frozen=True, eq=False)
class Measurement:
    """A finished run, and the horizons that are to be known of it."""

    run: Run
    aims: tuple[HorizonAim, ...]

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def spec(self) -> Spec:
        return self.run.spec

    @property
    def seeds(self) -> tuple[int, ...]:
        return (self.run.seed,)

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.run.key,)

    @property
    def runs(self) -> int:
        return 1

    @property
    def parts(self) -> tuple[Measurement, ...]:
        return (self,)

    @property
    def size(self) -> float:
        return work_of(self.spec, self.aims)

    @property
    def kind(self) -> str:
        return SEARCHING

    @property
    def what(self) -> str:
        return "find the horizon" if len(self.aims) == 1 else f"find {len(self.aims)} horizons"

    @property
    def words(self) -> int:
        return 0

    def lacks(self, found: Callable[[str], Run | None]) -> bool:
        run = found(self.run.key)
        return run is not None and bool(run.outcome.unanswered(self.aims))

    def is_answered_by(self, runs: Mapping[str, Run]) -> bool:
        return not runs[self.run.key].outcome.unanswered(self.aims)


def work_of(spec: Spec, aims: Iterable[HorizonAim]) -> float:
    """About how much work the horizons of a run are: nobody knows before it is done."""
    work = sum(math.sqrt(aim.search.budget) * aim.search.to for aim in aims)
    return float(13 * work * spec.layout.size)


def sharpened(networks: Networks, factor: float) -> Networks:
    """Networks with the inputs of all gates multiplied; what has diverged stays as it is."""
    finite = bool(np.isfinite(networks.parameters).all())
    return saturated(networks, factor) if finite and factor != 1 else networks


@checked
def bracket(
    networks: Networks,
    known: Configurations,
    aim: HorizonAim,
    *,
    steps: str = "all",
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Horizon:
    """The horizon of the first of some networks, which are sharpened as the aim has it."""
    found = horizon(
        networks, 0, known.language, aim.search, steps=steps, seconds=seconds, known=known, progress=progress
    )
    return replace(found, seconds=round(found.seconds, 3))


def merge_known(run: Run, stored: Run | None) -> Run:
    """A run that was worked on, with all that a store has got to know about it meanwhile."""
    if stored is None or not np.array_equal(stored.weights, run.weights, equal_nan=True):
        return run
    own, other = run.outcome, stored.outcome
    accuracy = {
        name: {**other.accuracy.get(name, {}), **own.accuracy.get(name, {})}
        for name in {*other.accuracy, *own.accuracy}
    }
    horizons = other.horizons
    for known in own.horizons:
        if known not in horizons:
            horizons = with_horizon(horizons, known)
    arrays = stored.arrays if stored.has_moments and not run.has_moments else run.kept
    return replace(run, kept=arrays, outcome=replace(own, accuracy=accuracy, horizons=horizons))


@checked
def measure(job: Measurement, progress: Progress | None = None, *, seconds: float | None = None) -> list[Run]:
    """Find the horizons of a run; what is known of it already is kept, and made sharper.

    `seconds` is for each horizon.
    """
    run, outcome, configurations = job.run, job.run.outcome, Configurations(job.spec.language)
    progress = progress or Progress()
    for number, aim in enumerate(job.aims, 1):
        own = sharpened(run.networks, aim.factor)
        found = bracket(own, configurations, aim, steps=job.spec.steps, seconds=seconds, progress=progress)
        every_word = _every_word(job.spec, own, found, progress) if aim.certify else None
        known = KnownHorizon(aim.factor, found, every_word)
        outcome = replace(outcome, horizons=with_horizon(outcome.horizons, known))
        progress(number / len(job.aims))
    return [replace(run, outcome=outcome)]


def _every_word(spec: Spec, networks: Networks, found: Horizon, progress: Progress) -> bool:
    """Whether a network is proved right on every word; one with a wrong word is not."""
    if found.wrong is not None:
        return False
    return certify_every_word(networks, 0, spec.language, steps=spec.steps, progress=progress) is not None
