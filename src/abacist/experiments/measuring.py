"""Measuring: horizons of finished runs, one job each, so that none waits for its neighbours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from abacist.analysis import Horizon, horizon
from abacist.analysis.certificates.prover import certify_every_word
from abacist.analysis.construction import saturated
from abacist.analysis.horizons.configurations import Configurations
from abacist.experiments.job import Measurement
from abacist.experiments.known_horizons import HorizonAim, KnownHorizon, with_horizon
from abacist.experiments.outcome import Run
from abacist.fields import checked
from abacist.progress import Progress
from abacist.specs import Networks, Spec


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
    result = horizon(
        networks, 0, known.language, aim.search, steps=steps, seconds=seconds, known=known, progress=progress
    )
    return replace(result, seconds=round(result.seconds, 3))


@checked
def measure(job: Measurement, progress: Progress | None = None, *, seconds: float | None = None) -> list[Run]:
    """Find the horizons of a run; what is known of it already is kept, and made sharper.

    `seconds` is for each horizon.
    """
    run, outcome, configurations = job.run, job.run.outcome, Configurations(job.spec.language)
    progress = progress or Progress()
    for number, aim in enumerate(job.aims, 1):
        networks = sharpened(run.networks, aim.factor)
        steps = job.spec.steps
        result = bracket(networks, configurations, aim, steps=steps, seconds=seconds, progress=progress)
        every_word = _every_word(job.spec, networks, result, progress) if aim.certify else None
        known = KnownHorizon(aim.factor, result, every_word)
        outcome = replace(outcome, horizons=with_horizon(outcome.horizons, known))
        progress(number / len(job.aims))
    return [replace(run, outcome=outcome)]


def _every_word(spec: Spec, networks: Networks, result: Horizon, progress: Progress) -> bool:
    """Whether a network is proved right on every word; one with a wrong word is not."""
    if result.wrong is not None:
        return False
    return certify_every_word(networks, 0, spec.language, steps=spec.steps, progress=progress) is not None
