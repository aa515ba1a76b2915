"""The work of an experiment: blocks of runs, each trained and judged as one job, and runs to measure.

A job is a plain value and so is its result, so any `concurrent.futures` executor will do. Horizons are
measured run by run, so that none waits for its neighbours.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abacist import __version__, specs
from abacist.analysis import Horizon, horizon
from abacist.analysis.certificates.prover import certify_every_word
from abacist.analysis.horizons.configurations import Configurations
from abacist.engine import Block, Trained, begin, pretrained
from abacist.experiments.job import AnyJob, Job, Measurement
from abacist.experiments.outcome import Epoch, KnownHorizon, Outcome, Run, with_horizon
from abacist.experiments.plan import HorizonAim, on_stored_words
from abacist.experiments.word_sets import WordSets
from abacist.fields import checked
from abacist.on_demand import on_demand
from abacist.progress import Progress
from abacist.specs import Networks, Taught
from abacist.targets import target_for

#: Imported when a spec first has a lesson: it searches with compiled code.
_teaching = on_demand("abacist.analysis.teaching")

#: The accuracies of one run: by set, by epoch.
_Shares = dict[str, dict[int, float]]


@checked
def compute(job: AnyJob, progress: Progress | None = None) -> list[Run]:
    """Train a block of runs and judge it where it is asked for, or measure a run; one thread.

    What has fewer epochs than the rest is finished on the way, bit for bit as if it had been trained alone.
    """
    if isinstance(job, Measurement):
        return measure(job, progress)
    target, progress = target_for(job.spec.layout, job.target), progress or Progress()
    with target.admit_block():
        begun, clock = time.time(), time.perf_counter()
        words = WordSets(job.spec, job.seeds)
        trained_on = set[str]() if job.is_trained else {"training"}
        for name in sorted({name for part in job.parts for name, _ in part.wanted} | trained_on):
            words.draw(name, progress)
        with target.exclusive():
            progress()
            return _judged(job, words) if job.is_trained else _trained(job, words, progress, begun, clock)


def _trained(job: Job, words: WordSets, progress: Progress, begun: float, clock: float) -> list[Run]:
    """A block whose words are drawn, trained and judged; it was begun at a time, and at that of a clock.

    It starts from runs that were computed by the same software, on the same kind of processor: else what
    comes of them might not be what training from the beginning gives.
    """
    versions = _versions(job)
    start = job.start if all(run.outcome.versions == versions for run in job.start) else ()
    untrained = begin(job.spec, job.seeds, _trained_so_far(start) if start else None)
    share = job.first_epochs / max(job.first_epochs + job.spec.epochs, 1)
    if not start:
        first = progress.part(share)
        untrained = pretrained(untrained, words.all_of("training"), first, target=job.target)
    learning: Any = Block if job.spec.lesson is None else _teaching.Teaching
    block = learning(untrained, words.all_of("training"), target=job.target)
    wanted = _wanted(job)
    accuracy = _accuracies(start) or [{} for _ in job.seeds]
    earlier = [run.outcome.seconds for run in start] or [0.0] * len(job.seeds)
    rows = {seed: row for row, seed in enumerate(job.seeds)}
    runs: list[Run] = []
    before = untrained.epochs
    for epoch in _stops(job, untrained.epochs):
        weight = (1 - share) * (epoch - before) / max(job.spec.epochs - untrained.epochs, 1)
        trained, before = block.train(epoch, progress.part(weight)), epoch
        words.judge(trained.networks, epoch, wanted, accuracy, target=job.target)
        if epoch > untrained.epochs:
            progress.report(_epoch(job, trained, accuracy))
        seconds = (time.perf_counter() - clock) / len(job.seeds)
        for part in (part for part in job.parts if part.spec.epochs == epoch):
            lessons = (None,) * len(rows) if job.spec.lesson is None else block.taught
            for row in (rows[seed] for seed in part.seeds):
                taught = lessons[row]
                epochs = epoch if taught is None else taught.rounds[-1].epochs  # it may have ended early
                outcome = Outcome(
                    accuracy=_only(part.wanted, accuracy[row]),
                    losses=trained.losses[row, :epochs].tolist(),
                    diverged=trained.diverged[row],
                    begun=round(begun, 3),
                    seconds=round(seconds + earlier[row], 4),
                    versions=versions,
                    taught=taught,
                )
                runs.append(Run(part.spec, job.seeds[row], outcome, _kept(part, trained, row, taught)))
    return runs


def _kept(part: Job, trained: Trained, row: int, taught: Taught | None) -> NDArray[Any]:
    """The weights of a run, and after them the moments where they are to be kept."""
    weights: NDArray[Any] = trained.networks.parameters[row]
    if not part.keep_moments or taught is not None:
        return weights
    return np.concatenate((weights, *(moment[row] for moment in trained.moments)))


def _wanted(job: Job) -> list[set[tuple[str, int]]]:
    """What is to be known of the networks of each run: (set, epoch)."""
    wanted: dict[int, set[tuple[str, int]]] = {seed: set() for seed in job.seeds}
    for part in job.parts:
        for seed in part.seeds:
            wanted[seed] |= part.wanted
    return list(wanted.values())


def _stops(job: Job, done: int) -> list[int]:
    """The epochs after which there is something to do, if only to report; those that are done are over.

    Of a lesson these are the ends of its rounds: it is a round's epochs and its search that progress counts.
    """
    judged = {epoch for part in job.parts for _, epoch in part.wanted if epoch >= done}
    lesson, epochs = job.spec.lesson, job.spec.epochs
    reported = range(done + 1, epochs + 1) if lesson is None else lesson.ends(epochs)
    return sorted({*judged, *reported, *(part.spec.epochs for part in job.parts)})


def _epoch(job: Job, trained: Trained, accuracy: Sequence[_Shares]) -> Epoch:
    """The last epoch of a block, with what was judged after it."""
    epoch, sets = trained.epochs, sorted({name for shares in accuracy for name in shares})
    known = {name: np.array([own.get(name, {}).get(epoch, np.nan) for own in accuracy]) for name in sets}
    accuracies = {name: shares for name, shares in known.items() if not np.isnan(shares).all()}
    return Epoch(job.spec, job.seeds, epoch, trained.losses[:, -1].copy(), accuracies)


def _accuracies(runs: Sequence[Run]) -> list[_Shares]:
    return [{name: dict(shares) for name, shares in run.outcome.accuracy.items()} for run in runs]


def _judged(job: Job, words: WordSets) -> list[Run]:
    """Runs that are trained already, judged on more sets."""
    networks = Networks(job.spec.layout, np.stack([run.weights for run in job.start]))
    accuracy = _accuracies(job.start)
    words.judge(networks, job.spec.epochs, _wanted(job), accuracy, target=job.target)
    return [
        replace(run, outcome=replace(run.outcome, accuracy=shares))
        for run, shares in zip(job.start, accuracy, strict=True)
    ]


def _only(wanted: frozenset[tuple[str, int]], accuracy: _Shares) -> _Shares:
    """Of the accuracies of a run those that are wanted."""
    shares: _Shares = {}
    for name, epoch in sorted(wanted):
        shares.setdefault(name, {})[epoch] = accuracy[name][epoch]
    return shares


def _versions(job: Job) -> dict[str, str]:
    packages = {"abacist": __version__, "numpy": np.__version__, "python": platform.python_version()}
    return packages | target_for(job.spec.layout, job.target).versions()


def _trained_so_far(runs: Sequence[Run]) -> Trained:
    """Stored runs of one spec as training left them."""
    spec, moments = runs[0].spec, np.stack([run.moments for run in runs if run.moments is not None])
    words = spec.recipe(0).splits[0].count
    return Trained(
        spec,
        tuple(run.seed for run in runs),
        Networks(spec.layout, np.stack([run.weights for run in runs])),
        np.array([tuple(run.outcome.losses) for run in runs], np.float64).reshape(len(runs), spec.epochs),
        tuple(run.outcome.diverged for run in runs),
        (moments[:, 0].copy(), moments[:, 1].copy()),
        spec.epochs * ceil(words / spec.batch),
    )


def sharpened(networks: Networks, factor: float) -> Networks:
    """Networks with the inputs of all gates multiplied; what has diverged stays as it is."""
    finite = bool(np.isfinite(networks.parameters).all())
    return specs.sharpened(networks, factor) if finite and factor != 1 else networks


@checked
def bracket(
    networks: Networks,
    configurations: Configurations,
    aim: HorizonAim,
    *,
    steps: str = "all",
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Horizon:
    """The horizon of the first of some networks, which are sharpened as the aim has it."""
    result = horizon(
        networks,
        0,
        configurations.language,
        aim.search,
        steps=steps,
        seconds=seconds,
        configurations=configurations,
        progress=progress,
    )
    return replace(result, seconds=round(result.seconds, 3))


@checked
def measure(job: Measurement, progress: Progress | None = None, *, seconds: float | None = None) -> list[Run]:
    """Find the horizons of a run; what is known of it already is kept, and made sharper.

    `seconds` is for each horizon.
    """
    run, outcome = job.run, job.run.outcome
    configurations = {
        words: Configurations(on_stored_words(job.spec.language, words))
        for words in dict.fromkeys(aim.words for aim in job.aims)
    }
    progress = progress or Progress()
    for number, aim in enumerate(job.aims, 1):
        networks, words = sharpened(run.networks, aim.factor), configurations[aim.words]
        steps = job.spec.steps
        result = bracket(networks, words, aim, steps=steps, seconds=seconds, progress=progress)
        every_word = False if aim.certify else None
        if aim.certify and result.wrong is None:
            proof = certify_every_word(networks, 0, words.language, steps=steps, progress=progress)
            every_word = proof is not None
        measured = KnownHorizon(aim.factor, result, every_word, aim.words)
        outcome = replace(outcome, horizons=with_horizon(outcome.horizons, measured))
        progress(number / len(job.aims))
    return [replace(run, outcome=outcome)]
